/** As wide as texts are when nobody says how wide the terminal is. */
export const USUAL_COLUMNS = 100;
/** Names that are this long or shorter share their line with the figures. */
const LONGEST_BESIDE = 48;
const GAP = 2;

export interface TextTable {
  /** Titles of the figures; the column of the names has none. */
  readonly columns: readonly string[];
  /** Each a name and its figures; a row of a name alone is a title among them. */
  readonly rows: readonly (readonly [name: string, ...figures: string[]])[];
  readonly indent?: number;
  /** How wide the terminal is. */
  readonly width?: number | undefined;
}

/**
 * A table for a terminal, in which nothing is cut: a name that is too long for its column stands on a line of its own above its figures, folded where the terminal is
 * narrower than it, and where even the figures do not fit beside each other, they follow it behind their titles.
 */
export function textTable({ columns, rows, indent = 2, width = USUAL_COLUMNS }: TextTable): string[] {
  const figures = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at + 1] ?? '').length)) + GAP);
  const taken = figures.reduce((sum, one) => sum + one, 0);
  const inner = Math.max(10, width - indent);
  const names = rows.flatMap((row) => (row.length > 1 && row[0].length <= LONGEST_BESIDE ? [row[0].length] : []));
  const longest = Math.max(0, ...names);
  if (taken + 4 > inner) return listed({ columns, rows }, indent, inner);
  const column = Math.max(4, Math.min(longest, inner - taken));
  const pad = ' '.repeat(indent);
  const cells = (values: readonly string[]): string => figures.map((size, at) => (values[at] ?? '').padStart(size)).join('');
  const lines = rows.flatMap(([name, ...values]) => {
    if (values.length === 0) return folded(name, inner);
    if (name.length <= column) return [`${name.padEnd(column)}${cells(values)}`];
    return [...folded(name, inner), `${' '.repeat(column)}${cells(values)}`];
  });
  return [`${' '.repeat(column)}${cells(columns)}`, ...lines].map((line) => `${pad}${line}`.trimEnd());
}

/** A name, and below it its figures behind their titles. */
function listed({ columns, rows }: Pick<TextTable, 'columns' | 'rows'>, indent: number, inner: number): string[] {
  const pad = ' '.repeat(indent);
  return rows.flatMap(([name, ...values]) => {
    const inset = ' '.repeat(name.length - name.trimStart().length + GAP);
    const said = values.map((value, at) => `${columns[at] ?? ''} ${value}`).join(', ');
    const below = said === '' ? [] : folded(said, inner - inset.length).map((line) => `${inset}${line}`);
    return [...folded(name, inner), ...below].map((line) => `${pad}${line}`);
  });
}

/** In lines of at most so many letters, parted at blanks where there are some. */
export function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const at = blank > width / 3 ? blank : width;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `  ${rest.slice(at).trimStart()}`;
    if (width <= 4) break;
  }
  return [...lines, rest];
}
