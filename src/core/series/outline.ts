import { joinGeneratorNames } from '#core/plan/hosts/generatorNames.ts';
import { countPlannedRequests, computePlannedSeconds } from '#core/work/load/planned.ts';
import { loadSentences } from '#core/work/load/loadWords.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { listCommands, type SeriesDocument } from '#core/plan/schema/series.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import { listTargets } from '../plan/url.ts';
import { expandSeries, listTurns, type SeriesCell } from './cells.ts';
import { computeSeriesSeconds } from './check.ts';

/** Preview of a series. */
export interface SeriesOutline {
  /** The runs in order. */
  readonly turns: readonly {
    readonly cell: string;
    readonly repeat: number;
    /** Loads of the stages in words. For an impossible cell, the reason why it is impossible. */
    readonly load: readonly string[];
    readonly isPossible: boolean;
    /** Load generators in words; null for this computer. */
    readonly places: string | null;
    /** Duration in seconds; null if it depends on responses. */
    readonly seconds: number | null;
  }[];
  readonly repeats: number;
  /** Minimum duration of loads and pauses in seconds; null if it depends on responses. */
  readonly seconds: number | null;
  readonly engine: string;
  /** Commands that run on this computer after the user has agreed. */
  readonly commands: readonly string[];
}

export function outlineSeries(document: SeriesDocument): SeriesOutline {
  const { cells, engine } = expandSeries(document);
  const turns = listTurns(document.series).flatMap(({ cell: index, repeat }) => {
    const cell = cells[index];
    return cell === undefined ? [] : [{ ...outlineTurn(cell), repeat }];
  });
  return {
    turns,
    repeats: document.series.repeats,
    seconds: computeSeriesSeconds(document),
    engine: engine.reason,
    commands: listCommands(document),
  };
}

function outlineTurn({ name, plan, on, problem }: SeriesCell): Omit<SeriesOutline['turns'][number], 'repeat'> {
  const places = on === null ? null : joinGeneratorNames(on);
  if (problem !== null) return { cell: name, load: [problem], isPossible: false, places, seconds: 0 };
  return { cell: name, load: loadSentences(plan), isPossible: true, places, seconds: computePlannedSeconds(plan) };
}

/** Formats the preview: the load of each cell (once), the order, the duration and the requests. */
export function outlineText({ plan: { name } }: SeriesDocument, description: SeriesOutline): string {
  const { turns, repeats, seconds, engine, commands } = description;
  const possible = turns.filter(({ isPossible }) => isPossible).length;
  const cells = [...new Map(turns.map((turn) => [turn.cell, turn])).values()];
  const lines = [
    `${name}: ${formatCount(cells.length)} ${cells.length === 1 ? 'cell' : 'cells'}, ${formatCount(possible)} runs`,
    '',
    'Cells',
    ...cells.map(
      (turn) =>
        `  ${turn.cell}: ${turn.isPossible ? '' : 'left out. '}${turn.load.join(' ')}${formatDuration(turn.seconds, turn.isPossible)}${turn.places === null ? '' : `, from ${turn.places}`}`,
    ),
    '',
    'In this order',
    ...turns.map(({ cell, repeat, isPossible }, index) => {
      const which = repeats === 1 ? cell : `${cell}, ${formatCount(repeat)} of ${formatCount(repeats)}`;
      return `  ${formatCount(index + 1)}. ${which}${isPossible ? '' : ' (left out)'}`;
    }),
    '',
    seconds === null ? 'The duration depends on how fast the server responds.' : formatAtLeast(seconds),
    engine,
    ...(commands.length === 0
      ? []
      : ['Commands on this computer, which run only once you have agreed', ...commands.map((command) => `  $ ${command}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function formatDuration(seconds: number | null, isPossible: boolean): string {
  return seconds === null || !isPossible ? '' : ` (${formatSeconds(seconds)})`;
}

export interface SeriesTotals {
  /** Addresses, each once. */
  readonly urls: readonly string[];
  /** Minimum duration of loads and pauses in seconds; null if it depends on responses. */
  readonly seconds: number | null;
  /** Number of requests of all runs; null if it depends on responses. */
  readonly requests: number | null;
}

/** Returns the sums over all runs of a series, without impossible cells. */
export function seriesTotals(document: SeriesDocument): SeriesTotals {
  const { cells } = expandSeries(document);
  const runs = listTurns(document.series).flatMap(({ cell }) => cells[cell] ?? []);
  const requests = runs.filter(({ problem }) => problem === null).map(({ plan }) => countPlannedRequests(plan));
  return {
    urls: [...new Set(cells.flatMap(({ plan }) => listTargets(plan).map(({ url }) => url)))],
    seconds: computeSeriesSeconds(document),
    requests: requests.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
  };
}

/** Describes a series for people who must agree to it before it runs. */
export function describeSeries(document: SeriesDocument): string[] {
  const { series } = document;
  const { cells } = expandSeries(document);
  const runs = listTurns(series).length;
  const seconds = computeSeriesSeconds(document);
  const several = series.repeats === 1 ? '' : `, each ${formatCount(series.repeats)} times`;
  return withoutAbsent([
    `The plan is run ${formatCount(runs)} times, one run after the other, for ${formatCount(cells.length)} places of a table${several}.`,
    ...cells.map(
      ({ name, plan, on }) =>
        `“${name}”: ${plan.targets.map(({ url }) => url).join(', ')}${on === null ? '' : `, from ${joinGeneratorNames(on)}`}.`,
    ),
    seconds !== null && `All runs and the pauses between them take at least ${formatSeconds(seconds)}.`,
  ]);
}

/** States the minimum duration, because targets may need time between loads. */
export function formatAtLeast(seconds: number): string {
  return `The loads and pauses take at least ${formatSeconds(seconds)}.`;
}
