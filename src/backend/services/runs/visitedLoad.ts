import type { PreparedLoad } from './loadGenerator.ts';

/** Tells of seconds in which a browser took processor time from the load. */
export interface Visited {
  isTaken(second: number, width: number): boolean;
}

/** A load with a browser beside it on the same computer: seconds that the browser took part of are overloaded, whoever looks at them. */
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
