export const NO_BREAK = '\u00A0';
/** What stands behind a number as its unit, and not as a word. */
const UNIT = String.raw`(?:%|µs|ms|s|min|h|[kMGTP]?B|[KMG]iB|[kMG]bit)(?![\p{L}\p{N}])`;
const BEFORE_UNIT = new RegExp(String.raw`(?<=\p{N}) (?=${UNIT})`, 'gu');
/** “100 a second”. */
const A_SECOND = /(?<=\p{N}) a second(?!\p{L})/gu;
/** Between the parts of one length of time: “2 min 40 s”. */
const WITHIN_TIME = new RegExp(String.raw`(?<=\p{N}${NO_BREAK}(?:h|min)) (?=\p{N}+${NO_BREAK}(?:min|s)(?![\p{L}\p{N}]))`, 'gu');

/**
 * A text for a page: no number is parted from its unit at the end of a line. Texts hold plain blanks, which programs and people search for; whoever lays
 * them out asks for this: `laidOut` for screens, `markup` for reports, `inline` for Markdown, `folded` for terminals.
 */
export function unbroken(text: string): string {
  return text.replaceAll(BEFORE_UNIT, NO_BREAK).replaceAll(WITHIN_TIME, NO_BREAK).replaceAll(A_SECOND, `${NO_BREAK}a${NO_BREAK}second`);
}
