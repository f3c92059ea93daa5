import { NO_BREAK, bindUnits } from '#core/base/unbroken.ts';
import { cellText, type Column, type Passage, type RichCell, type TableBlock } from '../document/model.ts';

/** Width of text in columns if the width of the terminal is unknown. */
export const USUAL_COLUMNS = 100;
/** Width of wide tables in columns, for a wide or scrolling terminal. */
export const WIDE_COLUMNS = 240;
/** Maximum length of a name on the same line as its figures. */
const MAX_NAME_LENGTH = 48;
const COLUMN_GAP = 2;
const INDENT_WIDTH = 2;

/** Formats passages for a terminal of `width` columns, each with its title and indented content. */
export function passageLines(passages: readonly Passage[], width = USUAL_COLUMNS): string[] {
  return passages.flatMap((passage, place) => {
    const gap = place === 0 || passages[place - 1]?.kind === 'heading' ? [] : [''];
    switch (passage.kind) {
      case 'heading':
        return [passage.text];
      case 'text':
        return [`  ${passage.text}`];
      case 'list':
        return [...gap, passage.title, ...passage.items.map((item) => `  - ${item}`)];
      case 'pairs':
        return [...gap, passage.title, ...passage.pairs.map(([name, text]) => `  ${name}: ${text}`)];
      case 'table':
        return [...gap, passage.title, ...textTable(passage, width), ...(passage.note ? [`  ${passage.note}`] : [])];
      default:
        return passage satisfies never;
    }
  });
}

/**
 * Formats a table for a terminal without cutting text. Omits optional columns if space is short. A name that is too long for its column has
 * its own line above its figures and is wrapped if necessary. If the figures do not fit side by side either, they follow as a list, each
 * after its column title.
 */
export function textTable(table: Pick<TableBlock, 'columns' | 'rows'>, width = USUAL_COLUMNS): string[] {
  const inner = Math.max(10, width - INDENT_WIDTH);
  const whole = measureTable(table);
  const { columns, rows, sizes } = whole.taken + 4 > inner ? measureTable(omitMinorColumns(table)) : whole;
  const usedWidth = sizes.reduce((sum, one) => sum + one, 0);
  const [first = '', ...titles] = columns.map(({ name }) => name);
  const lines = rows.map(({ cells, isPart, about }) => {
    const inset = isPart ? '  ' : '';
    return {
      cells: [`${inset}${cells[0] ?? ''}`, ...cells.slice(1)] as const,
      below: about === '' ? [] : foldText(`${inset}  ${about}`, inner),
    };
  });
  if (usedWidth + 4 > inner) return listRows(titles, lines, inner);
  const names = lines.flatMap(({ cells: [name] }) => (name.length <= MAX_NAME_LENGTH ? [name.length] : []));
  const column = Math.max(4, Math.min(Math.max(first.length, ...names), inner - usedWidth));
  const head = first.length <= column ? first : '';
  const line = (values: readonly string[]): string =>
    sizes
      .map((size, at) => {
        const value = values[at] ?? '';
        return columns[at + 1]?.numeric === true ? value.padStart(size) : `${' '.repeat(COLUMN_GAP)}${value.padEnd(size - COLUMN_GAP)}`;
      })
      .join('');
  return [
    `${head.padEnd(column)}${line(titles)}`,
    ...lines.flatMap(({ cells: [name, ...values], below }) =>
      name.length <= column
        ? [`${name.padEnd(column)}${line(values)}`, ...below]
        : [...foldText(name, inner), `${' '.repeat(column)}${line(values)}`, ...below],
    ),
  ].map((text) => `${' '.repeat(INDENT_WIDTH)}${text}`.trimEnd());
}

interface MeasuredTable {
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly isPart: boolean; readonly about: string }[];
  /** Widths of all columns except the names. */
  readonly sizes: readonly number[];
  readonly taken: number;
}

function measureTable({ columns, rows }: Pick<TableBlock, 'columns' | 'rows'>): MeasuredTable {
  const texts = rows.map(([first = '', ...others]) => {
    const { text, isPart = false, about = '' }: RichCell = typeof first === 'string' ? { text: first } : first;
    return { cells: [text, ...others.map(cellText)], isPart, about };
  });
  const sizes = columns
    .slice(1)
    .map(({ name }, at) => Math.max(name.length, ...texts.map(({ cells }) => cells[at + 1]?.length ?? 0)) + COLUMN_GAP);
  return { columns, rows: texts, sizes, taken: sizes.reduce((sum, one) => sum + one, 0) };
}

function omitMinorColumns({ columns, rows }: Pick<TableBlock, 'columns' | 'rows'>): Pick<TableBlock, 'columns' | 'rows'> {
  const isKept = (_: unknown, at: number): boolean => columns[at]?.minor !== true;
  return { columns: columns.filter(isKept), rows: rows.map((cells) => cells.filter(isKept)) };
}

/** Formats a name, with its figures and the figures' titles below. */
function listRows(
  titles: readonly string[],
  lines: readonly { readonly cells: readonly [name: string, ...values: string[]]; readonly below: readonly string[] }[],
  inner: number,
): string[] {
  const pad = ' '.repeat(INDENT_WIDTH);
  return lines.flatMap(({ cells: [name, ...values], below }) => {
    const inset = ' '.repeat(name.length - name.trimStart().length + COLUMN_GAP);
    const valueTexts = values.flatMap((value, at) => (value === '' ? [] : [`${titles[at] ?? ''} ${value}`])).join(', ');
    const figures = valueTexts === '' ? [] : foldText(valueTexts, inner - inset.length).map((line) => `${inset}${line}`);
    return [...foldText(name, inner), ...below, ...figures].map((line) => `${pad}${line}`);
  });
}

/** Wraps text into lines of at most `width` characters, at spaces if possible, but never between a number and its unit. */
export function foldText(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = bindUnits(text);
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const at = blank > width / 3 ? blank : width;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `  ${rest.slice(at).trimStart()}`;
    if (width <= 4) break;
  }
  return [...lines, rest].map((line) => line.replaceAll(NO_BREAK, ' '));
}
