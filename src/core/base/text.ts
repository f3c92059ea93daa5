import { getOwn } from './ownMembers.ts';

/** Formats lines of a CSV file (RFC 4180). */
export function csvLines(rows: readonly (readonly (number | string | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** Formats a field of a CSV line. Foreign text never begins like a formula of a spreadsheet. */
export function csvField(value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns the file name of a run or series, without extension. */
export function exportName({ name, id }: { readonly name: string; readonly id: string }): string {
  return `holdfast-${fileSafe(name)}-${id}`;
}

/** Joins letters and digits of any script with dashes, so that every file system accepts the name. */
export function fileSafe(name: string): string {
  const safe = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'run' : safe;
}

/** Returns the name, or the first numbered one that is not taken: `name_2`, `name_3`. */
export function freeName(
  name: string,
  isTaken: (name: string) => boolean,
  numbered = (number: number): string => `${name}_${number}`,
): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = numbered(number);
  return free;
}

/** Removes what differs between programs and languages: case, spaces, signs. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Characters that a terminal interprets or hides: control characters (C0, DEL, C1) except line feed and tab, format characters (direction,
 * zero width, tags), line and paragraph separators, unpaired surrogates.
 */
const INVISIBLE_CHARACTERS = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes invisible characters as in JSON (`\u001b`), so foreign text cannot control a terminal. JSON still parses to the same value. */
export function visibleText(text: string): string {
  return text.replaceAll(INVISIBLE_CHARACTERS, escapeCharacter);
}

/** Like {@link visibleText} for a single line: also escapes line feeds and tabs as `\n` and `\t`. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`));
}

export function quote(text: string): string {
  return `“${visibleLine(text)}”`;
}

function escapeCharacter(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => String.raw`\u${letter.charCodeAt(index).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

/**
 * Copies a text. JavaScript engines implement a slice as a reference to the whole text, so 40 characters of a page would keep the page in
 * memory. Text that outlives its request is copied. Parsing JSON always creates a new string.
 */
export function flatCopy(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}

/** Reason for not parsing a deeply nested formula or document. */
export const NESTED_TOO_DEEPLY = 'it is nested too deeply';

const SYSTEM_NAMES: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** Formats Node's name of a system (“linux 6.1.0 x64”) like its maker: “Linux 6.1.0 x64”. */
export function systemName(platform: string): string {
  const [id = '', ...rest] = platform.split(' ');
  return [getOwn(SYSTEM_NAMES, id) ?? id, ...rest].join(' ');
}

/** Capitalizes the first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
