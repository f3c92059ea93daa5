import { countResponses, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { behaviourSentences } from '#core/judgement/behaviour/sentences.ts';
import { waitWords } from '#core/result/waits.ts';
import { getOverload } from '#core/result/overload.ts';
import { type RunResult, whyCut } from '#core/result/schema.ts';
import { listBudgets } from './smallest.ts';
import type { CellFigures } from './result.ts';

export function computeFigures(result: RunResult): CellFigures {
  const { due, sent, ok, responded } = getCounts(result);
  const { completedPerSecond } = result.rates;
  const { response, errorAdjusted } = result.latency;
  return {
    sent,
    ok,
    failedShare: due === 0 ? null : (due - ok) / due,
    completedPerSecond,
    okPerSecond: completedPerSecond === null ? null : responded === 0 ? 0 : (completedPerSecond * ok) / responded,
    pagesPerSecond: result.pages?.all.completePerSecond ?? null,
    servers: result.servers.length === 0 ? null : result.servers.filter((server) => server.responded > 0).length,
    fromCache: getCacheShare(result),
    p50: response.p50,
    p95: response.p95,
    p99: response.p99,
    errorAdjustedP95: errorAdjusted.p95,
    outcome: result.verdict.outcome,
    budgets: listBudgets(result),
    behaviour: [...result.waits.map(waitWords), ...(result.behaviour === null ? [] : behaviourSentences(result.behaviour))],
    overloadedSeconds: getOverload(result).seconds,
  };
}

function getCacheShare({ cache }: RunResult): number | null {
  if (cache === undefined) return null;
  const { responded, fromCache, unsaid } = cache.counted;
  return unsaid === responded ? null : fromCache / responded;
}

/** Sums the requests of the counted stages, or of all stages if no counted one was reached. */
function getCounts({ stages }: RunResult): { due: number; sent: number; ok: number; responded: number } {
  const counted = stages.filter((stage) => stage.counted);
  const shown = counted.some(({ requests }) => requests.sent > 0) ? counted : stages;
  const sums = { due: 0, sent: 0, ok: 0, responded: 0 };
  for (const { requests, journeys } of shown) {
    // Arrivals that the target kept from starting failed, too.
    sums.due += wantedRequests(requests) + journeys.notStartedTarget;
    sums.sent += requests.sent;
    sums.ok += requests.ok;
    sums.responded += countResponses(requests);
  }
  return sums;
}

/** Outcome of an ended run of a cell. */
export type CellOutcome = { readonly state: 'value' | 'refused' | 'aborted'; readonly reason: string | null };

/** `refused`: no response and refused connections. `aborted`: the run ended early, with partial figures. */
export function decideOutcome(result: RunResult): CellOutcome {
  const { requests } = result.outcomes;
  const responded = countResponses(requests);
  if (responded === 0 && requests.refused > 0) return { state: 'refused', reason: 'The target refused every connection.' };
  const reason = whyCut(result.run);
  return { state: reason === null ? 'value' : 'aborted', reason };
}
