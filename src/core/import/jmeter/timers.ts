import type { Draft, WrittenStep } from '../draft.ts';
import { numberOf, textOf, type Element } from './element.ts';
import type { XmlElement } from '../xml.ts';
import type { Values } from './values.ts';

export type ThinkTime = NonNullable<WrittenStep['thinkTime']>;

/** A request rate set by a timer. */
export interface Rate {
  readonly location: string;
  readonly perSecond: number;
  /** Whether the rate applies to each thread instead of all threads together. */
  readonly isPerThread: boolean;
}

interface Timer {
  readonly isTimer: boolean;
  readonly pause: ThinkTime | null;
  readonly rate?: Rate;
}

/** Returns the pause of a timer; null if a plan cannot express it. `isTimer` is false for any other element. */
export function readTimer(draft: Draft, values: Values, element: Element, location: string): Timer {
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
      draft.noteChanged(location, 'Pauses are normally distributed.', 'The plan spreads them uniformly, with the same mean and deviation.');
      // Half of the width: a uniform distribution of width w has the standard deviation w / √12, so half of w is √3 times the deviation.
      const half = Math.sqrt(3) * deviation;
      return { isTimer: true, pause: { kind: 'uniform', fromSeconds: round(Math.max(0, mean - half)), toSeconds: round(mean + half) } };
    }
    case 'PoissonRandomTimer': {
      const mean = seconds('ConstantTimer.delay') + seconds('RandomTimer.range');
      draft.noteChanged(location, 'Pauses follow a Poisson distribution.', 'The plan spreads them exponentially, with the same mean.');
      return { isTimer: true, pause: mean > 0 ? { kind: 'exponential', meanSeconds: mean } : null };
    }
    case 'ConstantThroughputTimer':
    case 'PreciseThroughputTimer': {
      const count = numberOf(values.plain(readThroughput(element))) ?? 0;
      const isConstant = element.kind === 'ConstantThroughputTimer';
      const period = isConstant ? 60 : (numberOf(values.plain(textOf(element.xml, 'throughputPeriod'))) ?? 3_600);
      if (count <= 0 || period <= 0) leaveOutRate(draft, location);
      else
        return {
          isTimer: true,
          pause: null,
          rate: { location, perSecond: count / period, isPerThread: isConstant && /^0?$/.test(textOf(element.xml, 'calcMode').trim()) },
        };
      return { isTimer: true, pause: null };
    }
    case 'kg.apc.jmeter.timers.VariableThroughputTimer':
      leaveOutRate(draft, location);
      return { isTimer: true, pause: null };
    case 'SyncTimer':
      draft.noteLeftOut(location, 'Threads wait for each other to send at the same instant.');
      return { isTimer: true, pause: null };
    default:
      return { isTimer: false, pause: null };
  }
}

export function leaveOutRate(draft: Draft, location: string): void {
  draft.noteLeftOut(
    location,
    'It slows the threads down to a rate.',
    'Users send the next request after a response. For a rate, use the load model “arrivals”.',
  );
}

/** Returns the text of `throughput`, which is a doubleProp with a `<name>` element or, for a variable, a property with a name attribute. */
function readThroughput({ xml }: Element): string {
  const text = (element: XmlElement, name: string): string => element.children.find((child) => child.name === name)?.text ?? '';
  const double = xml.children.find((child) => child.name === 'doubleProp' && text(child, 'name') === 'throughput');
  return double === undefined ? textOf(xml, 'throughput') : text(double, 'value');
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
