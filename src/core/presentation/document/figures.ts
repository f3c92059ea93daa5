import { failedRequests } from '#core/measurement/ledger.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import { lateGeneratorNames } from '#core/result/generatorNames.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import { occurring } from '#core/result/countsOfRun.ts';
import { shareWords } from './ledger.ts';
import { type ColumnOf, column, numbers, pairs, type Passage, type RichCell, type TermCode, table, text } from './model.ts';
import { levelText, plansStarts, timeCell } from './words.ts';
import { EXPLAINED, NONE, TITLES } from './titles.ts';

type Stage = RunResult['stages'][number];
type StepResult = RunResult['steps'][number];

/** The times that tables of several rows compare. */
export function timeColumns<Row>(of: (row: Row) => LatencySummary): ColumnOf<Row>[] {
  return [
    numbers('Half', (row) => timeCell(of(row).p50), { term: 'p50' }),
    numbers('19 of 20', (row) => timeCell(of(row).p95), { term: 'p95' }),
    numbers('99 of 100', (row) => timeCell(of(row).p99), { term: 'p99' }),
    numbers('Slowest', (row) => timeCell(of(row).max)),
  ];
}

const KINDS = {
  response: 'From the moment a request was due to the last byte of its answer: what a visitor waits. Look here first.',
  same: 'From the moment a request was sent to the last byte of its answer. It is the service time: each request is due when the answer before it has arrived.',
  service:
    'From the moment it was really sent: what the server took for it. Where the response time is much longer, requests queued before they were sent.',
  errorAdjusted:
    'The response time, with every request that failed or got no answer as endless. Look here when requests failed: quick errors make the other two look good.',
} as const;

/** What is counted as waiting, in the words that explain the table of times. */
export function timeKinds(result: Pick<RunResult, 'plan'>): (readonly [name: string, text: string])[] {
  return [
    ['Response time', plansStarts(result) ? KINDS.response : KINDS.same],
    ...(plansStarts(result) ? [['Service time', KINDS.service] as const] : []),
    ['Failures as never', KINDS.errorAdjusted],
  ];
}

/** How long it took: by what is counted as waiting, by how it was answered, and by what the time was made of. */
export function timeBlocks(result: RunResult): Passage[] {
  const { latency, phases, rates, bytes, latencyByStatusClass } = result;
  if (latency.service.count === 0 && latency.errorAdjusted.count === 0) return text(NONE.times);
  const classes = STATUS_CLASSES.filter((name) => (latencyByStatusClass[name]?.count ?? 0) > 0);
  const rows: (readonly [string | RichCell, LatencySummary | null])[] = [
    ...(plansStarts(result) ? [['Response time', latency.response] as const] : []),
    ['Service time', latency.service],
    // Only where answers differ: errors are often quicker, or slower, than good answers.
    ...(classes.length > 1
      ? classes.map((name) => [{ text: `of ${name}`, isPart: true }, latencyByStatusClass[name] ?? null] as const)
      : []),
    ['Failures as never', latency.errorAdjusted],
    [{ text: 'Connecting', explanation: 'Opening a connection, of those requests that had to.' }, phases.connect],
    [{ text: 'Encrypting', explanation: 'Agreeing on encryption, the check of the certificate included (TLS handshake).' }, phases.tls],
    [
      { text: 'First byte', explanation: 'From the sent request to the first byte of its answer: mostly the work of the server.' },
      phases.firstByte,
    ],
    [{ text: 'Transfer', explanation: 'From the first byte of the answer to its last: mostly its size and the network.' }, phases.transfer],
    [
      {
        text: 'Sent late by',
        explanation: EXPLAINED.scheduleLag,
      },
      phases.scheduleLag,
    ],
  ];
  const known = rows.flatMap(([name, summary]) => (summary === null || summary.count === 0 ? [] : [{ name, summary }]));
  return [
    ...text(
      `Answered: ${formatRate(rates.completedPerSecond, 'requests')}, ${formatBytes(rates.bytesPerSecond)}/s; ${formatBytes(bytes.received)} received in all.`,
    ),
    ...table(
      TITLES.times,
      known,
      [
        column('Time', ({ name }) => name),
        numbers('Fastest', ({ summary }) => timeCell(summary.min)),
        numbers('Mean', ({ summary }) => timeCell(summary.mean), { minor: true }),
        numbers('Half', ({ summary }) => timeCell(summary.p50), { term: 'p50' }),
        numbers('9 of 10', ({ summary }) => timeCell(summary.p90), { term: 'p90' }),
        numbers('19 of 20', ({ summary }) => timeCell(summary.p95), { term: 'p95' }),
        numbers('99 of 100', ({ summary }) => timeCell(summary.p99), { term: 'p99' }),
        numbers('999 of 1,000', ({ summary }) => timeCell(summary.p99_9), { minor: true }),
        numbers('Slowest', ({ summary }) => timeCell(summary.max)),
      ],
      'Of the stages that count. “never” stands where that share of requests got no good answer. What is missing could not be seen.',
    ),
  ];
}

const LOAD_TERMS: Readonly<Record<RunResult['plan']['load']['model'], TermCode>> = {
  connections: 'connections',
  users: 'users',
  arrivals: 'arrivalRate',
};

/** Figures of each stage, and of each step in it where there are several; then what was due in it, and how steps kept their budgets. */
export function stageBlocks(result: RunResult): Passage[] {
  const { model } = result.plan.load;
  const isOpen = model === 'arrivals';
  const rows = result.stages.flatMap((stage): { readonly figures: StepResult; readonly stage: Stage | null }[] => [
    { figures: stage, stage },
    ...(stage.steps.length > 1 ? occurring(result, stage.steps).map((figures) => ({ figures, stage: null })) : []),
  ]);
  return [
    ...table(
      'Stages and steps',
      rows,
      [
        column('Stage, step', ({ figures, stage }) => ({ text: figures.name, about: aboutStage(figures, stage), isPart: stage === null })),
        numbers('Load', ({ stage }) => (stage === null ? '' : levelText(stage.level)), { term: LOAD_TERMS[model] }),
        ...(isOpen ? [numbers<(typeof rows)[number]>('Offered', ({ stage }) => offeredCell(stage), { term: 'offered', minor: true })] : []),
        numbers('Sent', ({ figures }) => formatCount(figures.requests.sent)),
        numbers('Failed', ({ figures }) => formatCount(failedRequests(figures.requests))),
        numbers('Answers/s', ({ figures }) => dashOr(figures.rates.completedPerSecond, formatNumber)),
        ...timeColumns<(typeof rows)[number]>(({ figures }) => figures.latency.response),
        numbers('19 of 20, failures as never', ({ figures }) => timeCell(figures.latency.errorAdjusted.p95), {
          term: 'errorAdjusted',
          minor: true,
        }),
      ],
      'Times are response times. Stages are judged each by itself, never pooled.',
    ),
    ...(isOpen ? arrivalTable(result) : []),
    ...table(
      'Time budgets of the steps',
      result.steps.flatMap(({ name, budget }) => (budget === undefined ? [] : [{ name, ...budget }])),
      [
        column('Step', ({ name }) => name),
        numbers('Budget', ({ limitMs }) => formatMs(limitMs)),
        numbers('Within it', ({ share }) => (share === null ? 'not asked for' : formatPercent(share))),
        numbers('Asked for', ({ of }) => formatCount(of)),
      ],
    ),
  ];
}

function aboutStage({ budget }: StepResult, stage: Stage | null): string {
  return [
    stage !== null && !stage.counted ? 'not counted' : '',
    budget === undefined
      ? ''
      : budget.share === null
        ? `budget of ${formatMs(budget.limitMs)}`
        : `${formatPercent(budget.share)} within its budget of ${formatMs(budget.limitMs)}`,
    stage?.startUp ? `and ${formatCount(stage.startUp.requests.sent)} requests before all users ran, which do not count` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** How much of what was due was started, and whose fault the rest was. */
function offeredCell(stage: Stage | null): string | RichCell {
  if (stage === null) return '';
  if (stage.startedAtSecond === null) return 'not reached';
  const { offeredShare, planned, notStartedTarget, notStartedGenerator } = stage.journeys;
  const about = [
    notStartedTarget > 0 ? `${formatCount(notStartedTarget)} not started: server` : '',
    notStartedGenerator > 0 ? `${formatCount(notStartedGenerator)} not started: no load made` : '',
  ];
  const share = offeredShare === null ? '' : shareWords(offeredShare, 1);
  return {
    text: share === '' ? (planned === 0 ? 'nothing was due' : formatPercent(offeredShare)) : share,
    about: about.filter((part) => part !== '').join('; '),
  };
}

/** What an open model had planned, and what of it began: a line for each stage in which anything was due. */
function arrivalTable({ stages, generators }: Pick<RunResult, 'stages' | 'generators'>): Passage[] {
  const due = stages.filter(({ journeys }) => journeys.planned !== null && journeys.planned > 0);
  const leftOut = due.some(({ journeys }) => journeys.notStartedTarget + journeys.notStartedGenerator > 0);
  return table(
    'Arrivals planned and begun',
    due,
    [
      column('Stage', ({ name }) => name),
      numbers('Planned', ({ journeys }) => formatCount(journeys.planned)),
      numbers('Planned/s', ({ journeys }) => formatNumber(journeys.plannedPerSecond)),
      numbers('Begun', ({ journeys }) => formatCount(journeys.started)),
      numbers('Begun/s', ({ journeys }) => formatNumber(journeys.startedPerSecond)),
      numbers('Share', ({ journeys }) => formatPercent(journeys.offeredShare)),
      numbers('Owed', ({ journeys }) => formatCount(journeys.notStartedTarget)),
      numbers('Generator', ({ journeys }) => formatCount(journeys.notStartedGenerator)),
    ],
    leftOut
      ? `Not begun: because the server owed too many answers (owed), or because ${lateGeneratorNames(generators)} could not keep up (generator).`
      : undefined,
  );
}

/** "–" for what is not known, where a cell has no room for words. */
export function dashOr<Value>(value: Value | null, format: (known: Value) => string): string {
  return value === null ? '–' : format(value);
}

/** What is counted as waiting, as a report and a screen explain it beside the table. */
export function timeKindBlocks(result: Pick<RunResult, 'plan'>): Passage[] {
  return pairs('What is counted as waiting', timeKinds(result));
}
