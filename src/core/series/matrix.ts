import { formatMs, formatRate, formatShare } from '#core/base/units.ts';
import { levelName } from './levels.ts';
import type { CellState, SeriesRow } from './result.ts';
import { LEVEL_FIELDS, type LevelField } from '#core/plan/schema/series.ts';

export const MATRIX_MEASURES = ['throughput', 'p95', 'failedShare'] as const;
export type MatrixMeasure = (typeof MATRIX_MEASURES)[number];

/** A cell of a matrix: a measured figure, or the state and its reason. */
export interface MatrixCell {
  readonly figure: string | null;
  /** State of the cell; null if the series has no such cell. */
  readonly state: CellState | null;
  readonly note: string | null;
}

/** One variant of a series that varies two fields of the load. */
export interface Matrix {
  readonly variant: string;
  /** Field of the rows; `across`: field of the columns. */
  readonly down: LevelField;
  readonly across: LevelField;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly places: readonly MatrixCell[] }[];
}

const FORMATS: Readonly<Record<MatrixMeasure, (value: number) => string>> = {
  throughput: formatRate,
  p95: formatMs,
  failedShare: formatShare,
};

/**
 * Returns a table for each variant of a series that varies two fields of the load, for example with connections across and requests down.
 * Empty for other series. A cell without a complete measurement has its state instead of a number.
 */
export function listMatrices(rows: readonly SeriesRow[], measure: MatrixMeasure): Matrix[] {
  const fields = LEVEL_FIELDS.filter((field) => rows.some(({ level }) => level[field] !== undefined));
  const [across, down] = fields;
  if (down === undefined || across === undefined) return [];
  const columns = listValues(rows, across);
  const lines = listValues(rows, down);
  return [...new Set(rows.map(({ variant }) => variant ?? ''))].map((variant) => ({
    variant,
    down,
    across,
    columns: columns.map((value) => levelName({ [across]: value })),
    rows: lines.map((line) => ({
      label: levelName({ [down]: line }),
      places: columns.map((column) =>
        placeOf(
          rows.find((row) => (row.variant ?? '') === variant && row.level[down] === line && row.level[across] === column),
          measure,
        ),
      ),
    })),
  }));
}

function listValues(rows: readonly SeriesRow[], field: LevelField): number[] {
  return [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((one, other) => one - other);
}

function placeOf(row: SeriesRow | undefined, measure: MatrixMeasure): MatrixCell {
  if (row === undefined) return { figure: null, state: null, note: null };
  const spread = row[measure];
  return { figure: spread === null ? null : FORMATS[measure](spread.median), state: row.state, note: row.note };
}
