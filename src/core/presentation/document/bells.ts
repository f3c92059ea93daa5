import { formatCount, formatMs, formatSeconds, UNKNOWN_TEXT } from '#core/base/units.ts';
import { type BellResult, bellSentences } from '#core/result/bells.ts';
import type { RunResult } from '#core/result/schema.ts';
import { openingCharts, openingStates } from '../charts/bellSeries.ts';
import { formatElapsed } from '../charts/units.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import { type Block, column, list, numbers, type Passage, table, type Tile } from './model.ts';

/** Returns the main figures of an opening: how soon users were served, and who was lost. */
export function openingTiles(bell: BellResult): Tile[] {
  const { waited, late, absent, failed, unfinished, reloaded, lastServedMs, recovery } = bell;
  const away = late + absent;
  const waiting = `of ${formatCount(waited)} who waited`;
  return [
    ...bell.servedWithin.map(({ seconds, users }) => ({
      name: `Served within ${formatSeconds(seconds)}`,
      value: formatCount(users),
      note: waiting,
    })),
    { name: 'Last one served', value: lastServedMs === null ? '–' : formatMs(lastServedMs), note: 'after the bell' },
    { name: 'Lost', value: formatCount(failed + unfinished), note: lostNote(bell) || waiting },
    { name: 'Had to reload', value: formatCount(reloaded), note: waiting },
    ...(away === 0 ? [] : [{ name: 'Not there in time', value: formatCount(away), note: `of ${formatCount(waited + away)} users` }]),
    ...(recovery === undefined ? [] : [{ name: 'Back to normal', ...recoveryText(recovery) }]),
  ];
}

function lostNote({ failed, unfinished }: BellResult): string {
  const parts = withoutAbsent([
    failed > 0 && `${formatCount(failed)} failed`,
    unfinished > 0 && `${formatCount(unfinished)} without a response`,
  ]);
  return parts.join(', ');
}

function recoveryText({
  seconds,
  resolutionSeconds,
  watchedSeconds,
  beforeMs,
  reason,
}: NonNullable<BellResult['recovery']>): Omit<Tile, 'name'> {
  if (reason !== null) return { value: UNKNOWN_TEXT, note: 'too little to compare with' };
  if (seconds === null) return { value: 'no', note: `not within ${formatSeconds(watchedSeconds)}` };
  return { value: formatSeconds(Math.max(seconds, resolutionSeconds)), note: `p90 again ${formatMs(beforeMs)} or less` };
}

/** Returns the main figures of the first bell that rang, for the head of a result. */
export function headTilesOfBell({ bells }: Pick<RunResult, 'bells'>): Tile[] {
  const bell = rungBells(bells).find(({ waited }) => waited > 0);
  if (bell === undefined) return [];
  const { servedWithin, waited, lastServedMs, bell: name } = bell;
  const middle = servedWithin[1];
  return [
    { name: 'Last one served', value: lastServedMs === null ? '–' : formatMs(lastServedMs), note: `after the bell “${name}”` },
    ...(middle === undefined
      ? []
      : [
          {
            name: `Served within ${formatSeconds(middle.seconds)}`,
            value: `${formatCount(middle.users)} of ${formatCount(waited)}`,
            note: `of the bell “${name}”`,
          },
        ]),
  ];
}

/** Returns the openings as charts of a report. */
export function openingBlocks({ bells }: Pick<RunResult, 'bells'>): Block[] {
  return openingCharts(rungBells(bells)).map(({ chart, toSeconds }) => ({
    kind: 'chart',
    size: 'large',
    chart: { ...chart, frame: { to: toSeconds, stages: [], ranges: [], overloaded: [] } },
  }));
}

function rungBells(bells: readonly BellResult[] = []): BellResult[] {
  return bells.filter(({ isCalledOff }) => isCalledOff !== true);
}

/** Times after a bell that the table of an opening shows, in seconds. */
const SHOWN_SECONDS: ReadonlySet<number> = new Set([0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 7, 10]);

/** Returns sentences about each bell, the bells' figures, and the opening of each bell as a table. */
export function bellBlocks({ bells = [] }: Pick<RunResult, 'bells'>): Passage[] {
  const rung = rungBells(bells);
  return [
    ...list('What happened at the bells', bells.flatMap(bellSentences)),
    ...table('Users of each bell', rung, [
      column('Bell', ({ bell }) => bell),
      column('Step', ({ step }) => step),
      numbers('At', ({ atSecond }) => formatElapsed(atSecond)),
      numbers('Waited', ({ waited }) => formatCount(waited)),
      numbers('Served', ({ served }) => formatCount(served)),
      numbers('Lost', ({ failed, unfinished }) => formatCount(failed + unfinished)),
      numbers('Had to reload', ({ reloaded }) => formatCount(reloaded)),
      numbers('Late', ({ late }) => formatCount(late)),
      numbers('Absent', ({ absent }) => formatCount(absent)),
      numbers('Median', ({ p50Ms }) => (p50Ms === null ? '–' : formatMs(p50Ms))),
      numbers('p95', ({ p95Ms }) => (p95Ms === null ? '–' : formatMs(p95Ms))),
      numbers('Last', ({ lastServedMs }) => (lastServedMs === null ? '–' : formatMs(lastServedMs))),
    ]),
    ...openingCharts(rung).flatMap(({ bell, chart }) =>
      table(
        chart.title,
        openingStates(bell).filter(({ afterSeconds }) => SHOWN_SECONDS.has(afterSeconds)),
        [
          numbers('After the bell', ({ afterSeconds }) => formatSeconds(afterSeconds)),
          numbers('Waiting', ({ waiting }) => formatCount(waiting)),
          numbers('Served', ({ served }) => formatCount(served)),
          numbers('Lost', ({ failed }) => formatCount(failed)),
        ],
      ),
    ),
  ];
}
