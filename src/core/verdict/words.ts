import { judgedStages } from '../plan/names.ts';
import type { Plan } from '../plan/schema.ts';
import type { SickCause } from '../stats/window.ts';
import { formatCount, formatNumber, formatSeconds } from '../units.ts';

/** Plain words for why a generator was not to be trusted. */
export const SICK_WORDS: Readonly<Record<SickCause, string>> = {
  threadCpu: 'a thread of the load generator used a whole core',
  eventLoopDelay: 'the load generator answered its own clock too late',
  steal: 'the host took processor time away from this machine',
  scheduleLag: 'requests started later than planned',
  noPort: 'no local port was left',
  noFile: 'no file descriptor was left',
};

/** "60 connections asking at the same time", of the highest counted stage. */
export function loadWords(plan: Plan): string {
  return connectionWords(Math.max(1, ...judgedStages(plan).map((index) => plan.load.stages[index]?.connections ?? 1)));
}

export function connectionWords(connections: number): string {
  return connections === 1 ? '1 connection' : `${formatCount(connections)} connections at the same time`;
}

/** "212 good answers a second". */
export function rateWords(perSecond: number | null): string {
  return perSecond === null ? 'an unknown number of good answers a second' : `${formatNumber(perSecond)} good answers a second`;
}

/** ", from 2 min 40 s on": nothing for a miss from the very beginning. */
export function fromWords(second: number | null, beginsAt: number): string {
  return second === null || second <= beginsAt ? '' : `from ${formatSeconds(second)} on, `;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
