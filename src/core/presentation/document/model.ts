import type { Distribution } from '#core/result/distribution.ts';
import type { Finding, Verdict } from '#core/result/schema.ts';
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

interface Column {
  readonly name: string;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
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

export type Block =
  | { readonly kind: 'verdict'; readonly outcome: Verdict['outcome']; readonly sentence: string }
  | { readonly kind: 'tiles'; readonly tiles: readonly Tile[] }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'pairs'; readonly title: string; readonly pairs: readonly (readonly [name: string, text: string])[] }
  | {
      readonly kind: 'table';
      readonly title: string;
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly string[])[];
      /** What a reader of the table must know. */
      readonly note?: string;
    }
  | { readonly kind: 'chart'; readonly size: 'large' | 'small'; readonly chart: ReportChart }
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
  | { readonly kind: 'finding'; readonly number: number; readonly finding: Finding }
  | { readonly kind: 'code'; readonly title: string; readonly text: string };

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

/** Short ways to say what a section holds; what would be empty says nothing. */

export function text(words: string): Block[] {
  return words === '' ? [] : [{ kind: 'text', text: words }];
}

export function list(title: string, items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items }];
}

export function pairs(title: string, all: readonly (readonly [name: string, text: string])[]): Block[] {
  return all.length === 0 ? [] : [{ kind: 'pairs', title, pairs: all }];
}

/** Columns of numbers are marked by a leading `#`: "step", "#sent". */
export function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[], note?: string): Block[] {
  if (rows.length === 0) return [];
  return [{ kind: 'table', title, columns: columns.map(columnOf), rows, ...(note === undefined ? {} : { note }) }];
}

function columnOf(name: string): Column {
  return name.startsWith('#') ? { name: name.slice(1), numeric: true } : { name };
}

/** Nothing where a section would have only its title. */
export function section(id: string, title: string, blocks: readonly Block[]): Section[] {
  return blocks.length === 0 ? [] : [{ id, title, blocks }];
}
