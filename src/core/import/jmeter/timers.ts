import type { Draft, WrittenStep } from '../draft.ts';
import { numberOf, textOf, type Element } from './element.ts';
import type { Values } from './values.ts';

export type ThinkTime = NonNullable<WrittenStep['thinkTime']>;

/** The pause of a timer; null for none that a plan can say. `isTimer` is false for any other element. */
export function readTimer(draft: Draft, values: Values, element: Element, place: string): { isTimer: boolean; pause: ThinkTime | null } {
  const seconds = (name: string): number => Math.max(0, numberOf(values.plain(textOf(element.xml, name))) ?? 0) / 1_000;
  switch (element.kind) {
    case 'ConstantTimer':
      return { isTimer: true, pause: { kind: 'fixed', seconds: seconds('ConstantTimer.delay') } };
    case 'UniformRandomTimer': {
      const from = seconds('ConstantTimer.delay');
      return { isTimer: true, pause: { kind: 'uniform', fromSeconds: from, toSeconds: from + seconds('RandomTimer.range') } };
    }
    case 'GaussianRandomTimer': {
      const [mean, deviation] = [seconds('ConstantTimer.delay'), seconds('RandomTimer.range')];
      draft.changed(place, 'Pauses are normally distributed.', 'The plan spreads them uniformly, with the same mean and deviation.');
      // An even spread of width w has a deviation of w / √12.
      const half = Math.sqrt(3) * deviation;
      return { isTimer: true, pause: { kind: 'uniform', fromSeconds: rounded(Math.max(0, mean - half)), toSeconds: rounded(mean + half) } };
    }
    case 'PoissonRandomTimer': {
      const mean = seconds('ConstantTimer.delay') + seconds('RandomTimer.range');
      draft.changed(place, 'Pauses follow a Poisson distribution.', 'The plan spreads them exponentially, with the same mean.');
      return { isTimer: true, pause: mean > 0 ? { kind: 'exponential', meanSeconds: mean } : null };
    }
    case 'ConstantThroughputTimer':
    case 'PreciseThroughputTimer':
    case 'kg.apc.jmeter.timers.VariableThroughputTimer':
      draft.leftOut(
        place,
        'It slows the threads down to a rate.',
        'Users send the next request after a response. For a rate, use the load model “arrivals”.',
      );
      return { isTimer: true, pause: null };
    case 'SyncTimer':
      draft.leftOut(place, 'Threads wait for each other to send at the same instant.');
      return { isTimer: true, pause: null };
    default:
      return { isTimer: false, pause: null };
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
