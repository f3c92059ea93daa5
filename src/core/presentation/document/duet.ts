import { countOf, formatMs } from '#core/base/units.ts';
import { DUET_TITLES, duetFigures, type DuetResult } from '#core/result/duet.ts';
import { levelName } from '#core/series/levels.ts';
import type { SeriesRow } from '#core/series/result.ts';
import { column, numbers, table, type TableBlock } from './model.ts';

export const DUET_TABLE_TITLE = 'Variants';

/** Returns a table with a row for each of the two variants of a duet. */
export function duetTable(duet: DuetResult, title: string = DUET_TABLE_TITLE): TableBlock[] {
  const [typical, ok, failed] = DUET_TITLES;
  return table(
    title,
    duetFigures(duet),
    [
      column('Variant', ({ name }) => name),
      numbers(typical, (side) => side.typical),
      numbers(ok, (side) => side.ok),
      numbers(failed, (side) => side.failed),
    ],
    `Both took turns every ${formatMs(duet.slotMs)}: ${countOf(duet.pairs, 'pair')} of slots were compared.`,
  );
}

/** Returns a table for each duet of a series. Its title names the level and the repeat, if there are several. */
export function seriesDuetTables(rows: readonly SeriesRow[]): TableBlock[] {
  return rows.flatMap(({ level, runs }) =>
    runs.flatMap(({ figures, repeat }) => {
      if (figures?.duet == null) return [];
      const at = levelName(level);
      const title = [at === '' ? DUET_TABLE_TITLE : `${DUET_TABLE_TITLE} at ${at}`, ...(runs.length > 1 ? [`run ${repeat}`] : [])].join(
        ', ',
      );
      return duetTable(figures.duet, title);
    }),
  );
}
