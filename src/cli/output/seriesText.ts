import { capacityOfSeries } from '#core/series/capacity.ts';
import { capacityBlocks } from '#core/presentation/document/capacity.ts';
import { passageLines } from '#core/presentation/text/textTable.ts';
import { matrixTables, seriesTable } from '#core/presentation/document/seriesTables.ts';
import { behaviourOfRow } from '#core/series/behaviour.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount } from '#core/base/units.ts';
import { TABLE_WIDTH } from './table.ts';

/** Ids of series begin so, those of runs with the year. */
export function isSeriesId(text: string): boolean {
  return text.startsWith('s-');
}

/** A series for a terminal: the table first, then what stands out in it and what a reader must know. */
export function seriesText(result: SeriesResult): string {
  const { series, document, engine, rows, best, differences, effects, smallest, fits, notes, done, planned } = result;
  const ended = series.endedBecause === null ? series.state : `${series.state}: ${series.endedBecause}`;
  const sections = [
    `${series.name} · ${formatCount(done)} of ${formatCount(planned)} runs · ${ended}\n`,
    lines(passageLines([...seriesTable(result), ...matrixTables(result, 'throughput')], TABLE_WIDTH)),
    lines([...(best === null ? [] : [`Best: ${best.cell}. ${best.reason}`]), ...differences.map(({ text }) => text), ...notes]),
    lines(passageLines(capacityBlocks(capacityOfSeries(result)))),
    list(
      'What each factor changes',
      effects.map(({ text }) => text),
    ),
    list(
      'The smallest machine that keeps every limit',
      smallest.map(({ text }) => text),
    ),
    list(
      'Time over what was varied',
      fits.map(({ text }) => text),
    ),
    ...rows.map((row) => list(`How “${row.cell}” behaved`, behaviourOfRow(row))),
    list('What to look at', document.plan.lookAt),
    lines([engine.reason, `Series ${series.id} · ${series.startedAt}`]),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function list(title: string, texts: readonly string[]): string {
  return texts.length === 0 ? '' : lines([`${title}:`, ...texts.map((text) => `  - ${text}`)]);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
