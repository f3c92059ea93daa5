import { behaviourSentences, formatHighTime, chooseFirstResponses } from '#core/judgement/behaviour/sentences.ts';
import { type CacheFigures, cacheSentence, cacheShare, cacheWorth } from '#core/measurement/cache/figures.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatSeconds, UNKNOWN_TEXT, countOf } from '#core/base/units.ts';
import type { Behaviour, Interval, Recovery } from '#core/result/behaviour.ts';
import type { PagesResult } from '#core/result/pages.ts';
import { formatSilentKind } from '#core/result/servers.ts';
import type { RunResult } from '#core/result/schema.ts';
import { rateApdex } from '#core/statistics/latency.ts';
import { placesSentences } from '#core/result/places.ts';
import { waitWords } from '#core/result/waits.ts';
import { formatElapsed } from '../charts/units.ts';
import { dashOr, exceptionalRows } from './figures.ts';
import { type Cell, column, list, numbers, pairs, type Passage, table, text } from './model.ts';
import { timeCell, TITLES } from './words.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Returns the figures of whole pages: of each page, of all together, and of each of several stages. */
export function pageBlocks(result: RunResult): Passage[] {
  const { pages } = result;
  if (pages === null) return [];
  const rows = [
    ...pages.steps.map(({ name, figures }) => ({ name, figures, isPart: true })),
    ...(pages.stages.length > 1 ? pages.stages.map(({ name, figures }) => ({ name: `All, ${name}`, figures, isPart: false })) : []),
    { name: 'All pages', figures: pages.all, isPart: false },
  ];
  const limit = formatMs(pages.all.thresholdMs);
  return [
    ...text(`${formatContent(pages, result)}.`),
    ...table(
      'Whole pages with all linked resources',
      rows,
      [
        column('Page', ({ name, isPart }) => ({ text: name, isPart })),
        numbers('Pages', ({ figures }) => formatCount(figures.complete + figures.incomplete)),
        numbers('Incomplete', ({ figures }) => formatCount(figures.incomplete), { term: 'incompletePage' }),
        numbers('Pages/s', ({ figures }) => dashOr(figures.completePerSecond, formatNumber)),
        numbers('Min', ({ figures }) => timeCell(figures.times.min), { minor: true }),
        numbers('p50', ({ figures }) => timeCell(figures.errorAdjusted.p50), { term: 'p50' }),
        numbers('p95', ({ figures }) => timeCell(figures.errorAdjusted.p95), { term: 'p95' }),
        numbers('Max', ({ figures }) => timeCell(figures.times.max)),
        numbers('Apdex', ({ figures }) => formatApdex(figures.pageApdex.value), { term: 'pageApdex' }),
        numbers('Apdex of requests', ({ figures }) => formatApdex(figures.requestApdex.value), { term: 'requestApdex' }),
      ],
      `Apdex counts pages within ${limit} fully, within four times that half. Incomplete pages count as never complete, also in p50 and p95. The last column counts each request of the pages separately.`,
    ),
    ...text(hostsText('Links to other hosts were not followed', pages.leftOut)),
  ];
}

/** Formats the content, for example “18 pages, 59 style sheets and scripts, 99 images; 381 journeys, 9,701 pages, 100,343 requests”. */
function formatContent({ content, all }: PagesResult, { outcomes }: Pick<RunResult, 'outcomes'>): string {
  const { css, script, image, icon, font } = content.resources;
  const parts = withoutAbsent([
    countOf(content.pages, 'page'),
    css + script > 0 && `${formatCount(css + script)} style sheets and scripts`,
    image + icon > 0 && countOf(image + icon, 'image'),
    font > 0 && countOf(font, 'font'),
  ]);
  const asked = [countOf(outcomes.journeys.started, 'journey'), countOf(all.started, 'page'), countOf(outcomes.requests.sent, 'request')];
  return `${parts.join(', ')}; ${asked.join(', ')}`;
}

/** Formats an Apdex with its rating: “0.92 (Good)”. */
export function formatApdex(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(2)} (${rateApdex(value)})`;
}

/** Returns a sentence such as “Requests by address: ::1 (12), 127.0.0.1 (3).”; empty if there are no counts. */
function hostsText(sentence: string, counts: Readonly<Record<string, number>>): string {
  const named = formatNamedCounts(counts);
  return named === '' ? '' : `${sentence}: ${named}.`;
}

/** Formats counts with their names: “::1 (12), 127.0.0.1 (3)”. */
export function formatNamedCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} (${formatCount(count)})`)
    .join(', ');
}

/** Returns the share, the failures and the silent periods of each of several servers. */
export function serverBlocks({ servers }: Pick<RunResult, 'servers'>): Passage[] {
  return table('Servers, warm-up included', servers, [
    column('Server', ({ name }) => name),
    numbers('Responses', ({ responded }) => formatCount(responded)),
    numbers('Share', ({ share }) => formatPercent(share)),
    numbers('Failed', ({ failed }) => formatCount(failed)),
    numbers('No response', ({ withoutResponse }) => formatCount(withoutResponse)),
    numbers('Mean time', ({ meanMs }) => dashOr(meanMs, formatMs)),
    column('Silent', formatSilentTimes),
  ]);
}

function formatSilentTimes(server: RunResult['servers'][number]): string {
  const { responded, silent } = server;
  if (silent.length === 0) return 'never';
  if (responded === 0) return 'all the time';
  return `${formatSilentKind(server)} from ${silent.map(({ fromSecond, toSecond }) => `${formatElapsed(fromSecond)} to ${formatElapsed(toSecond)}`).join(', ')}`;
}

/** Returns sentences about the share of responses from a cache and the time it saves. */
export function cacheSentences(figures: CacheFigures): Passage[] {
  return text(`${cacheSentence(figures)} ${cacheWorth(figures)}`.trim());
}

/** Returns sentences and a table about responses from a cache. */
export function cacheBlocks({ cache, plan }: Pick<RunResult, 'cache' | 'plan'>): Passage[] {
  if (cache === undefined) return [];
  const { all, counted, steps } = cache;
  // If no response states its origin, a table would contain only zeros.
  if (all.unsaid === all.responded) return cacheSentences(counted);
  const { shown, note } = exceptionalRows(
    plan,
    steps,
    ({ figures }) => figures.responded - figures.fromCache,
    'those with most responses from elsewhere than a cache',
  );
  return [
    ...cacheSentences(counted),
    ...table<{ readonly name: string; readonly figures: CacheFigures }>(
      'Responses from a cache, by request',
      [
        ...(steps.length > 1 ? shown : []),
        { name: 'All', figures: counted },
        ...(all.responded === counted.responded ? [] : [{ name: 'Warm-up included', figures: all }]),
      ],
      [
        column('Request', ({ name }) => name),
        numbers('Responses', ({ figures }) => formatCount(figures.responded)),
        numbers('From a cache', ({ figures }) => formatCount(figures.fromCache)),
        numbers('Share', ({ figures }) => (figures.responded === 0 ? '–' : cacheShare(figures))),
        numbers('From the server', ({ figures }) => formatCount(figures.fromServer)),
        numbers('Not reported', ({ figures }) => formatCount(figures.unsaid)),
        numbers('Mean from a cache', ({ figures }) => dashOr(figures.fromCacheMs, formatMs)),
        numbers('Mean from the server', ({ figures }) => dashOr(figures.fromServerMs, formatMs)),
      ],
      `According to response headers. Compare the counts including warm-up with the log of the cache. ${note}`.trim(),
    ),
  ];
}

/** Returns sentences and figures about the behaviour of the server, derived from response times. */
export function behaviourBlocks({ behaviour }: Pick<RunResult, 'behaviour'>): Passage[] {
  if (behaviour === null) return [];
  const { firstResponses, queues, recoveries } = behaviour;
  return [
    ...list(TITLES.behaviour, behaviourSentences(behaviour)),
    ...table(
      'First responses and later ones',
      chooseFirstResponses(firstResponses),
      [
        column('Step', ({ step }) => step),
        column('First, in order', ({ first }) => joinTimesOfOneUnit(first.map(formatMs))),
        numbers('Median of first', ({ firstMedian }) => formatMs(firstMedian)),
        numbers('Median of later', ({ restMedian }) => formatMs(restMedian)),
        numbers('Slower than p90 of later', ({ isSlowAtFirst, slower }) => (isSlowAtFirst === null ? UNKNOWN_TEXT : formatCount(slower))),
      ],
      'Of the whole run, uncounted stages included. “Later” are all but the first.',
    ),
    ...queueTable(queues),
    ...table('Recovery after high load', recoveries, [
      column('Load', (recovery) => `${recovery.stage} · ${formatHighTime(recovery)}`),
      numbers('Ended at', ({ endedAtSecond }) => formatSeconds(endedAtSecond)),
      numbers('p90 before', ({ beforeMs }) => formatMs(beforeMs)),
      numbers('Worst p90', ({ worstMs }) => formatMs(worstMs)),
      column('Recovered after', formatRecovered),
    ]),
  ];
}

/** Joins times. A common unit is stated once at the end. */
export function joinTimesOfOneUnit(times: readonly string[]): string {
  const units = new Set(times.map((time) => time.slice(time.lastIndexOf(' '))));
  const [unit = ''] = units;
  return units.size > 1 ? times.join(', ') : `${times.map((time) => time.slice(0, time.length - unit.length)).join(', ')}${unit}`;
}

function queueTable(queues: Behaviour['queues']): Passage[] {
  return table('Response time by place in the queue', queues, [
    column('Stage', ({ stage }) => stage),
    numbers('Successful', ({ responses, sent }) => `${formatCount(responses)} of ${formatCount(sent)}`),
    column('Queue', ({ queues: does, reason }) => (does === null ? `${UNKNOWN_TEXT}: ${reason ?? ''}` : does ? 'grows' : 'does not grow')),
    numbers('Growth per place', ({ growthMs }) => intervalCell(growthMs)),
    numbers('Time between responses', ({ intervalMs }) => intervalCell(intervalMs)),
  ]);
}

function intervalCell(interval: Interval | null): Cell {
  return interval === null ? '–' : { text: formatMs(interval.value), about: `${formatMs(interval.low)} to ${formatMs(interval.high)}` };
}

function formatRecovered({ seconds, watchedSeconds, resolutionSeconds, reason }: Recovery): string {
  if (reason !== null) return `${UNKNOWN_TEXT}: ${reason}`;
  if (seconds === null) return `not within ${formatSeconds(watchedSeconds)}`;
  return seconds < resolutionSeconds ? `within ${formatSeconds(resolutionSeconds)}` : formatSeconds(seconds);
}

/** Returns the address and the software of the server, and the connections. */
export function connectionBlocks(result: RunResult): Passage[] {
  const { server } = result;
  return pairs('Server and connections', [
    ['Address', `${server.host}:${server.port}`],
    ['Software, as reported by the server', server.software ?? UNKNOWN_TEXT],
    ...formatOpenedConnections(result),
  ]);
}

/** Returns the numbers of opened connections and of their reuse in counted stages, and the requests of the run by address. */
export function formatOpenedConnections({
  server,
  connectionsOpened,
  requestsOnReusedConnection,
  sessionsResumed,
  requestsResent,
  phases,
  outcomes,
}: RunResult): (readonly [name: string, value: string])[] {
  const addresses = formatNamedCounts(server.addresses);
  // Other figures are of the whole run.
  const scope = connectionsOpened + requestsOnReusedConnection < outcomes.requests.sent ? ' in counted stages' : '';
  return withoutAbsent([
    [`Connections opened${scope}`, formatCount(connectionsOpened)],
    [`Requests on a reused connection${scope}`, formatCount(requestsOnReusedConnection)],
    requestsResent !== 0 && (['Requests sent again', formatCount(requestsResent)] as const),
    sessionsResumed !== 0 &&
      ([
        'TLS handshakes',
        `${formatCount(Math.max(0, (phases.tls?.count ?? connectionsOpened) - sessionsResumed))} full, ${formatCount(sessionsResumed)} resumed`,
      ] as const),
    addresses !== '' && (['Requests by address', addresses] as const),
  ]);
}

/** Returns the figures of awaited results, of each of several servers, and of caches. */
export function specialBlocks(result: RunResult): Passage[] {
  return [
    ...list('Places', result.places === undefined ? [] : placesSentences(result.places)),
    ...list('Waits for results', result.waits.map(waitWords)),
    ...serverBlocks(result),
    ...cacheBlocks(result),
  ];
}
