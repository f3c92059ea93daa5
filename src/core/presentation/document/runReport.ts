import { placeOf } from '#core/plan/hosts/generatorNames.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import { formatDuet } from '#core/result/duet.ts';
import type { RunResult } from '#core/result/schema.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { listTargets } from '#core/plan/url.ts';
import { capacityOfRun } from '#core/judgement/capacity/capacity.ts';
import { formatNotJudged } from '#core/judgement/verdict/notJudged.ts';
import { instantText, NOT_FINISHED_TEXT, NO_SECRETS_NOTE, TITLES, listReportedReasons, makeVerdictBlock } from './words.ts';
import { endOf, listShadedRanges, stageBands } from '../charts/chartFrame.ts';
import { chartsOfMonitors, chartsOfResult } from '../charts/runCharts.ts';
import type { RunChart } from '../charts/types.ts';
import { formatElapsed } from '../charts/units.ts';
import { visitChart } from '../charts/visitSeries.ts';
import { type Block, column, list, numbers, pairs, type Report, type ReportFrame, section, type Section, table, text } from './model.ts';
import { bellBlocks, openingBlocks } from './bells.ts';
import { capacityBlocks } from './capacity.ts';
import { duetTable } from './duet.ts';
import { headFigures } from './headFigures.ts';
import { criteriaBlocks, findingBlocks } from './evidence.ts';
import { stageBlocks, timeBlocks } from './figures.ts';
import { journeyBlocks, requestOutcomeBlocks } from './requestOutcomes.ts';
import { machineBlocks, monitorBlocks, tuningBlocks } from './machines.ts';
import { traceBlocks } from './traces.ts';
import { behaviourBlocks, connectionBlocks, pageBlocks, specialBlocks } from './special.ts';
import { definitionBlocks, loadBlocks, validityBlocks } from './method.ts';
import { type Spread, spreadBlocks } from './spread.ts';
import { streamBlocks } from './streams.ts';
import { filmBlocks, openingFilmBlocks, visitBlocks } from './visits.ts';
import { lostPeopleBlocks, peopleBlocks } from './people.ts';
import { planText } from './planText.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Returns the first page: the verdict, its reasons, four figures, two charts and next steps. */
function resultSection(result: RunResult, charts: readonly Block[]): Section {
  const { verdict, run, plan } = result;
  const blocks: Block[] = [
    makeVerdictBlock(verdict),
    ...(result.duet === undefined ? [] : [...text(formatDuet(result.duet)), ...duetTable(result.duet)]),
    ...text(formatNotJudged(verdict)),
    ...text(plan.story),
    ...text(formatEndedEarly(run)),
    { kind: 'tiles', tiles: headFigures(result) },
    ...list(
      'Why',
      listReportedReasons(verdict.reasons).map((reason) => reason.text),
    ),
    ...charts,
    ...text(writeSentence('Covered', verdict.exercised)),
    ...text(writeSentence('Not covered', verdict.notExercised)),
    ...list(
      TITLES.next,
      verdict.next.map(({ label, explanation }) => `${label}. ${explanation}`),
    ),
    ...list(TITLES.leavesBehind, plan.leavesBehind),
    ...list('Note', run.note === '' ? [] : [run.note]),
  ];
  return { id: 'result', title: 'Result', blocks };
}

/** Returns the films of the visits with a browser at each bell. */
function openingFilms(result: RunResult): Block[] {
  const bells = new Map((result.bells ?? []).map((bell) => [bell.bell, bell]));
  return [...bells.values()].flatMap((bell) => {
    const films = openingFilmBlocks(result, bell);
    return films.length === 0 ? [] : [{ kind: 'heading', text: `A visitor at the bell “${bell.bell}”` }, ...films];
  });
}

/** Returns the reason why a run ended early; empty if it did not. */
export function formatEndedEarly({ endedBecause }: Pick<RunResult['run'], 'endedBecause'>): string {
  return endedBecause === null ? '' : `It ended early: ${endedBecause.text} The result covers the time until then.`;
}

function writeSentence(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}: ${items.join('; ')}.`;
}

const MAX_EVENTS = 100;

/** Returns the identity of the run and everything that is needed to repeat it. */
function repeatBlocks(result: RunResult): Block[] {
  const { run, plan, generators } = result;
  const hosts = generators.map(({ name }) => name);
  const on = hosts.length > 1 || (hosts[0] !== undefined && hosts[0] !== THIS_COMPUTER) ? ` --on ${hosts.map(placeOf).join(',')}` : '';
  return [
    ...pairs(
      'This run',
      withoutAbsent([
        ['Id', run.id],
        ['Started', instantText(run.startedAt)],
        ['Ended', run.endedAt === null ? NOT_FINISHED_TEXT : instantText(run.endedAt)],
        ['Holdfast', run.holdfastVersion],
        run.preset !== null && (['Preset', run.preset] as const),
        run.series !== undefined &&
          (['Series', `${run.series.name}: ${run.series.cell}, repeat ${run.series.repeat} (${run.series.id})`] as const),
      ]),
    ),
    ...list(TITLES.runAgain, [
      `Save the plan below as plan.yaml and run: holdfast run plan.yaml${on}`,
      `${NO_SECRETS_NOTE} Enter values again that were kept for that session only.`,
      `Data: holdfast report ${run.id} --json result.json --csv seconds.csv`,
    ]),
    { kind: 'code', title: 'Plan', text: planText(plan) },
  ];
}

/** Returns the events of a run: stops, losses and changes. */
function eventBlocks({ events }: Pick<RunResult, 'events'>): Block[] {
  const rest = events.length - MAX_EVENTS;
  return table(
    'Events in order',
    events.slice(0, MAX_EVENTS),
    [numbers('At', ({ second }) => formatElapsed(second)), column('Event', ({ text }) => text)],
    rest > 0 ? `${formatCount(rest)} more in the result as JSON` : undefined,
  );
}

/** Maximum number of openings on the first page, where they replace the charts over time. */
const MAX_OPENINGS = 2;

/** Maximum number of points, because printed charts cannot show more. A long run is reduced without losing peaks. */
const MAX_POINTS = 600;

/** Returns the report of a run: the verdict on one page, then the evidence. */
export function runReport(whole: RunResult, spread: Spread | null = null): Report {
  const result = { ...whole, windows: reducePoints(whole.windows, MAX_POINTS) };
  const { run, plan, durationSeconds } = result;
  const { main, more, minor } = chartsOfResult(result);
  const frame = makeFrame(result);
  const openings = openingBlocks(result);
  return {
    title: run.name,
    facts: [
      instantText(run.startedAt),
      `took ${formatSeconds(durationSeconds)}`,
      // The base of a duet is a target of the plan and a named one.
      [...new Set(listTargets(plan).map(({ url }) => url))].join(', '),
    ],
    sections: [
      resultSection(result, openings.length === 0 ? charts(main, frame, 'large') : openings.slice(0, MAX_OPENINGS)),
      ...section('people', TITLES.people, [...peopleBlocks(result), ...lostPeopleBlocks(result)]),
      ...section('bells', TITLES.bells, [...openings.slice(MAX_OPENINGS), ...openingFilms(result), ...bellBlocks(result)]),
      ...section('criteria', TITLES.criteria, criteriaBlocks(result)),
      ...section('findings', TITLES.findings, findingBlocks(result)),
      ...section('traces', TITLES.traces, traceBlocks(result)),
      ...section('events', 'Events', eventBlocks(result)),
      ...section('visits', TITLES.visits, [
        ...visitBlocks(result),
        ...charts(
          [visitChart(result)].filter((chart) => chart !== null),
          frame,
          'large',
        ),
        ...filmBlocks(result),
      ]),
      ...section('charts', 'Over time', [
        ...(openings.length === 0 ? [] : charts(main, frame, 'large')),
        ...charts([...more, ...minor], frame, 'small'),
      ]),
      ...section('spread', TITLES.spread, spread === null ? [] : spreadBlocks(spread)),
      ...section('figures', 'Figures', [
        ...pageBlocks(result),
        ...streamBlocks(result),
        ...requestOutcomeBlocks(result),
        ...journeyBlocks(result.outcomes, result.abandonedAt),
        ...timeBlocks(result),
        ...stageBlocks(result),
        ...specialBlocks(result),
        ...behaviourBlocks(result),
        ...connectionBlocks(result),
        // The headroom is left out here, because it is among the findings.
        ...capacityBlocks({ ...capacityOfRun(result), headroom: null }),
      ]),
      ...section('method', TITLES.method, [...loadBlocks(result), ...definitionBlocks(result)]),
      // This section needs all points, because a joined point is wider than one overloaded second.
      ...section('validity', TITLES.doesNotSay, validityBlocks(whole)),
      ...section('machines', 'Machines', [
        ...machineBlocks(result),
        ...tuningBlocks(result),
        ...monitorBlocks(result),
        ...chartsOfMonitors(result).flatMap(({ name, charts: own }): Block[] => [
          { kind: 'heading', text: name },
          ...charts(own, frame, 'small'),
        ]),
      ]),
      ...section('repeat', TITLES.doAgain, repeatBlocks(result)),
    ],
    origin: `Holdfast ${run.holdfastVersion} · run ${run.id}`,
  };
}

/** Returns the common time axis of all charts. */
function makeFrame(result: RunResult): ReportFrame {
  return {
    to: endOf(result),
    stages: stageBands(result),
    ranges: listShadedRanges(result),
    overloaded: result.windows.filter(({ overloadedBy }) => overloadedBy.length > 0).map(({ second, width }) => ({ second, width })),
  };
}

/** Returns the charts with data as blocks. */
function charts(all: readonly RunChart[], frame: ReportFrame, size: 'large' | 'small'): Block[] {
  return all.filter(({ data }) => data.series.length > 0).map((chart) => ({ kind: 'chart', size, chart: { ...chart, frame } }));
}

/** Maximum number of items of a list on the single page; the whole report contains all of them. */
const MAX_ITEMS = 4;
const MAX_LISTS = 3;
const MAX_TEXTS = 3;
/** Maximum number of rows of a table on the single page. A longer table would leave no space for the rest. */
const MAX_ROWS = 9;

/** Returns a summary on one page: verdict, key figures, reasons, the main chart and next steps. */
export function shortenToOnePage(report: Report): Report {
  const [response] = report.sections;
  if (response === undefined) return report;
  const main = mainPicture(response.blocks);
  const counts = { list: 0, text: 0, table: 0 };
  const isAmong = (kind: keyof typeof counts, max: number): boolean => (counts[kind] += 1) <= max;
  const blocks = response.blocks.flatMap((block): Block[] => {
    switch (block.kind) {
      case 'verdict':
      case 'tiles':
      case 'pairs':
        return [block];
      case 'text':
        return isAmong('text', MAX_TEXTS) ? [block] : [];
      case 'list':
        return isAmong('list', MAX_LISTS) ? [{ ...block, items: takeFirstItems(block.items) }] : [];
      case 'table':
        return block.rows.length <= MAX_ROWS && isAmong('table', 1) ? [block] : [];
      default:
        return block === main ? [block] : [];
    }
  });
  return { ...report, sections: [{ ...response, blocks: [...blocks, ...picturesElsewhere(report, main)] }] };
}

function takeFirstItems(items: readonly string[]): string[] {
  const more = items.length - MAX_ITEMS;
  return [...items.slice(0, MAX_ITEMS), ...(more > 0 ? [`${formatCount(more)} more in the whole report.`] : [])];
}

type Picture = Extract<Block, { kind: 'chart' | 'levels' }>;

function isPicture(block: Block): block is Picture {
  return block.kind === 'chart' || block.kind === 'levels';
}

/**
 * Returns the chart in which a criterion failed. If none failed, returns the last chart of times, because times are more important than
 * rates.
 */
function mainPicture(blocks: readonly Block[]): Picture | undefined {
  const all = blocks.filter(isPicture);
  const failed = all.find(({ chart }) => 'limits' in chart && chart.limits.some(({ breaches }) => (breaches?.spans.length ?? 0) > 0));
  return failed ?? all.findLast(({ chart }) => chart.unit === 'ms') ?? all.at(-1);
}

/** Returns the main chart from other sections if the first section has none, as in a search. */
function picturesElsewhere({ sections }: Report, main: Picture | undefined): Picture[] {
  if (main !== undefined) return [];
  const other = mainPicture(sections.slice(1).flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'levels')));
  return other === undefined ? [] : [other];
}
