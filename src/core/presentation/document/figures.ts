import { firstStepIndex } from '#core/work/journey/flow/executions.ts';
import { countFailedRequests } from '#core/measurement/requestOutcomes.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import { formatLateNames } from '#core/result/generatorNames.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { omitUnused } from '#core/result/countsOfRun.ts';
import { formatPartOfWhole } from './requestOutcomes.ts';
import { column, type ColumnOf, numbers, pairs, type Passage, type RichCell, table, type TermCode, text } from './model.ts';
import { EXPLANATIONS, levelText, NO_FIGURE_TEXTS, plansStarts, timeCell, TITLES } from './words.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { withoutAbsent } from '#core/base/lists.ts';

type Stage = RunResult['stages'][number];
type StepResult = RunResult['steps'][number];

/** Returns columns of response times for tables that compare rows. */
function timeColumns<Row>(of: (row: Row) => LatencySummary): ColumnOf<Row>[] {
  return [
    numbers('p50', (row) => timeCell(of(row).p50), { term: 'p50' }),
    numbers('p95', (row) => timeCell(of(row).p95), { term: 'p95' }),
    numbers('p99', (row) => timeCell(of(row).p99), { term: 'p99' }),
    numbers('Max', (row) => timeCell(of(row).max)),
  ];
}

const TIME_KIND_TEXTS = {
  response: 'From the scheduled start of a request to the last byte of its response: the wait of a user. Check this first.',
  same: 'From the start of a request to the last byte of its response. It equals the service time, as each request starts after the previous response.',
  service: 'From the actual start to the last byte: the time of the server. If the response time is much longer, requests were sent late.',
  errorAdjusted:
    'The response time, with every failed request counted as never complete. Check this when requests failed: quick errors make the other times look good.',
} as const;

export function timeKinds(result: Pick<RunResult, 'plan'>): (readonly [name: string, text: string])[] {
  return [
    ['Response time', plansStarts(result) ? TIME_KIND_TEXTS.response : TIME_KIND_TEXTS.same],
    ...(plansStarts(result) ? [['Service time', TIME_KIND_TEXTS.service] as const] : []),
    [TITLES.failuresAsTimeouts, TIME_KIND_TEXTS.errorAdjusted],
  ];
}

/** Returns tables of times: by kind, by status class, and by phase. */
export function timeBlocks(result: RunResult): Passage[] {
  const { latency, phases, rates, bytes, latencyByStatusClass } = result;
  if (latency.service.count === 0 && latency.errorAdjusted.count === 0) return text(NO_FIGURE_TEXTS.times);
  const classes = STATUS_CLASSES.filter((name) => (latencyByStatusClass[name]?.count ?? 0) > 0);
  const rows: (readonly [string | RichCell, LatencySummary | null])[] = withoutAbsent([
    plansStarts(result) && (['Response time', latency.response] as const),
    ['Service time', latency.service],
    // These rows are shown only if there are several classes, because errors are often faster or slower than successful responses.
    ...(classes.length > 1
      ? classes.map((name) => [{ text: `of ${name}`, isPart: true }, latencyByStatusClass[name] ?? null] as const)
      : []),
    [TITLES.failuresAsTimeouts, latency.errorAdjusted],
    [
      { text: 'Name lookup', explanation: 'Finding the addresses of the host, for requests that had to wait for it.' },
      phases.lookup ?? null,
    ],
    [{ text: 'Connecting', explanation: 'Opening a connection, for requests that needed one.' }, phases.connect],
    [{ text: 'TLS handshake', explanation: 'Agreeing on encryption, including the certificate check.' }, phases.tls],
    [
      { text: 'First byte', explanation: 'From the sent request to the first byte of its response: mostly the work of the server.' },
      phases.firstByte,
    ],
    [
      { text: 'Transfer', explanation: 'From the first to the last byte of the response: mostly its size and the network.' },
      phases.transfer,
    ],
    [{ text: 'Schedule lag', explanation: EXPLANATIONS.scheduleLag }, phases.scheduleLag],
  ]);
  const known = rows.flatMap(([name, summary]) => (summary === null || summary.count === 0 ? [] : [{ name, summary }]));
  return [
    ...text(
      `Throughput: ${formatRate(rates.completedPerSecond, 'responses')}, ${formatBytes(rates.bytesPerSecond)}/s. Total received: ${formatBytes(bytes.received)}.`,
    ),
    ...table(
      TITLES.times,
      known,
      [
        column('Time', ({ name }) => name),
        numbers('Min', ({ summary }) => timeCell(summary.min)),
        numbers('Mean', ({ summary }) => timeCell(summary.mean), { minor: true }),
        numbers('p50', ({ summary }) => timeCell(summary.p50), { term: 'p50' }),
        numbers('p90', ({ summary }) => timeCell(summary.p90), { term: 'p90' }),
        numbers('p95', ({ summary }) => timeCell(summary.p95), { term: 'p95' }),
        numbers('p99', ({ summary }) => timeCell(summary.p99), { term: 'p99' }),
        numbers('p99.9', ({ summary }) => timeCell(summary.p99_9), { minor: true }),
        numbers('Max', ({ summary }) => timeCell(summary.max)),
      ],
      'Counted stages only. “never”: the percentile falls on failed requests. Missing rows were not measured.',
    ),
  ];
}

const LOAD_TERMS: Readonly<Record<RunResult['plan']['load']['model'], TermCode>> = {
  connections: 'connections',
  users: 'users',
  arrivals: 'arrivalRate',
};

interface StageRow {
  readonly figures: StepResult;
  readonly stage: Stage | null;
  readonly notStarted: number;
}

/**
 * Returns tables of each stage with its steps, of planned arrivals, and of time budgets. In a long table, steps without requests are
 * omitted. If several stages would make the table long, the steps get one separate table.
 */
export function stageBlocks(result: RunResult): Passage[] {
  const { model } = result.plan.load;
  const isOpen = model === 'arrivals';
  const first = result.plan.journey[firstStepIndex(result.plan)]?.name;
  // Arrivals that did not start because of the server count as failures of the journey's first step.
  const rows = result.stages.flatMap((stage): StageRow[] => {
    const notStarted = stage.journeys.notStartedTarget;
    const steps = stage.steps.length > 1 ? omitUnused(result, stage.steps) : [];
    return [
      { figures: stage, stage, notStarted },
      ...steps.map((figures) => ({ figures, stage: null, notStarted: figures.name === first ? notStarted : 0 })),
    ];
  });
  const isLong = rows.length > MAX_ROWS;
  const hasOwnSteps = isLong && result.stages.filter(({ requests }) => requests.sent > 0).length > 1;
  const visibleRows = isLong ? rows.filter(({ figures, stage }) => stage !== null || (!hasOwnSteps && figures.requests.sent > 0)) : rows;
  return [
    ...table(
      hasOwnSteps ? 'Stages' : 'Stages and steps',
      visibleRows,
      withoutAbsent([
        column('Stage, step', ({ figures, stage }) => ({ text: figures.name, about: aboutStage(figures, stage), isPart: stage === null })),
        numbers('Load', ({ stage }) => (stage === null ? '' : levelText(stage.level)), { term: LOAD_TERMS[model] }),
        isOpen && numbers<(typeof rows)[number]>('Offered', ({ stage }) => formatOffered(stage), { term: 'offered', minor: true }),
        numbers('Sent', ({ figures }) => formatCount(figures.requests.sent)),
        numbers('Failed', ({ figures, notStarted }) => formatCount(countFailedRequests(figures.requests) + notStarted)),
        numbers('Responses/s', ({ figures }) => dashOr(figures.rates.completedPerSecond, formatNumber)),
        ...timeColumns<(typeof rows)[number]>(({ figures }) => figures.latency.response),
        numbers('p95, failures as timeouts', ({ figures }) => timeCell(figures.latency.errorAdjusted.p95), {
          term: 'errorAdjusted',
          minor: true,
        }),
      ]),
      `Times are response times. Each stage is judged separately.${!hasOwnSteps && visibleRows.length < rows.length ? ' Steps that sent nothing in a stage are left out of it.' : ''}`,
    ),
    ...(hasOwnSteps ? stepTable(result) : []),
    ...(isOpen ? arrivalTable(result) : []),
    ...table(
      'Time budgets of the steps',
      result.steps.flatMap(({ name, budget }) => (budget === undefined ? [] : [{ name, ...budget }])),
      [
        column('Step', ({ name }) => name),
        numbers('Budget', ({ maxMs }) => formatMs(maxMs)),
        numbers('Within budget', ({ share }) => (share === null ? 'not requested' : formatPercent(share))),
        numbers('Requests', ({ of }) => formatCount(of)),
      ],
    ),
  ];
}

/** Returns the steps over all counted stages, with their p95 in the stage with the highest load. */
function stepTable(result: RunResult): Passage[] {
  const { plan, stages, steps } = result;
  const sent = steps.filter(({ requests }) => requests.sent > 0);
  const first = plan.journey[firstStepIndex(plan)]?.name;
  const notStarted = stages.reduce((sum, { counted, journeys }) => sum + (counted ? journeys.notStartedTarget : 0), 0);
  const { shown, note } = exceptionalRows(plan, sent, severityScore, 'those that failed and the slowest');
  const [highest] = stages
    .filter(({ counted, requests }) => counted && requests.sent > 0)
    .toSorted((one, other) => other.level.highest - one.level.highest);
  const timesByStep = new Map(highest?.steps.map(({ name, latency }) => [name, latency.response.p95]));
  return table(
    'Steps over all stages',
    shown,
    withoutAbsent([
      column('Step', ({ name }) => name),
      numbers('Sent', ({ requests }) => formatCount(requests.sent)),
      numbers('Failed', ({ name, requests }) => formatCount(countFailedRequests(requests) + (name === first ? notStarted : 0))),
      ...timeColumns<StepResult>(({ latency }) => latency.response),
      highest !== undefined && numbers<StepResult>(`p95 in “${highest.name}”`, ({ name }) => timeCell(timesByStep.get(name) ?? null)),
    ]),
    `${note} The figures of each step in each stage are in the table of stages and steps that is saved as CSV.`.trim(),
  );
}

/** Ranks steps: failed ones first, then by p95. */
function severityScore({ requests, latency }: StepResult): number {
  const { p95 } = latency.response;
  return countFailedRequests(requests) > 0 || p95 === 'never' ? Number.POSITIVE_INFINITY : (p95 ?? 0);
}

function aboutStage({ budget }: StepResult, stage: Stage | null): string {
  return [
    stage !== null && !stage.counted ? 'not counted' : '',
    budget === undefined
      ? ''
      : budget.share === null
        ? `budget of ${formatMs(budget.maxMs)}`
        : `${formatPercent(budget.share)} within its budget of ${formatMs(budget.maxMs)}`,
    stage?.startUp ? `plus ${formatCount(stage.startUp.requests.sent)} requests before all users ran, not counted` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** Returns the share of planned arrivals that started, and why the others did not. */
function formatOffered(stage: Stage | null): string | RichCell {
  if (stage === null) return '';
  if (stage.startedAtSecond === null) return 'not reached';
  const { offeredShare, planned, notStartedTarget, notStartedGenerator } = stage.journeys;
  const about = [
    notStartedTarget > 0 ? `${formatCount(notStartedTarget)} not started: server` : '',
    notStartedGenerator > 0 ? `${formatCount(notStartedGenerator)} not started: generator` : '',
  ];
  const share = offeredShare === null ? '' : formatPartOfWhole(offeredShare, 1);
  return {
    text: share === '' ? (planned === 0 ? 'none planned' : formatPercent(offeredShare)) : share,
    about: about.filter((part) => part !== '').join('; '),
  };
}

/** Returns planned and started arrivals, one row for each stage that plans arrivals. */
function arrivalTable({ stages, generators }: Pick<RunResult, 'stages' | 'generators'>): Passage[] {
  const due = stages.filter(({ journeys }) => journeys.planned !== null && journeys.planned > 0);
  const leftOut = due.some(({ journeys }) => journeys.notStartedTarget + journeys.notStartedGenerator > 0);
  return table(
    'Arrivals planned and started',
    due,
    [
      column('Stage', ({ name }) => name),
      numbers('Planned', ({ journeys }) => formatCount(journeys.planned)),
      numbers('Planned/s', ({ journeys }) => formatNumber(journeys.plannedPerSecond)),
      numbers('Started', ({ journeys }) => formatCount(journeys.started)),
      numbers('Started/s', ({ journeys }) => formatNumber(journeys.startedPerSecond)),
      numbers('Share', ({ journeys }) => formatPercent(journeys.offeredShare)),
      numbers('Not started: server', ({ journeys }) => formatCount(journeys.notStartedTarget)),
      numbers('Not started: generator', ({ journeys }) => formatCount(journeys.notStartedGenerator)),
    ],
    leftOut
      ? `Not started because too many requests were in flight (server), or because ${formatLateNames(generators)} could not keep up (generator).`
      : undefined,
  );
}

/** Formats a value; "–" if it is unknown. */
export function dashOr<Value>(value: Value | null, format: (known: Value) => string): string {
  return value === null ? '–' : format(value);
}

/** Returns the definitions of the kinds of times, which are shown beside the table. */
export function timeKindBlocks(result: Pick<RunResult, 'plan'>): Passage[] {
  return pairs('Kinds of times', timeKinds(result));
}

const MAX_ROWS = 40;
/** Maximum number of rows for redirects and linked files. */
const MAX_EXCEPTIONS = 10;

interface ListedRows<Row> {
  readonly shown: readonly Row[];
  /** States that rows were left out and where they are; empty if all rows are shown. */
  readonly note: string;
}

/**
 * Selects the rows of a table of steps. A short table has all rows. A long table has the steps of the plan, and the ten redirects and
 * linked files with the highest `weight`. Rows with weight 0 are not exceptions.
 */
export function exceptionalRows<Row extends { readonly name: string }>(
  plan: Pick<Plan, 'journey'>,
  rows: readonly Row[],
  weight: (row: Row) => number,
  which: string,
): ListedRows<Row> {
  if (rows.length <= MAX_ROWS) return { shown: rows, note: '' };
  const linked = new Set(
    listRecordedRequests(plan).flatMap(({ name, isRedirect, resource }) => (isRedirect || resource !== null ? [name] : [])),
  );
  const exceptions = new Set(
    rows
      .filter((row) => linked.has(row.name) && weight(row) > 0)
      .toSorted((one, other) => weight(other) - weight(one))
      .slice(0, MAX_EXCEPTIONS),
  );
  const visibleRows = rows.filter((row) => !linked.has(row.name) || exceptions.has(row));
  const leftOut = rows.length - visibleRows.length;
  return {
    shown: visibleRows,
    note: leftOut === 0 ? '' : `Of redirects and linked files, ${which} are shown. ${formatCount(leftOut)} more are in the result as JSON.`,
  };
}
