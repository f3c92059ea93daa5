import type { Distribution } from '#core/result/distribution.ts';
import type { Finding, Verdict } from '#core/result/schema.ts';
import type { LevelOutcome } from '#core/search/breakingPoint/reading.ts';
import type { CellState } from '#core/series/result.ts';
import type { LevelData } from '../charts/levels.ts';
import type { ChartBand, ChartData, Limit, ShadedRange, Span, StageBand, Unit } from '../charts/types.ts';

/**
 * A report as data: what it says, in the order in which it is read, and nothing about how it looks. Web page, PDF and Markdown are
 * made from the same one, so they cannot differ in what they say.
 */
export interface Report {
  readonly title: string;
  /** When, how long, against what: one line under the title. */
  readonly facts: readonly string[];
  /** The first one is the answer and stands on a page of its own. */
  readonly sections: readonly Section[];
  /** What made it and of what: stands at the foot of every page. */
  readonly origin: string;
}

export interface Section {
  /** Unique in the report; letters and dashes. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A number that is looked at first. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** A word of the glossary that explains itself where a renderer can show it. */
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
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
  readonly term?: TermCode;
  /** What it means, where the glossary does not say it. */
  readonly explanation?: string;
  /** Left out where there is no room for all columns. */
  readonly minor?: boolean;
}

/** What a cell says by colour and picture too; its text says the same. */
export type Mark = Verdict['outcome'] | 'withinNoise' | CellState | LevelOutcome;

/** A cell that says more than a text. */
export interface RichCell {
  readonly text: string;
  /** What else is to be known, in smaller letters: a spread, a reason. */
  readonly about?: string;
  /** What the text means. */
  readonly explanation?: string;
  readonly mark?: Mark;
  /** A row that is part of the one above it. */
  readonly isPart?: boolean;
}

export type Cell = string | RichCell;

/** A column and what stands in it, in the row of each thing. */
export interface ColumnOf<Row> extends Column {
  readonly cell: (row: Row) => Cell;
}

/** The time that charts of a run share, and what is marked in it. */
export interface ReportFrame {
  /** End of the time axis, in seconds of the run. */
  readonly to: number;
  readonly stages: readonly StageBand[];
  readonly ranges: readonly ShadedRange[];
  /** Seconds in which the generator could not keep up. */
  readonly sick: readonly Span[];
}

/** Values over the time of a run. */
export interface ReportChart {
  readonly title: string;
  readonly unit: Unit;
  /** What the values are, beside the title. */
  readonly about: string;
  readonly data: ChartData;
  readonly bands: readonly ChartBand[];
  readonly limits: readonly Limit[];
  readonly frame: ReportFrame;
}

/** One bar of a chart of bars: the middle of several values with their ends; null where there is none. */
export interface Bar {
  readonly name: string;
  readonly value: { readonly middle: number; readonly least: number; readonly most: number } | null;
  /** What stands beside it. */
  readonly text: string;
}

/** A table as it is rendered: a page, a report and a terminal show the same one. */
export interface TableBlock {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a reader of the table must know. */
  readonly note?: string;
}

/** What is only words and figures: everything renders it, a terminal too. */
export type Passage =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'pairs'; readonly title: string; readonly pairs: readonly (readonly [name: string, text: string])[] }
  | TableBlock;

export type Block =
  | Passage
  | ({ readonly kind: 'verdict' } & Readonly<Pick<Verdict, 'outcome' | 'headline' | 'sentence'>>)
  | { readonly kind: 'tiles'; readonly tiles: readonly Tile[] }
  | { readonly kind: 'chart'; readonly size: 'large' | 'small'; readonly chart: ReportChart }
  | { readonly kind: 'levels'; readonly chart: LevelData }
  | { readonly kind: 'bars'; readonly title: string; readonly bars: readonly Bar[] }
  | {
      readonly kind: 'percentiles';
      readonly title: string;
      readonly about: string;
      readonly lines: readonly (Distribution['lines'][number] & { readonly name: string })[];
      /** What it shows, in words. */
      readonly summary: string;
    }
  | ({ readonly kind: 'heatmap'; readonly title: string; readonly about: string; readonly summary: string } & Distribution['heatmap'])
  | {
      /** What visits looked like, each moment of one below the same moment of the other. */
      readonly kind: 'film';
      readonly title: string;
      readonly strips: readonly {
        readonly name: string;
        /** JPEG in base64; null where nothing was painted by then. */
        readonly pictures: readonly { readonly at: string; readonly jpeg: string | null }[];
      }[];
    }
  | { readonly kind: 'finding'; readonly number: number; readonly finding: Finding }
  | { readonly kind: 'code'; readonly title: string; readonly text: string };

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

/** Short ways to say what a section holds; what would be empty says nothing. */

export function text(words: string): Passage[] {
  return words === '' ? [] : [{ kind: 'text', text: words }];
}

export function list(title: string, items: readonly string[]): Passage[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items }];
}

export function pairs(title: string, all: readonly (readonly [name: string, text: string])[]): Passage[] {
  return all.length === 0 ? [] : [{ kind: 'pairs', title, pairs: all }];
}

/** A column of words. */
export function column<Row>(name: string, cell: (row: Row) => Cell, more: Omit<Column, 'name' | 'numeric'> = {}): ColumnOf<Row> {
  return { name, cell, ...more };
}

/** A column of numbers. */
export function numbers<Row>(name: string, cell: (row: Row) => Cell, more: Omit<Column, 'name' | 'numeric'> = {}): ColumnOf<Row> {
  return { name, numeric: true, cell, ...more };
}

/** A row for each thing, by what its columns say of it. */
export function table<Row>(title: string, rows: readonly Row[], columns: readonly ColumnOf<NoInfer<Row>>[], note?: string): TableBlock[] {
  if (rows.length === 0) return [];
  const heads = columns.map(({ cell: _cell, ...column }): Column => column);
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return [{ kind: 'table', title, columns: heads, rows: lines, ...(note === undefined ? {} : { note }) }];
}

/** A table whose cells are there already. */
export function plainTable(title: string, columns: readonly Column[], rows: readonly (readonly Cell[])[], note?: string): TableBlock[] {
  return table(
    title,
    rows,
    columns.map((head, index) => ({ ...head, cell: (row: readonly Cell[]) => row[index] ?? '' })),
    note,
  );
}

/** A cell where there is only text: what else it says follows in brackets. */
export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.about === undefined || cell.about === '' ? cell.text : `${cell.text} (${cell.about})`;
}

/** Nothing where a section would have only its title. */
export function section(id: string, title: string, blocks: readonly Block[]): Section[] {
  return blocks.length === 0 ? [] : [{ id, title, blocks }];
}
