import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds, type TimeMs } from '#core/base/units.ts';
import { lateMakers } from '#core/result/loadMakers.ts';
import type { RunResult } from '#core/result/schema.ts';
import { silentWords } from '#core/result/silentWords.ts';
import { errorWords } from '#core/work/bodyCheck/words.ts';
import { cacheSentence, cacheWorth } from '#core/measurement/cache/figures.ts';
import { failedRequests, type Outcome, SENT_OUTCOMES } from '#core/measurement/ledger.ts';
import { behaviourSentences } from '#core/judgement/behaviour/words.ts';
import { capacityOfRun } from '#core/judgement/capacity/capacity.ts';
import { processorAccounts } from '#core/machines/monitors/processorAccounts.ts';
import { loadedSpans } from '#core/result/loadedTimes.ts';
import { lineWords } from '#core/result/placeWords.ts';
import { errorsOfRun, occurring, statusOfRun } from '#core/result/countsOfRun.ts';
import { evidenceLines, FINDING_WORDS } from '../document/words.ts';
import { textTable } from './textTable.ts';
import { capacityLinesOf, textTimes } from './textTimes.ts';
import { monitorsText, processorAccountsText } from './textMonitors.ts';
import { textPages } from './textPages.ts';

const COLUMNS = ['planned', 'a second', 'began', 'a second', 'share', 'owed', 'generator'] as const;
const WIDTH = 11;

/** What an open model had planned, and what of it began: a line for each stage in which anything was due. */
function textOffered({ plan, stages, generators }: Pick<RunResult, 'plan' | 'stages' | 'generators'>): string[] {
  if (plan.load.model !== 'arrivals') return [];
  const due = stages.filter(({ journeys }) => journeys.planned !== null && journeys.planned > 0);
  const nameWidth = Math.min(30, Math.max(5, ...due.map(({ name }) => name.length)) + 2);
  const rows = due.map(({ name, journeys }) =>
    [
      formatCount(journeys.planned),
      formatNumber(journeys.plannedPerSecond),
      formatCount(journeys.started),
      formatNumber(journeys.startedPerSecond),
      formatPercent(journeys.offeredShare),
      formatCount(journeys.notStartedTarget),
      formatCount(journeys.notStartedGenerator),
    ].reduce((row, cell, index) => row + cell.padStart(widthOf(index)), `  ${name.slice(0, nameWidth - 2).padEnd(nameWidth)}`),
  );
  const leftOut = due.some(({ journeys }) => journeys.notStartedTarget + journeys.notStartedGenerator > 0);
  return [
    'Arrivals planned and begun',
    COLUMNS.reduce((row, name, index) => row + name.padStart(widthOf(index)), `  ${'stage'.padEnd(nameWidth)}`),
    ...rows,
    ...(leftOut
      ? [
          `  Not begun: because the server owed too many answers (owed), or because ${lateMakers(generators)} could not keep up (generator).`,
        ]
      : []),
  ];
}

function widthOf(column: number): number {
  return Math.max(WIDTH, (COLUMNS[column]?.length ?? 0) + 2);
}

/** What each of several servers did, for a terminal; nothing where one does all the work. */
function textServers({ servers }: Pick<RunResult, 'servers'>, width?: number): string[] {
  if (servers.length === 0) return [];
  const away = servers.flatMap((server) =>
    server.silent.length === 0
      ? []
      : [
          `  ${server.name} ${silentWords(server)} from second ${server.silent.map(({ fromSecond, toSecond }) => `${formatNumber(fromSecond)} to ${formatNumber(toSecond)}`).join(', ')}.`,
        ],
  );
  return [
    'What each of several servers did, warm-up included',
    ...textTable({
      columns: ['answers', 'share', 'failed', 'unanswered', 'tried in vain', 'mean time'],
      rows: servers.map(({ name, answered, share, failed, unanswered, tried, meanMs }) => [
        name,
        formatCount(answered),
        formatPercent(share),
        formatCount(failed),
        formatCount(unanswered),
        formatCount(tried),
        meanMs === null ? '–' : formatMs(meanMs),
      ]),
      width,
    }),
    ...away,
  ];
}

const MOST_EVENTS = 12;

/** What happened beside the load, for a terminal: monitors that were lost and came back, changes of a machine, notes of the person. */
function textEvents({ events }: Pick<RunResult, 'events'>): string[] {
  if (events.length === 0) return [];
  const rest = events.length - MOST_EVENTS;
  return [
    'What happened meanwhile',
    ...events.slice(0, MOST_EVENTS).map(({ second, text }) => `  second ${formatNumber(Math.floor(second))}: ${text}`),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}

const MARKS = { holds: '✓', breaks: '✗', unknown: '–', inconclusive: '–', measured: '·' } as const;

/** What became of requests, in the order and words of the ledger. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  ok: 'good answers',
  httpError: 'unexpected status',
  wrongBody: 'wrong content',
  timeout: 'no answer in time',
  refused: 'refused',
  reset: 'connection broken',
  noPort: 'no port to send from',
  noFile: 'no open file left',
  dns: 'name not found',
  tls: 'TLS failed',
  otherError: 'other errors',
  notMade: 'not sent: could not be made',
};

/** A result for a terminal: the answer first, then why, then the figures. Plain text without colours; tables fit a terminal of `width` columns, 100 when left out. */
export function formatText(result: RunResult, width?: number): string {
  const sections = [
    answer(result),
    objectives(result),
    findings(result),
    ledger(result),
    textOffered(result),
    cache(result),
    behaviour(result),
    textTimes(result, width),
    result.steps.length > 1 ? steps(result, width) : [],
    budgets(result),
    textPages(result, width),
    textServers(result, width),
    capacityLines(result),
    [...connections(result), ...generators(result)],
    monitorsText(result.monitors, width),
    textEvents(result),
    processorAccountsText(processorAccounts(result.monitors, loadedSpans(result))),
    partOf(result),
    [`Run ${result.run.id} · ${result.run.state} · ${result.run.startedAt} · ${formatSeconds(result.durationSeconds)}`],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function partOf({ run: { series } }: RunResult): string[] {
  if (series === undefined) return [];
  return [`Part of the series “${series.name}”: ${series.cell}, repeat ${series.repeat}. The whole of it: holdfast show ${series.id}`];
}

function cache({ cache: figures }: RunResult): string[] {
  if (figures === undefined) return [];
  const { all, counted } = figures;
  const worth = cacheWorth(counted);
  return [
    'From a cache',
    `  ${cacheSentence(counted)}`,
    ...(worth === '' ? [] : [`  ${worth}`]),
    ...(all.answered === counted.answered ? [] : [`  Warm-up included: ${cacheSentence(all)}`]),
  ];
}

function behaviour({ behaviour: seen }: RunResult): string[] {
  const sentences = seen === null ? [] : behaviourSentences(seen);
  return sentences.length === 0 ? [] : ['How it behaves', ...sentences.map((sentence) => `  ${sentence}`)];
}

/** Its head-room is told among the findings. */
function capacityLines(result: RunResult): string[] {
  return capacityLinesOf({ ...capacityOfRun(result), headroom: null });
}

function answer({ verdict, run, plan }: RunResult): string[] {
  const lines = [`${MARKS[verdict.outcome]} ${verdict.sentence}`];
  if (run.endedBecause) lines.push(`  It ended early: ${run.endedBecause.text}`);
  for (const reason of verdict.reasons) if (!isOfAnObjective(reason.code)) lines.push(`  · ${reason.text}`);
  if (verdict.exercised.length > 0) lines.push(`  Exercised: ${verdict.exercised.join('; ')}.`);
  if (verdict.notExercised.length > 0) lines.push(`  Not exercised: ${verdict.notExercised.join('; ')}.`);
  if (plan.lookAt.length > 0) lines.push('  What to look at:', ...plan.lookAt.map((look) => `    - ${look}`));
  for (const left of plan.leavesBehind) lines.push(`  Left behind: ${left}`);
  for (const next of verdict.next) lines.push(`  Next: ${next.label}. ${next.explanation}`);
  return lines;
}

/** Reasons of objectives stand in the list of objectives, which says the same. */
function isOfAnObjective(code: string): boolean {
  return /\.(holds|breaks|unknown)$/.test(code);
}

function objectives(result: RunResult): string[] {
  if (result.objectives.length === 0) return [];
  return [
    'What counts as good enough',
    ...result.objectives.map((objective) => `  ${MARKS[objective.outcome]} ${objective.text}: ${objective.reason}`),
  ];
}

function findings(result: RunResult): string[] {
  return result.findings.flatMap((finding) => [
    `${FINDING_WORDS[finding.level]}: ${finding.sentence}`,
    ...evidenceLines(finding).map((line) => `  · ${line}`),
    `  ${finding.remedy}`,
  ]);
}

function ledger(result: RunResult): string[] {
  const {
    ledger: { requests },
    balances,
    stages,
  } = result;
  const lines = [
    `Every request accounted for${includedWords(stages)}${balances ? '' : ' – NO: the figures below do not add up, which is a fault of Holdfast'}`,
    pair('sent', requests.sent),
    ...(requests.notMade === 0 ? [] : [pair(OUTCOME_WORDS.notMade, requests.notMade)]),
  ];
  for (const outcome of SENT_OUTCOMES)
    if (requests[outcome] > 0 || outcome === 'ok') lines.push(pair(OUTCOME_WORDS[outcome], requests[outcome]));
  if (requests.inFlight > 0) lines.push(pair('never answered', requests.inFlight));
  lines.push(...sideCalls(result));
  const codes = Object.entries(statusOfRun(result)).map(([code, count]) => `${code}: ${formatCount(count)}`);
  if (codes.length > 0) lines.push(`  status ${codes.join(', ')}`);
  const failures = Object.entries(errorsOfRun(result)).map(([name, count]) => `${errorWords(name)}: ${formatCount(count)}`);
  if (failures.length > 0) lines.push(`  errors ${failures.join(', ')}`);
  return lines;
}

/** The ledger is of everything that was sent. */
function includedWords(stages: RunResult['stages']): string {
  const parts = [
    stages.some(({ counted, requests }) => !counted && requests.sent > 0) ? 'warm-up' : '',
    stages.some(({ startUp }) => startUp !== null) ? 'start-up' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `, ${parts.join(' and ')} included`;
}

function steps(result: RunResult, width: number | undefined): string[] {
  return textTable({
    columns: ['sent', 'good', 'p50', 'p95', 'p99'],
    rows: occurring(result, result.steps).map(({ name, requests, latency: { response } }) => [
      name,
      formatCount(requests.sent),
      formatCount(requests.ok),
      formatMs(response.p50),
      formatMs(response.p95),
      formatMs(response.p99),
    ]),
    width,
  });
}

/** Where connections went. Known from the end of the run on. */
function connections({ server: { addresses } }: RunResult): string[] {
  const used = Object.entries(addresses).map(([address, count]) => `${address} (${formatCount(count)})`);
  return used.length === 0 ? [] : [`Connections opened to ${used.join(', ')}.`];
}

function generators(result: RunResult): string[] {
  return result.generators.map((generator) => {
    const threads = `${generator.threads} thread${generator.threads === 1 ? '' : 's'} of ${generator.engine} ${generator.engineVersion}`;
    const health =
      generator.sickSeconds === 0 ? 'kept up all the time' : `could not be trusted for ${formatNumber(generator.sickSeconds)} s`;
    const shared = generator.sharesMachineWithTarget ? '; the server runs on the same machine and shares its cores' : '';
    const awake = generator.keptAwake === true ? '; kept from going to sleep' : '';
    const lost = generator.lost === null ? '' : ` Lost in second ${Math.floor(generator.lost.second)}: ${generator.lost.text}`;
    return `Generator ${generator.name}: ${threads} on ${generator.cores} cores; ${health}${shared}${awake}.${placeFigures(generator)}${lost}`;
  });
}

/** What one of several generators had of it. */
function placeFigures({ figures }: RunResult['generators'][number]): string {
  if (figures === null) return '';
  const { sent, rates, response } = figures;
  const perSecond = rates.completedPerSecond === null ? 'not known' : formatRate(rates.completedPerSecond);
  return ` From there: ${formatCount(sent)} requests, ${perSecond}, ${lineWords(rates.bytesPerSecond)} received, 50 % within ${placeTime(response.p50)}, 90 % within ${placeTime(response.p90)}, 95 % within ${placeTime(response.p95)}.`;
}

function placeTime(time: TimeMs): string {
  return time === null ? 'a time that is not known' : time === 'never' ? 'no time' : formatMs(time);
}

/** Told beside the ledger, for they are in none of its figures. */
function sideCalls({ sideCalls: calls = [] }: RunResult): string[] {
  return calls.flatMap(({ name, requests }) => {
    if (requests.sent === 0) return [];
    const failed = failedRequests(requests);
    const bad = [
      failed > 0 ? `${formatCount(failed)} failed` : '',
      requests.inFlight > 0 ? `${formatCount(requests.inFlight)} never answered` : '',
    ];
    return `  beside these ${formatCount(requests.sent)} side calls of “${name}”, in no figure${bad
      .filter((words) => words !== '')
      .map((words) => `; ${words}`)
      .join('')}`;
  });
}

/** The time budgets of steps. */
function budgets({ steps: all }: RunResult): string[] {
  const lines = all.flatMap(({ name, budget }) =>
    budget === undefined
      ? []
      : [
          `  ${name}: ${budget.share === null ? 'not asked for' : `${formatPercent(budget.share)} of ${formatCount(budget.of)}`} within ${formatMs(budget.limitMs)}`,
        ],
  );
  return lines.length === 0 ? [] : ['Time budgets of the steps', ...lines];
}

function pair(label: string, count: number): string {
  return `  ${label.padEnd(20)}${formatCount(count).padStart(14)}`;
}
