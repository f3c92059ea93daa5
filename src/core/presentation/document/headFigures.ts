import { formatCount, formatMs, formatRate, formatSeconds, formatShare, UNKNOWN_TEXT, countOf } from '#core/base/units.ts';
import { listensToStreams } from '#core/judgement/verdict/streams.ts';
import { cutCount } from '#core/measurement/streamCell.ts';
import { countDue, countFailedRequests, sumFailures } from '#core/measurement/requestOutcomes.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { StreamsResult } from '#core/result/streams.ts';
import { chartNames } from '../charts/names.ts';
import { headTilesOfBell } from './bells.ts';
import type { Tile } from './model.ts';
import { peopleTiles } from './people.ts';
import { loadText, percentileText, timeCell } from './words.ts';

const MAX_FIGURES = 4;

/**
 * Returns the four main figures of a result. If the test fetched whole pages, they are about pages, because a p95 of requests would mix
 * pages with their images. If users listen to streams, they are about events. If the plan is about people, they are about people. The
 * figures of requests are in the notes.
 */
export function headFigures(result: RunResult): Tile[] {
  const people = peopleTiles(result);
  if (people.length > 0) {
    const ofBell = headTilesOfBell(result).slice(0, MAX_FIGURES - 1 - people.length);
    return [...people, ...ofBell, ...requestFigures(result).slice(-1)];
  }
  const { model } = result.plan.load;
  const { durationSeconds } = result;
  return [
    {
      name: 'Load',
      value: loadText(result),
      // The duration includes the warm-up and the wait for the last responses, so it is longer than the stage.
      note: `${model === 'arrivals' ? 'started' : 'concurrent'}; the run took ${formatSeconds(durationSeconds)}`,
    },
    ...searchFigures(result),
  ];
}

function searchFigures(result: RunResult): Tile[] {
  const { pages, streams, plan } = result;
  if (streams !== null && listensToStreams(plan)) return streamFigures(streams, result);
  return pages === null ? requestFigures(result) : pageFigures(pages.all, result);
}

/** Returns the figures of event streams. The delay is the longest p95 of all streams. */
function streamFigures({ steps, outcomes }: StreamsResult, result: RunResult): Tile[] {
  const events = steps.reduce((sum, { figures }) => sum + figures.events, 0);
  const perSecond = steps.reduce((sum, { figures }) => sum + (figures.eventsPerSecond ?? 0), 0);
  const missed = steps.reduce((sum, { figures }) => sum + figures.missed, 0);
  const delays = steps.flatMap(({ figures }) => (typeof figures.delays?.p95 === 'number' ? [figures.delays.p95] : []));
  const failed = countFailedRequests(result.outcomes.requests);
  const cut = cutCount(outcomes);
  const numbered = steps.every(({ isNumbered }) => isNumbered);
  return [
    {
      name: 'Events',
      value: formatRate(perSecond),
      note: `${formatCount(events)} received${numbered ? `, ${formatCount(missed)} missed` : ''}`,
    },
    {
      name: 'Event delay, p95',
      value: delays.length === 0 ? UNKNOWN_TEXT : formatMs(Math.max(...delays)),
      note: delays.length === 0 ? 'events have no timestamp' : chartNames.eventDelay,
    },
    {
      name: 'Streams cut',
      value: formatCount(cut),
      note: `of ${formatCount(outcomes.opened)}; ${failed === 0 ? 'no request failed' : `${countOf(failed, 'request')} failed`}`,
    },
  ];
}

function requestFigures(result: RunResult): Tile[] {
  const { outcomes, rates } = result;
  const { requests, journeys } = outcomes;
  const failed = sumFailures(outcomes);
  const what = journeys.notStarted.target > 0 ? 'starts' : 'requests';
  const stages = result.stages.filter(({ counted }) => counted).length;
  const sent = `${stages > 1 ? `mean of ${stages} stages; ` : ''}${formatCount(requests.sent)} requests sent`;
  const isAllFailed = requests.ok === 0 && requests.sent > 0;
  return [
    isAllFailed
      ? { name: 'Successful throughput', value: formatRate(0), note: `${formatRate(rates.completedPerSecond, 'responses')}, ${sent}` }
      : { name: 'Throughput', value: formatRate(rates.completedPerSecond), note: sent },
    percentileFigure(result),
    {
      name: 'Failed',
      value: formatCount(failed),
      note:
        requests.sent === 0
          ? 'no requests sent'
          : failed === 0
            ? '0 % of requests'
            : `${formatShare(failed / countDue(outcomes))} of ${what}`,
    },
  ];
}

/**
 * Returns the time within which 95 % of all requests were complete. Failed requests count as never complete, because quick errors must not
 * improve the figure.
 */
function percentileFigure(result: RunResult): Tile {
  const { response, errorAdjusted } = result.latency;
  const { p95 } = errorAdjusted;
  const note = p95 === 'never' ? p95Text(result) : p95 === response.p95 ? 'p95 response time' : 'p95 response time, failures as timeouts';
  return { name: '95 % within', value: timeCell(p95), note: `${note}${lagText(result)}` };
}

/** Minimum ratio of the schedule lag to the response time, as p95 each, at which the lag is shown beside the response time. */
const MIN_LAG_RATIO = 0.1;

/** Returns the schedule lag of the load generator if it is a considerable part of the response time. */
function lagText({ latency, phases }: RunResult): string {
  const lag = phases.scheduleLag?.p95;
  const { p95 } = latency.response;
  if (typeof lag !== 'number' || typeof p95 !== 'number' || lag < MIN_LAG_RATIO * p95) return '';
  return `; schedule lag p95: ${formatMs(lag)}`;
}

function p95Text({ latency, outcomes }: RunResult): string {
  return percentileText(latency.errorAdjusted.p95, 95, outcomes.journeys.notStarted.target > 0 ? 'starts' : 'requests');
}

function pageFigures({ completePerSecond, errorAdjusted, complete, incomplete }: PageFigures, result: RunResult): Tile[] {
  const { outcomes, rates } = result;
  const failed = countFailedRequests(outcomes.requests);
  return [
    {
      name: 'Whole pages',
      value: formatRate(completePerSecond),
      note: `${formatRate(rates.completedPerSecond, 'responses')}, ${countOf(outcomes.requests.sent, 'request')} sent`,
    },
    {
      name: 'Whole pages, p95',
      value:
        errorAdjusted.p95 === 'never' ? `none (${formatShare(incomplete / (complete + incomplete))} failed)` : timeCell(errorAdjusted.p95),
      note: `requests: ${p95Text(result)}`,
    },
    {
      name: 'Incomplete pages',
      value: formatCount(incomplete),
      note: `of ${formatCount(complete + incomplete)}; ${failed === 0 ? 'no request failed' : `${countOf(failed, 'request')} failed`}`,
    },
  ];
}
