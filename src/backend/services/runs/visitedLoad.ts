import type { PreparedLoad } from './loadGenerator.ts';

/** Knows the seconds in which a browser took processor time from the load. */
export interface Visited {
  isTaken(second: number, width: number): boolean;
}

/** Wraps a load beside a browser on the same computer: seconds in which the browser took processor time are marked as overloaded. */
export function visitedLoad(load: PreparedLoad, visits: Visited): PreparedLoad {
  return {
    ...load,
    attach: (sink) =>
      load.attach({
        ...sink,
        onWindow(window, reading) {
          if (!visits.isTaken(window.second, window.width)) return sink.onWindow(window, reading);
          window.sick = [...window.sick, 'browser'];
          sink.onWindow(window, { ...reading, sick: [...window.sick] });
        },
      }),
  };
}
