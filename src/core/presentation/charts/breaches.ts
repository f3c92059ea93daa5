import type { Objective } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { Limit, Span, StageBand } from './types.ts';

/** Points whose ends are sums of fractions touch all the same. */
const TOUCHING_SECONDS = 1e-6;

/**
 * The counted seconds in which what a criterion judges was beyond it, joined where they touch; null where points do not say it, as of a single step. What they say is of all responses
 * together: one second beyond the criterion fails no run by itself.
 */
export function breachesOf(
  objective: Objective,
  points: readonly Point[],
  stages: readonly StageBand[],
): NonNullable<Limit['breaches']> | null {
  const judged = judgedBy(objective);
  if (judged === null) return null;
  const counted = stages.filter((stage) => stage.counted && (objective.stage === undefined || stage.name === objective.stage));
  const isCounted = ({ second, width }: Span): boolean => counted.some(({ from, to }) => second >= from && second + width <= to);
  const beyond = points.filter((point) => isCounted(point) && judged.isBeyond(point));
  return { side: judged.side, spans: joinedSpans(beyond) };
}

interface Judged {
  readonly side: 'above' | 'below';
  isBeyond(point: Point): boolean;
}

function judgedBy(objective: Objective): Judged | null {
  if (objective.step !== undefined) return null;
  switch (objective.kind) {
    case 'responseTime': {
      const { percentile, limitMs, of } = objective;
      return of !== undefined ? null : { side: 'above', isBeyond: (point) => (timeAt(point, percentile) ?? 0) > limitMs };
    }
    case 'throughput':
      return { side: 'below', isBeyond: ({ ok, width }) => ok / width < objective.minPerSecond };
    case 'errors':
    case 'apdex':
      return null;
    default:
      return objective satisfies never;
  }
}

/** The time at a percentile, or at the next lower one that a point holds: what is beyond a criterion by that is beyond it for certain. */
function timeAt({ p50, p90, p95, p99 }: Point, percentile: number): number | null {
  const known = [
    [99, p99],
    [95, p95],
    [90, p90],
    [50, p50],
  ] as const;
  return known.find(([held, time]) => held <= percentile && time !== undefined)?.[1] ?? null;
}

/** Spans that touch become one. */
function joinedSpans(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { second, width } of spans) {
    const last = found.at(-1);
    if (last !== undefined && second - last.second - last.width <= TOUCHING_SECONDS)
      found[found.length - 1] = { second: last.second, width: second + width - last.second };
    else found.push({ second, width });
  }
  return found;
}
