import type { LevelReading } from '#core/search/breakingPoint/reading.ts';
import type { BreakingPointConclusion } from '#core/search/breakingPoint/schema.ts';
import type { Requirement } from '../figures/requirement.ts';
import { formatFigure, formatSigned } from '../output/table.ts';
import type { Section } from '../parts/part.ts';
import type { Dice } from './dice.ts';

/** A server whose settings determine its limit. */
export type Limited =
  | {
      readonly kind: 'rate';
      readonly workers: number;
      readonly serviceMs: number;
      /** The first level of the search, far below the limit. */
      readonly from: number;
    }
  | {
      readonly kind: 'room';
      /** Number of requests that the server accepts at the same time. Further ones are rejected. */
      readonly room: number;
      readonly serviceMs: number;
      readonly from: number;
    };

const ROOM_SERVICE_MS = 100;
/** Minimum rate of the first level, because a level at a lower rate would take too long to get enough responses. */
const MIN_FIRST_RATE = 20;

/** Draws a server. Of every five, three are limited by workers and two by room. */
export function drawLimited(index: number, dice: Dice): Limited {
  if (index % 5 === 1 || index % 5 === 3) {
    const room = dice.integer(20, 60);
    return { kind: 'room', room, serviceMs: ROOM_SERVICE_MS, from: Math.max(1, Math.round(room * dice.between(0.1, 0.6))) };
  }
  const serviceMs = dice.integer(60, 200);
  const workers = Math.max(4, Math.round((dice.between(60, 160) * serviceMs) / 1_000));
  const limit = (1_000 * workers) / serviceMs;
  return { kind: 'rate', workers, serviceMs, from: Math.max(MIN_FIRST_RATE, Math.round(limit * dice.between(0.15, 0.6))) };
}

/** The limit that the app found, and the working time that the server logged. */
export interface FoundLimit {
  readonly limited: Limited;
  /** Actual working time per request in ms, from the server's own log; null if unknown. */
  readonly servedMs: number | null;
  readonly conclusion: Pick<BreakingPointConclusion, 'sustained' | 'breakingPoint' | 'estimate' | 'sentence' | 'recovery' | 'isKnown'>;
  readonly levels: number;
  /** The readings of every level. They are in the JSON output to explain a wrong limit. */
  readonly readings: readonly LevelReading[];
  readonly tookSeconds: number;
  readonly stolenShare: number | null;
}

const MAX_DEVIATION_PERCENT = 5;
const MAX_LEVELS = 12;
const MAX_RECOVERY_DEVIATION_PERCENT = 10;

/**
 * Returns the true limit: the number of workers divided by the actual working time, or the room. Returns null if the log contains no times.
 */
export function trueLimitOf({ limited, servedMs }: FoundLimit): number | null {
  if (limited.kind === 'room') return limited.room;
  return servedMs === null ? null : (1_000 * limited.workers) / servedMs;
}

/**
 * Returns the limit that the app found. For a rate, it is the middle between the sustained and the failed level. For connections, which are
 * whole numbers, it is the highest sustained level.
 */
export function foundLimitOf({ limited, conclusion }: FoundLimit): number | null {
  if (!conclusion.isKnown) return null;
  return limited.kind === 'room' ? conclusion.sustained : conclusion.estimate;
}

export function limitDeviationPercent(foundLimit: FoundLimit): number | null {
  return deviationPercent(foundLimitOf(foundLimit), trueLimitOf(foundLimit));
}

/**
 * Returns the true recovery time. T seconds of overload with rate λ on a capacity μ leave a backlog of (λ − μ) T. At the lower rate κ, the
 * backlog is gone after (λ − μ) T / (μ − κ). Returns null if the server has no queue.
 */
export function trueRecoverySecondsOf(foundLimit: FoundLimit): number | null {
  const limit = trueLimitOf(foundLimit);
  const { recovery } = foundLimit.conclusion;
  if (limit === null || recovery === null || foundLimit.limited.kind === 'room') return null;
  const { overloadLevel, calmLevel, overloadSeconds } = recovery;
  return ((overloadLevel - limit) * overloadSeconds) / (limit - calmLevel);
}

export function recoveryDeviationPercent(foundLimit: FoundLimit): number | null {
  return deviationPercent(foundLimit.conclusion.recovery?.seconds ?? null, trueRecoverySecondsOf(foundLimit));
}

export function breakingPointSections(servers: readonly FoundLimit[]): Section[] {
  return [
    {
      title: 'Breaking points',
      caption:
        'Servers whose limit is known: workers ÷ service time (as the server itself wrote it down) a second, or how many it lets in at a time. Recovery: after 8 s of half more than the limit, at half of it; the true one is that of the backlog.',
      head: ['server', 'true limit', 'found', 'off %', 'levels', 'true recovery s', 'found', 'off %', 'says', 'took s', 'stolen %'],
      rows: servers.map((one) => [
        describeLimit(one.limited),
        formatFigure(trueLimitOf(one), 1),
        formatFigure(foundLimitOf(one), 1),
        formatSigned(limitDeviationPercent(one), 1),
        String(one.levels),
        formatFigure(trueRecoverySecondsOf(one), 1),
        formatFigure(one.conclusion.recovery?.seconds ?? null, 1),
        formatSigned(recoveryDeviationPercent(one), 1),
        one.conclusion.recovery?.reason == null ? one.conclusion.sentence : `${one.conclusion.sentence} ${one.conclusion.recovery.reason}`,
        formatFigure(one.tookSeconds, 0),
        formatFigure(one.stolenShare === null ? null : 100 * one.stolenShare, 1),
      ]),
    },
  ];
}

export function breakingPointRequirements(servers: readonly FoundLimit[]): Requirement[] {
  const rates = servers.filter(({ limited }) => limited.kind === 'rate');
  // A search that measured no limit counts as one that did not find the limit.
  const requireWithin = (what: string, of: readonly FoundLimit[], off: (one: FoundLimit) => number | null, most: number): Requirement => ({
    what: `${what} within ${most} %, of ${of.length}`,
    value: of.length === 0 ? null : of.filter((one) => Math.abs(off(one) ?? Infinity) <= most).length,
    unit: '',
    limit: { kind: 'atLeast', value: of.length },
    aim: null,
  });
  return [
    requireWithin('breaking points', servers, limitDeviationPercent, MAX_DEVIATION_PERCENT),
    {
      what: `most levels, of ${servers.length}`,
      value: servers.length === 0 ? null : Math.max(...servers.map(({ levels }) => levels)),
      unit: '',
      limit: { kind: 'atMost', value: MAX_LEVELS },
      aim: null,
    },
    requireWithin('times of recovery', rates, recoveryDeviationPercent, MAX_RECOVERY_DEVIATION_PERCENT),
  ];
}

function deviationPercent(value: number | null, truth: number | null): number | null {
  return value === null || truth === null ? null : 100 * (value / truth - 1);
}

/** Returns a description such as “12 workers of 100 ms” or “room for 30”. */
export function describeLimit(limited: Limited): string {
  return limited.kind === 'room' ? `room for ${limited.room}` : `${limited.workers} workers of ${limited.serviceMs} ms`;
}
