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

function escapes(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => String.raw`\u${letter.charCodeAt(index).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
