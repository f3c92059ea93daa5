import type { Distribution } from '#core/result/distribution.ts';
import type { Finding } from '#core/result/schema.ts';
import type { LevelOutcome } from '#core/search/breakingPoint/reading.ts';
import type { CellState } from '#core/series/result.ts';
import type { LevelData } from '../charts/levels.ts';
import type { RunChart, ShadedRange, Span, StageBand } from '../charts/types.ts';
import type { Verdict, VerdictParts } from '#core/result/verdict.ts';

/**
 * A report as data: its content in reading order, without layout. HTML, PDF and Markdown are made from the same report, so that their
 * content cannot differ.
 */
export interface Report {
  readonly title: string;
  /** Start, duration and targets, in one line under the title. */
  readonly facts: readonly string[];
  /** Sections in order. The first one is the verdict and has a page of its own. */
  readonly sections: readonly Section[];
  /** Program version and run, shown in the footer of every page. */
  readonly origin: string;
}

export interface Section {
  /** Id, unique in the report. It consists of lowercase letters and dashes. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A main figure. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** Code of a term in the glossary, which is explained wherever a renderer can show the explanation. */
export type TermCode =
  | 'arrivalRate'
  | 'connections'
  | 'errorAdjusted'
  | 'incompletePage'
  | 'offered'
  | 'p50'
  | 'p90'
  | 'p95'
  | 'p99'
  | 'pageApdex'
  | 'requestApdex'
  | 'throughput'
  | 'users';

export interface Column {
  readonly name: string;
  /** Whether the column is aligned to the right. */
  readonly numeric?: boolean;
  readonly term?: TermCode;
  /** Meaning of the column, if the glossary does not contain it. */
  readonly explanation?: string;
  /** Whether the column is omitted if space is short. */
  readonly minor?: boolean;
}

/** What a cell shows by colour and icon, in addition to its text. */
export type Mark = Verdict['outcome'] | 'withinNoise' | CellState | LevelOutcome;

export interface RichCell {
  readonly text: string;
  /** Secondary text in smaller letters, such as a spread or a reason. */
  readonly about?: string;
  /** Meaning of the text. */
  readonly explanation?: string;
  readonly mark?: Mark;
  /** Address outside of Holdfast that the text leads to. */
  readonly href?: string;
  /** Whether the row is a part of the row above. */
  readonly isPart?: boolean;
}

export type Cell = string | RichCell;

export interface ColumnOf<Row> extends Column {
  readonly cell: (row: Row) => Cell;
}

/** The common time axis of the charts of a run, with marked ranges. */
export interface ReportFrame {
  /** End of the time axis, in seconds since the start of the run. */
  readonly to: number;
  readonly stages: readonly StageBand[];
  readonly ranges: readonly ShadedRange[];
  /** Seconds in which the load generator was overloaded. */
  readonly overloaded: readonly Span[];
}

export interface ReportChart extends RunChart {
  readonly frame: ReportFrame;
}

/** One bar of a bar chart: the median of several values with their minimum and maximum; null if there are no values. */
export interface Bar {
  readonly name: string;
  readonly value: { readonly middle: number; readonly least: number; readonly most: number } | null;
  /** Text beside the bar. */
  readonly text: string;
}

/** A table, the same on a page, in a report and in a terminal. */
export interface TableBlock {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly note?: string;
}

/** A block that consists of words and figures only, so that a terminal can show it, too. */
export type Passage =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'pairs'; readonly title: string; readonly pairs: readonly (readonly [name: string, text: string])[] }
  | TableBlock;

export type Block =
  | Passage
  | ({ readonly kind: 'verdict'; readonly outcome: Verdict['outcome']; readonly title: string } & Readonly<VerdictParts>)
  | { readonly kind: 'tiles'; readonly tiles: readonly Tile[] }
  | { readonly kind: 'chart'; readonly size: 'large' | 'small'; readonly chart: ReportChart }
  | { readonly kind: 'levels'; readonly chart: LevelData }
  | { readonly kind: 'bars'; readonly title: string; readonly bars: readonly Bar[] }
  | {
      readonly kind: 'percentiles';
      readonly title: string;
      readonly about: string;
      readonly lines: readonly (Distribution['lines'][number] & { readonly name: string })[];
      /** Description of the chart in words. */
      readonly summary: string;
    }
  | ({ readonly kind: 'heatmap'; readonly title: string; readonly about: string; readonly summary: string } & Distribution['heatmap'])
  | {
      /** Pictures of visits, with the same moments below each other. */
      readonly kind: 'film';
      readonly title: string;
      readonly strips: readonly {
        readonly name: string;
        /** JPEG in base64; null if nothing had been painted. */
        readonly pictures: readonly { readonly at: string; readonly jpeg: string | null }[];
      }[];
    }
  | { readonly kind: 'finding'; readonly number: number; readonly finding: Finding }
  | { readonly kind: 'code'; readonly title: string; readonly text: string };

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

/** Returns a paragraph. Like the other functions that create blocks, it returns nothing for empty content. */

export function text(words: string): Passage[] {
  return words === '' ? [] : [{ kind: 'text', text: words }];
}

export function list(title: string, items: readonly string[]): Passage[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items }];
}

export function pairs(title: string, all: readonly (readonly [name: string, text: string])[]): Passage[] {
  return all.length === 0 ? [] : [{ kind: 'pairs', title, pairs: all }];
}

/** Returns a column of words, aligned to the left. */
export function column<Row>(name: string, cell: (row: Row) => Cell, more: Omit<Column, 'name' | 'numeric'> = {}): ColumnOf<Row> {
  return { name, cell, ...more };
}

export function numbers<Row>(name: string, cell: (row: Row) => Cell, more: Omit<Column, 'name' | 'numeric'> = {}): ColumnOf<Row> {
  return { name, numeric: true, cell, ...more };
}

export function table<Row>(title: string, rows: readonly Row[], columns: readonly ColumnOf<NoInfer<Row>>[], note?: string): TableBlock[] {
  if (rows.length === 0) return [];
  const heads = columns.map(({ cell: _cell, ...column }): Column => column);
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return [{ kind: 'table', title, columns: heads, rows: lines, ...(note === undefined ? {} : { note }) }];
}

export function plainTable(title: string, columns: readonly Column[], rows: readonly (readonly Cell[])[], note?: string): TableBlock[] {
  return table(
    title,
    rows,
    columns.map((head, index) => ({ ...head, cell: (row: readonly Cell[]) => row[index] ?? '' })),
    note,
  );
}

export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.about === undefined || cell.about === '' ? cell.text : `${cell.text} (${cell.about})`;
}

/** Returns a section; nothing if it would have no blocks. */
export function section(id: string, title: string, blocks: readonly Block[]): Section[] {
  return blocks.length === 0 ? [] : [{ id, title, blocks }];
}
