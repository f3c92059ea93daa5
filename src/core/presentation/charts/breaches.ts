import type { Criterion } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { Limit, Span, StageBand } from './types.ts';

/** Tolerance for points whose ends are sums of fractions. */
const TOUCHING_SECONDS = 1e-6;

/**
 * Returns the counted seconds that violate a criterion, merged where they touch. Returns null if the points do not contain the criterion's
 * value, for example for a single step. The points cover all responses together; a single violating second does not fail a run.
 */
export function findBreaches(
  criterion: Criterion,
  points: readonly Point[],
  stages: readonly StageBand[],
): NonNullable<Limit['breaches']> | null {
  const judged = findJudgedFigure(criterion);
  if (judged === null) return null;
  const counted = stages.filter((stage) => stage.counted && (criterion.stage === undefined || stage.name === criterion.stage));
  const isCounted = ({ second, width }: Span): boolean => counted.some(({ from, to }) => second >= from && second + width <= to);
  const violatingPoints = points.filter((point) => isCounted(point) && judged.isBeyond(point));
  return { side: judged.side, spans: joinSpans(violatingPoints) };
}

interface BreachTest {
  readonly side: 'above' | 'below';
  isBeyond(point: Point): boolean;
}

function findJudgedFigure(criterion: Criterion): BreachTest | null {
  if (criterion.step !== undefined) return null;
  switch (criterion.kind) {
    case 'responseTime': {
      const { percentile, maxMs, of } = criterion;
      return of !== undefined ? null : { side: 'above', isBeyond: (point) => (timeAt(point, percentile) ?? 0) > maxMs };
    }
    case 'throughput':
      return { side: 'below', isBeyond: ({ ok, width }) => ok / width < criterion.minPerSecond };
    case 'errors':
    case 'apdex':
      return null;
    default:
      return criterion satisfies never;
  }
}

/** Returns the time at a percentile, or at the next lower one, which is a lower bound. */
function timeAt({ p50, p90, p95, p99 }: Point, percentile: number): number | null {
  const known = [
    [99, p99],
    [95, p95],
    [90, p90],
    [50, p50],
  ] as const;
  return known.find(([held, time]) => held <= percentile && time !== undefined)?.[1] ?? null;
}

/** Merges touching spans. */
function joinSpans(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { second, width } of spans) {
    const last = found.at(-1);
    if (last !== undefined && second - last.second - last.width <= TOUCHING_SECONDS)
      found[found.length - 1] = { second: last.second, width: second + width - last.second };
    else found.push({ second, width });
  }
  return found;
}
