import type { Block, Column, Section } from './model.ts';

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
