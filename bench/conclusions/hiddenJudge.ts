import type { CharacterConclusion } from '#core/search/characterize/schema.ts';
import type { Requirement } from '../figures/requirement.ts';
import { formatFigure, formatSigned } from '../output/table.ts';
import type { Section } from '../parts/part.ts';
import type { Dice } from './dice.ts';
import type { Hidden } from '../targets/mystery.ts';

const MAX_WORKERS = 40;
const MIN_SERVICE_MS = 80;
const MAX_SERVICE_MS = 400;
const MAX_ASYNCHRONOUS_SERVICE_MS = 300;
/** Increase of the maximum service time with each worker, in ms. Otherwise, 128 users of one slow worker would take minutes for nothing. */
const SERVICE_MS_PER_WORKER = 25;

/** Draws a server. Every other one is asynchronous, and the others are synchronous with 1 to 40 workers. */
export function drawHidden(index: number, dice: Dice): Hidden {
  if (index % 2 === 1) return { workers: null, serviceMs: dice.integer(MIN_SERVICE_MS, MAX_ASYNCHRONOUS_SERVICE_MS) };
  const workers = dice.integer(1, MAX_WORKERS);
  return {
    workers,
    serviceMs: dice.integer(MIN_SERVICE_MS, Math.min(MAX_SERVICE_MS, MIN_SERVICE_MS + SERVICE_MS_PER_WORKER * (workers - 1))),
  };
}

/** What the app found out about a server, and the working time that the server logged. */
export interface UnveiledServer {
  readonly hidden: Hidden;
  /** Actual working time per request in ms, from the server's own log; null if unknown. */
  readonly servedMs: number | null;
  readonly server: CharacterConclusion['server'];
  readonly sentence: string;
  readonly workers: number | null;
  readonly serviceMs: number | null;
  readonly tookSeconds: number;
  readonly stolenShare: number | null;
}

const MAX_WORKERS_DEVIATION = 1;
const MAX_TIME_DEVIATION_PERCENT = 3;

export function isRightType({ hidden, server }: UnveiledServer): boolean {
  return server === (hidden.workers === null ? 'asynchronous' : 'synchronous');
}

/** Returns the difference between the number of workers that was found and the true one; null if there is no number to compare. */
export function workersDeviation({ hidden, workers }: UnveiledServer): number | null {
  return hidden.workers === null || workers === null ? null : workers - hidden.workers;
}

/**
 * Returns how far the time that was found deviates from the time that the server recorded, in percent. The recorded time is used because a
 * timer for 100 ms may take 101.
 */
export function timeDeviationPercent({ servedMs, serviceMs }: UnveiledServer): number | null {
  return servedMs === null || serviceMs === null ? null : 100 * (serviceMs / servedMs - 1);
}

export function hiddenSections(servers: readonly UnveiledServer[]): Section[] {
  return [
    {
      title: 'Hidden servers',
      caption:
        'Mystery servers with a number of workers and a service time that were drawn, looked at by the app with 1, 2, 4 … 128 users. “Served” is the mean of the server’s own log, which the time found is held against.',
      head: ['hidden', 'served ms', 'found', 'type', 'workers', 'off', 'time ms', 'off %', 'took s', 'stolen %'],
      rows: servers.map((one) => [
        `${one.hidden.workers === null ? 'all at once' : `${one.hidden.workers} workers`}, ${one.hidden.serviceMs} ms`,
        formatFigure(one.servedMs, 1),
        one.sentence,
        isRightType(one) ? 'right' : 'WRONG',
        formatFigure(one.workers, 0),
        formatSigned(workersDeviation(one), 0),
        formatFigure(one.serviceMs, 1),
        formatSigned(timeDeviationPercent(one), 1),
        formatFigure(one.tookSeconds, 0),
        formatFigure(one.stolenShare === null ? null : 100 * one.stolenShare, 1),
      ]),
    },
  ];
}

export function hiddenRequirements(servers: readonly UnveiledServer[]): Requirement[] {
  const synchronous = servers.filter(({ hidden }) => hidden.workers !== null);
  const countRight = (of: readonly UnveiledServer[], isRight: (one: UnveiledServer) => boolean): number | null =>
    of.length === 0 ? null : of.filter(isRight).length;
  const isWithin = (value: number | null, most: number): boolean => value !== null && Math.abs(value) <= most;
  const requireAll = (what: string, of: readonly UnveiledServer[], isRight: (one: UnveiledServer) => boolean): Requirement => ({
    what: `${what}, of ${of.length}`,
    value: countRight(of, isRight),
    unit: '',
    limit: { kind: 'atLeast', value: of.length },
    aim: null,
  });
  return [
    requireAll('types of hidden servers found', servers, isRightType),
    requireAll(`numbers of workers within ${MAX_WORKERS_DEVIATION}`, synchronous, (one) =>
      isWithin(workersDeviation(one), MAX_WORKERS_DEVIATION),
    ),
    requireAll(`service times within ${MAX_TIME_DEVIATION_PERCENT} %`, servers, (one) =>
      isWithin(timeDeviationPercent(one), MAX_TIME_DEVIATION_PERCENT),
    ),
  ];
}
