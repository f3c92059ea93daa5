import { formatCount, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import { failedRequests, wantedRequests } from '#core/measurement/ledger.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Tile } from './model.ts';
import { loadText, many, percentileText, plansStarts } from './words.ts';

/**
 * The four numbers that head a result. Where whole pages were fetched, they are about pages, which is what users wait for; a p95 of requests would mix pages with
 * their images. The figures of requests stand below each.
 */
export function headFigures(result: RunResult): Tile[] {
  const { model } = result.plan.load;
  const { pages, durationSeconds } = result;
  return [
    {
      name: 'Load',
      value: loadText(result),
      note: `${model === 'arrivals' ? 'started' : 'concurrent'}, for ${formatSeconds(durationSeconds)}`,
    },
    ...(pages === null ? requestFigures(result) : pageFigures(pages.all, result)),
  ];
}

function requestFigures(result: RunResult): Tile[] {
  const { ledger, rates, latency } = result;
  const { requests } = ledger;
  const failed = failedRequests(requests);
  const kind = plansStarts(result) ? 'p95 from the scheduled start' : 'p95 from the actual start';
  return [
    { name: 'Throughput', value: formatRate(rates.completedPerSecond), note: `${formatCount(requests.sent)} requests sent` },
    { name: '95 % within', value: percentileText(latency.response.p95, 95), note: kind },
    {
      name: 'Failed',
      value: formatCount(failed),
      note:
        requests.sent === 0
          ? 'no requests sent'
          : failed === 0
            ? '0 % of requests'
            : `${formatShare(failed / wantedRequests(requests))} of requests`,
    },
  ];
}

function pageFigures({ completePerSecond, errorAdjusted, complete, incomplete }: PageFigures, result: RunResult): Tile[] {
  const { ledger, rates, latency } = result;
  const failed = failedRequests(ledger.requests);
  return [
    {
      name: 'Whole pages',
      value: formatRate(completePerSecond),
      note: `${formatRate(rates.completedPerSecond, 'responses')}, ${many(ledger.requests.sent, 'request')} sent`,
    },
    {
      name: 'Whole pages, p95',
      value: percentileText(errorAdjusted.p95, 95),
      note: `requests: ${percentileText(latency.response.p95, 95)}`,
    },
    {
      name: 'Incomplete pages',
      value: formatCount(incomplete),
      note: `of ${formatCount(complete + incomplete)}; ${failed === 0 ? 'no request failed' : `${many(failed, 'request')} failed`}`,
    },
  ];
}
