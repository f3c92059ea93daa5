import { getOwn } from '#core/base/ownMembers.ts';
/** Text that is markup already. Only {@link markup} makes it, so what comes from outside is escaped wherever it is put. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Markup | readonly Part[];

/** HTML or SVG with values put in: texts are escaped, markup is taken as it is, lists are joined. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((all, text, index) => `${all}${partText(parts[index - 1] ?? '')}${text}`));
}

function partText(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(partText).join('') : escaped(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Fit for text and for attributes in quotes. Letters that no document may hold are left out. */
export function escaped(text: string): string {
  return withoutControls(text).replaceAll(/[&<>"']/g, (letter) => getOwn(ESCAPES, letter) ?? letter);
}

/**
 * Without the control characters that neither HTML nor XML may hold, those of C1, the marks that turn the direction of whatever follows, and
 * halves of surrogate pairs.
 */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the ones that have to go
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, '');
}

export const NOTHING = new Markup('');
