import { budgetFigure, isJudged } from '#core/series/answers.ts';
import { behaviourOfRow } from '#core/series/behaviour.ts';
import { CELL_STATE_WORDS, LIMITS_WORDS, seriesTable, spreadText } from '#core/series/format.ts';
import { LIMITS_OF_MACHINE } from '#core/series/limits.ts';
import type { SeriesResult, SeriesRow } from '#core/series/result.ts';
import { describePlan } from '#core/review/describe.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { type Bar, type Block, list, pairs, type Report, section, table, text } from './model.ts';
import { seriesCapacityBlocks } from './evidence.ts';
import { seriesText } from './planText.ts';
import { instantText, timeCell } from './words.ts';

/** The report of a series: the table of all cells first, then what stands out in it, then each cell with its runs. */
export function seriesReport(result: SeriesResult): Report {
  const { series, document, rows, done, planned } = result;
  return {
    title: series.name,
    facts: [
      instantText(series.startedAt),
      `${formatCount(done)} of ${formatCount(planned)} runs`,
      ...new Set([document.plan, ...document.series.variants].flatMap(({ targets }) => (targets ?? []).map(({ url }) => url))),
    ],
    sections: [
      { id: 'answer', title: 'All cells', blocks: answerBlocks(result) },
      ...section('capacity', 'How much it can do', seriesCapacityBlocks(result)),
      ...section('cells', 'Cell by cell', rows.flatMap(cellBlocks)),
      ...section('method', 'How it was measured', methodBlocks(result)),
      ...section('commands', 'Commands that were run', commandBlocks(rows)),
      ...section('repeat', 'To do it again', repeatBlocks(result)),
    ],
    origin: `Holdfast · series ${series.id}`,
  };
}

function answerBlocks(result: SeriesResult): Block[] {
  const { series, document, rows, best, differences, effects, smallest, fits, notes } = result;
  const [head = [], ...lines] = seriesTable(result);
  const firstNumber = head.indexOf('runs');
  return [
    ...text(document.plan.story),
    ...text(series.endedBecause === null ? '' : `It ended early: ${series.endedBecause} Finished cells are kept.`),
    ...table(
      'One row for each cell',
      head.map((name, index) => (index >= firstNumber ? `#${name}` : name)),
      lines,
      'Medians of the whole runs of a cell, and from least to most. What a dash stands for was not measured.',
    ),
    ...list('What stands out', [
      ...(best === null ? [] : [`Best: ${best.cell}. ${best.reason}`]),
      ...differences.map((difference) => difference.text),
      ...notes,
    ]),
    ...list(
      'What each factor changes',
      effects.map((effect) => effect.text),
    ),
    ...smallest.flatMap(machineBlocks),
    ...list(
      'Time over what was varied',
      fits.map((fit) => fit.text),
    ),
    ...fits.flatMap(lineBlocks),
    ...bars('Answers a second', rows, ({ throughput }) => throughput, formatRate),
    ...bars('19 of 20 answers within', rows, ({ p95 }) => p95, formatMs),
    ...list('What to look at', document.plan.lookAt),
  ];
}

function machineBlocks(answer: SeriesResult['smallest'][number]): Block[] {
  const { condition, machines, text: sentence } = answer;
  const answered = list('The smallest machine that keeps every limit', [sentence]);
  if (!isJudged(answer)) return answered;
  return [
    ...answered,
    ...table(
      condition === '' ? 'Machines from small to large' : `Machines from small to large, at ${condition}`,
      ['Machine', 'Every limit', '#Runs that kept them', 'Closest to its limit'],
      machines.map(({ name, judgement, kept, runs, closest }) => [
        name,
        judgement === 'notMeasured' ? 'not measured' : LIMITS_WORDS[LIMITS_OF_MACHINE[judgement]],
        `${formatCount(kept)} of ${formatCount(runs)}`,
        closest === null ? '–' : `${closest.text}: ${budgetFigure(closest.measured, closest.unit)}`,
      ]),
    ),
  ];
}

function lineBlocks({ condition, cells, refused }: SeriesResult['fits'][number]): Block[] {
  if (refused !== null) return [];
  return table(
    condition === '' ? 'The line beside what was measured' : `The line beside what was measured, at ${condition}`,
    ['Cell', '#Measured', '#Line'],
    cells.map(({ cell, measuredMs, lineMs }) => [cell, formatMs(measuredMs), formatMs(lineMs)]),
    'Time of half of the answers.',
  );
}

function bars(
  title: string,
  rows: readonly SeriesRow[],
  of: (row: SeriesRow) => SeriesRow['p95'],
  format: (value: number) => string,
): Block[] {
  const all = rows.map((row): Bar => {
    const spread = of(row);
    const value = spread === null ? null : { middle: spread.median, least: spread.least, most: spread.most };
    return { name: row.cell, value, text: spread === null ? CELL_STATE_WORDS[row.state] : spreadText(spread, format) };
  });
  return all.some(({ value }) => value !== null) ? [{ kind: 'bars', title, bars: all }] : [];
}

function cellBlocks(row: SeriesRow): Block[] {
  const factors = Object.entries(row.factors).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    { kind: 'heading', text: row.cell },
    ...text(factors.join(', ')),
    ...text(row.note ?? ''),
    ...table(
      `Runs of “${row.cell}”`,
      ['Repeat', 'State', 'Run', '#Sent', '#Good', '#Failed', '#Answers/s', '#Half', '#19 of 20', '#99 of 100'],
      row.runs.map(({ repeat, state, runId, figures, reason }) => [
        String(repeat),
        reason === null ? CELL_STATE_WORDS[state] : `${CELL_STATE_WORDS[state]}: ${reason}`,
        runId ?? '–',
        ...(figures === null
          ? ['–', '–', '–', '–', '–', '–', '–']
          : [
              formatCount(figures.sent),
              formatCount(figures.ok),
              formatPercent(figures.failedShare),
              formatRate(figures.completedPerSecond),
              ...[figures.p50, figures.p95, figures.p99].map(timeCell),
            ]),
      ]),
    ),
    ...list('How it behaved', behaviourOfRow(row)),
  ];
}

function methodBlocks({ document, engine }: SeriesResult): Block[] {
  const { series } = document;
  return [
    ...list('What each run did', describePlan(document.plan).sentences),
    ...list('How the runs followed each other', [
      `Each cell was run ${series.repeats === 1 ? 'once' : `${formatCount(series.repeats)} times`}.`,
      series.interleaved
        ? 'The variants took turns at each level, and each round began with another one, so that what changes with the time of day falls on all of them.'
        : 'All repeats of a cell followed each other.',
      `After each cell there was no load for ${formatSeconds(series.coolDownSeconds)}.`,
      engine.reason,
    ]),
    ...list('What this does not say', [
      series.repeats < 5
        ? `With ${series.repeats === 1 ? 'one run' : `${formatCount(series.repeats)} runs`} of each cell it is hardly known how much runs differ by themselves; a comparison wants at least five.`
        : 'A difference that is no larger than that between runs of the same cell is called noise.',
    ]),
  ];
}

function commandBlocks(rows: readonly SeriesRow[]): Block[] {
  const lines = rows.flatMap(({ runs }) =>
    runs.flatMap(({ cell, repeat, commands }) =>
      commands.map(({ when, run, exitCode, seconds, problem }) => [
        `${cell}, repeat ${repeat}`,
        when,
        run,
        problem ?? (exitCode === null ? 'killed' : `code ${exitCode}`),
        formatSeconds(seconds),
      ]),
    ),
  );
  return table('Commands on the computer that ran the series', ['Cell', 'When', 'Command', 'Ended', '#After'], lines);
}

function repeatBlocks({ series, document }: SeriesResult): Block[] {
  return [
    ...pairs('This series', [
      ['id', series.id],
      ['began', instantText(series.startedAt)],
      ['ended', series.endedAt === null ? 'it was not over' : instantText(series.endedAt)],
    ]),
    ...list('To run it again', [
      'Save the text below as series.yaml and run: holdfast series series.yaml',
      'Secrets are in no report: where the plan says “secret”, it names where the value is taken from.',
    ]),
    { kind: 'code', title: 'The plan and its series', text: seriesText(document) },
  ];
}
