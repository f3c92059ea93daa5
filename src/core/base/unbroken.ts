export const NO_BREAK = '\u00A0';
/** Units that may follow a number. */
const UNIT = String.raw`(?:%|µs|ms|s|min|h|[kMGTP]?B|[KMG]iB|[kMG]bit)(?![\p{L}\p{N}])`;
const BEFORE_UNIT = new RegExp(String.raw`(?<=\p{N}) (?=${UNIT})`, 'gu');
/** Matches “100 a second”. */
const A_SECOND = /(?<=\p{N}) a second(?!\p{L})/gu;
/** Matches blanks within a duration: “2 min 40 s”. */
const WITHIN_TIME = new RegExp(String.raw`(?<=\p{N}${NO_BREAK}(?:h|min)) (?=\p{N}+${NO_BREAK}(?:min|s)(?![\p{L}\p{N}]))`, 'gu');

/**
 * Replaces blanks between numbers and units by no-break spaces. Other texts keep plain blanks, which programs and people can search for. Callers that lay
 * out text use it: `laidOut` for screens, `markup` for reports, `inline` for Markdown, `folded` for terminals.
 */
export function bindUnits(text: string): string {
  return text.replaceAll(BEFORE_UNIT, NO_BREAK).replaceAll(WITHIN_TIME, NO_BREAK).replaceAll(A_SECOND, `${NO_BREAK}a${NO_BREAK}second`);
}
