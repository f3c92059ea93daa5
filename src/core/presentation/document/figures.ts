import { behaviourSentences } from '#core/judgement/behaviour/words.ts';
import { errorWords } from '#core/work/bodyCheck/words.ts';
import { type CacheFigures, cacheSentence, cacheShare, cacheWorth } from '#core/measurement/cache/figures.ts';
import { failedRequests, type Outcome, SENT_OUTCOMES } from '#core/measurement/ledger.ts';
import { levelWords } from '#core/judgement/verdict/words.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, formatRate, NOT_KNOWN } from '#core/base/units.ts';
import type { PageFigures } from '#core/result/pages.ts';
import { silentWords } from '#core/result/silentWords.ts';
import type { RunResult } from '#core/result/schema.ts';
import { type LatencySummary, TABLE_TIMES } from '#core/statistics/latencySummary.ts';
import { waitWords } from '#core/result/waits.ts';
import { errorsOfRun, occurring, statusOfRun } from '#core/result/countsOfRun.ts';
import { formatElapsed } from '../charts/units.ts';
import { OUTCOME_WORDS } from '../text/textFormat.ts';
import { apdexWords, contentWords } from '../text/textPages.ts';
import { plansStarts } from '../text/textTimes.ts';
import { type Block, list, pairs, table, text } from './model.ts';
import { timeCell } from './words.ts';

type Slice = RunResult['steps'][number];

/** What became of every request: the ledger, which adds up, with status codes and errors beside it. */
export function ledgerBlocks(result: RunResult): Block[] {
  const { requests, journeys } = result.ledger;
  const share = (count: number): string => (requests.sent === 0 ? '–' : formatPercent(count / requests.sent));
  const outcomes = SENT_OUTCOMES.filter((outcome: Outcome) => requests[outcome] > 0 || outcome === 'ok').map((outcome) => [
    OUTCOME_WORDS[outcome],
    formatCount(requests[outcome]),
    share(requests[outcome]),
  ]);
  const unanswered = requests.inFlight > 0 ? [['never answered', formatCount(requests.inFlight), share(requests.inFlight)]] : [];
  const notMade = requests.notMade > 0 ? [[OUTCOME_WORDS.notMade, formatCount(requests.notMade), '']] : [];
  const statuses = Object.entries(statusOfRun(result)).map(([code, count]) => [`status ${code}`, formatCount(count), share(count)]);
  const errors = Object.entries(errorsOfRun(result)).map(([name, count]) => [errorWords(name), formatCount(count), share(count)]);
  return [
    ...table(
      'Every request accounted for',
      ['What became of it', '#Requests', '#Share'],
      [['sent, warm-up included', formatCount(requests.sent), ''], ...outcomes, ...unanswered, ...notMade],
      result.balances ? 'The figures add up to what was sent.' : 'These figures do NOT add up, which is a fault of Holdfast.',
    ),
    ...table('Status codes and errors', ['Answer or error', '#Requests', '#Share'], [...statuses, ...errors]),
    ...pairs('Journeys', [
      ['planned', journeys.planned === null ? 'not planned: the test runs by time' : formatCount(journeys.planned)],
      ['started', formatCount(journeys.started)],
      ['finished', formatCount(journeys.finished)],
      ...optional('given up after a failure', journeys.abandoned),
      ...optional('still going at the end', journeys.running),
      ...optional('not started, for the server owed too many answers', journeys.notStarted.target),
      ...optional('not started, for the generator could not', journeys.notStarted.generator),
      ...optional('not started, for the test was stopped', journeys.notStarted.stopped),
    ]),
  ];
}

function optional(name: string, count: number): (readonly [string, string])[] {
  return count === 0 ? [] : [[name, formatCount(count)]];
}

/** Of {@link TABLE_TIMES}. */
const TIME_COLUMNS = ['#Fastest', '#Mean', '#Half', '#9 of 10', '#19 of 20', '#99 of 100', '#999 of 1,000', '#Slowest'];

/** How long it took, by what is counted from where to where. */
export function timeBlocks(result: RunResult): Block[] {
  const { latency, phases, rates, bytes } = result;
  const rows: (readonly [string, LatencySummary | null])[] = [
    ...(plansStarts(result) ? [['response time', latency.response] as const] : []),
    ['service time', latency.service],
    ...Object.entries(result.latencyByStatusClass).map(([name, summary]) => [`of status ${name}`, summary] as const),
    ['failures as never', latency.errorAdjusted],
    ['connecting', phases.connect],
    ['encrypting (TLS)', phases.tls],
    ['to the first byte', phases.firstByte],
    ['first byte to last', phases.transfer],
    ['sent late by', phases.scheduleLag],
  ];
  return [
    ...text(
      `Answered: ${formatRate(rates.completedPerSecond, 'requests')}, ${formatBytes(rates.bytesPerSecond)}/s; ${formatBytes(bytes.received)} received in all.`,
    ),
    ...table(
      'How long it took',
      ['Time', ...TIME_COLUMNS],
      rows.flatMap(([name, summary]) =>
        summary === null || summary.count === 0 ? [] : [[name, ...TABLE_TIMES.map((key) => timeCell(summary[key]))]],
      ),
      'Of the stages that count. “never” stands where that share of requests got no good answer. What is missing could not be seen.',
    ),
  ];
}

/** Figures of each stage, and of each step in it where there are several. */
export function stageBlocks(result: RunResult): Block[] {
  const rows = result.stages.flatMap((stage) => [
    figuresRow(`${stage.name}${stage.counted ? '' : ' (not counted)'}: ${levelWords(stage.level)}`, stage),
    ...(stage.steps.length > 1 ? occurring(result, stage.steps).map((step) => figuresRow(`· ${step.name}`, step)) : []),
  ]);
  const due = result.stages.filter(({ journeys }) => journeys.planned !== null && journeys.planned > 0);
  return [
    ...table(
      'Stages and steps',
      ['Stage · step', '#Sent', '#Failed', '#Answers/s', '#Half', '#19 of 20', '#99 of 100', '#Slowest'],
      rows,
      'Times are response times. Stages are judged each by itself, never pooled.',
    ),
    ...(result.plan.load.model === 'arrivals'
      ? table(
          'Arrivals planned and begun',
          ['Stage', '#Planned', '#Planned/s', '#Begun', '#Begun/s', '#Share', '#Owed', '#Generator'],
          due.map(({ name, journeys }) => [
            name,
            formatCount(journeys.planned),
            formatNumber(journeys.plannedPerSecond),
            formatCount(journeys.started),
            formatNumber(journeys.startedPerSecond),
            formatPercent(journeys.offeredShare),
            formatCount(journeys.notStartedTarget),
            formatCount(journeys.notStartedGenerator),
          ]),
          'Not begun: because the server owed too many answers (owed), or because the generator could not keep up (generator).',
        )
      : []),
    ...table(
      'Time budgets of the steps',
      ['Step', '#Budget', '#Within it', '#Asked for'],
      result.steps.flatMap(({ name, budget }) =>
        budget === undefined ? [] : [[name, formatMs(budget.limitMs), formatPercent(budget.share), formatCount(budget.of)]],
      ),
    ),
  ];
}

function figuresRow(name: string, { requests, latency: { response }, rates }: Omit<Slice, 'name'>): string[] {
  return [
    name,
    formatCount(requests.sent),
    formatCount(failedRequests(requests)),
    rates.completedPerSecond === null ? '–' : formatNumber(rates.completedPerSecond),
    ...[response.p50, response.p95, response.p99, response.max].map(timeCell),
  ];
}

/** Whole pages, results that were waited for, what each of several servers did, and what a cache did. */
export function specialBlocks(result: RunResult): Block[] {
  return [
    ...pageBlocks(result),
    ...list('Results that were waited for', result.waits.map(waitWords)),
    ...serverBlocks(result),
    ...cacheBlocks(result),
  ];
}

function pageBlocks(result: RunResult): Block[] {
  const { pages } = result;
  if (pages === null) return [];
  const rows: (readonly [string, PageFigures])[] = [
    ...pages.steps.map(({ name, figures }) => [name, figures] as const),
    ...(pages.stages.length > 1 ? pages.stages.map(({ name, figures }) => [`all, ${name}`, figures] as const) : []),
    ['all', pages.all],
  ];
  const left = Object.entries(pages.leftOut).map(([host, count]) => `${host} (${formatCount(count)})`);
  return [
    ...table(
      'Whole pages',
      ['Page', '#Pages', '#Incomplete', '#Pages/s', '#Half', '#19 of 20', '#Slowest', '#Apdex', '#Apdex of requests'],
      rows.map(([name, { complete, incomplete, completePerSecond, errorAdjusted, pageApdex, requestApdex }]) => [
        name,
        formatCount(complete + incomplete),
        formatCount(incomplete),
        completePerSecond === null ? '–' : formatNumber(completePerSecond),
        ...[errorAdjusted.p50, errorAdjusted.p95, errorAdjusted.max].map(timeCell),
        apdexWords(pageApdex.value),
        apdexWords(requestApdex.value),
      ]),
      `A page is there when the last thing is there that it links to; incomplete ones count as never there. Apdex for ${formatMs(pages.all.thresholdMs)}. In all: ${contentWords(pages, result)}.`,
    ),
    ...text(left.length === 0 ? '' : `Links to other hosts were not followed: ${left.join(', ')}.`),
  ];
}

function serverBlocks({ servers }: RunResult): Block[] {
  return table(
    'What each of several servers did, warm-up included',
    ['Server', '#Answers', '#Share', '#Failed', '#Without an answer', '#Mean time', 'Silent'],
    servers.map(({ name, answered, share, failed, unanswered, meanMs, silent }) => [
      name,
      formatCount(answered),
      formatPercent(share),
      formatCount(failed),
      formatCount(unanswered),
      meanMs === null ? '–' : formatMs(meanMs),
      silent.length === 0
        ? 'never'
        : `${silentWords({ silent })} from ${silent.map(({ fromSecond, toSecond }) => `${formatElapsed(fromSecond)} to ${formatElapsed(toSecond)}`).join(', ')}`,
    ]),
  );
}

function cacheBlocks({ cache }: RunResult): Block[] {
  if (cache === undefined) return [];
  const { all, counted, steps } = cache;
  const mean = (ms: number | null): string => (ms === null ? '–' : formatMs(ms));
  const row = (name: string, figures: CacheFigures): string[] => [
    name,
    formatCount(figures.answered),
    formatCount(figures.fromCache),
    figures.answered === 0 ? '–' : cacheShare(figures),
    formatCount(figures.fromServer),
    formatCount(figures.unsaid),
    mean(figures.fromCacheMs),
    mean(figures.fromServerMs),
  ];
  return [
    ...text(`${cacheSentence(counted)} ${cacheWorth(counted)}`.trim()),
    ...table(
      'Answers from a cache',
      ['Request', '#Answers', '#From a cache', '#Share', '#From the server', '#Did not say', '#Mean from a cache', '#Mean from the server'],
      [
        ...(steps.length > 1 ? steps.map(({ name, figures }) => row(name, figures)) : []),
        row('all', counted),
        ...(all.answered === counted.answered ? [] : [row('warm-up included', all)]),
      ],
      'By what the headers of the answers say.',
    ),
  ];
}

/** What times give away about how the server works, and where connections went. */
export function behaviourBlocks({ behaviour, server, connectionsOpened, requestsOnReusedConnection }: RunResult): Block[] {
  const addresses = Object.entries(server.addresses).map(([address, count]) => `${address} (${formatCount(count)})`);
  return [
    ...list('How the server behaves', behaviour === null ? [] : behaviourSentences(behaviour)),
    ...pairs('The server and its connections', [
      ['address', `${server.host}:${server.port}`],
      ['software, as it says itself', server.software ?? NOT_KNOWN],
      ['connections opened', formatCount(connectionsOpened)],
      ['requests on a connection used before', formatCount(requestsOnReusedConnection)],
      ...(addresses.length === 0 ? [] : [['connections opened to', addresses.join(', ')] as const]),
    ]),
  ];
}
