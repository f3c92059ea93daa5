import { getOwn } from './ownMembers.ts';

/** Lines of a CSV file (RFC 4180). */
export function csvLines(rows: readonly (readonly (number | string | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** A field of a CSV line. Names come from outside, so it never starts what a spreadsheet would take for a formula. */
export function csvField(value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What files of a run or a series are called, without the ending. */
export function exportName({ name, id }: { readonly name: string; readonly id: string }): string {
  return `holdfast-${fileSafe(name)}-${id}`;
}

/** Letters and digits of any script joined by dashes: a name that every file system takes. */
export function fileSafe(name: string): string {
  const safe = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'run' : safe;
}

/** A name without what differs between programs and languages: case, spaces, signs. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Letters that a terminal obeys or hides instead of showing them: control characters (C0, DEL, C1) beside line feed and tab, formats (marks of
 * direction, of zero width, tags), line and paragraph separators, halves of surrogate pairs.
 */
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text with each such letter written as JSON writes it, `\u001b`: whoever made the text, nothing in it steers a terminal, and JSON stays the same JSON. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, escapes);
}

/** The same of a text that is shown on one line, as a name is: line feeds and tabs are written too, `\n` and `\t`. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`));
}

/** A text of others in a sentence of ours: in quotes, on one line. */
export function quoted(text: string): string {
  return `“${visibleLine(text)}”`;
}

function escapes(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => String.raw`\u${letter.charCodeAt(index).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

/**
 * The same text in memory of its own. Engines make a slice of a text point into the whole, so 40 characters of a page keep all of it alive for as long as they are kept;
 * whatever is kept of an answer when its request is over is copied. Reading a text from JSON always makes a new one.
 */
export function flatCopy(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}

/** Why a text is not read whose parts stand in each other: a formula, a document. */
export const NESTED_TOO_DEEPLY = 'it is nested too deeply';

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** What Node calls a system (“linux 6.1.0 x64”), as its maker writes it: “Linux 6.1.0 x64”. */
export function systemName(platform: string): string {
  const [id = '', ...rest] = platform.split(' ');
  return [getOwn(SYSTEMS, id) ?? id, ...rest].join(' ');
}

/** A text that begins with a capital. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
