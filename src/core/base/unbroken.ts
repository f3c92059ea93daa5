export const NO_BREAK = '\u00A0';
/** Units that may follow a number. */
const UNIT = String.raw`(?:%|µs|ms|s|min|h|[kMGTP]?B|[KMG]iB|[kMG]bit)(?![\p{L}\p{N}])`;
const BLANK_BEFORE_UNIT = new RegExp(String.raw`(?<=\p{N}) (?=${UNIT})`, 'gu');
/** Matches “100 a second”. */
const PER_SECOND_PATTERN = /(?<=\p{N}) a second(?!\p{L})/gu;
/** Matches blanks within a duration: “2 min 40 s”. */
const BLANK_IN_DURATION = new RegExp(String.raw`(?<=\p{N}${NO_BREAK}(?:h|min)) (?=\p{N}+${NO_BREAK}(?:min|s)(?![\p{L}\p{N}]))`, 'gu');

/**
 * Replaces blanks between numbers and units by no-break spaces. Only the code that lays out text for a reader calls this function. Other
 * texts keep plain blanks, which programs and people can search for.
 */
export function bindUnits(text: string): string {
  return text
    .replaceAll(BLANK_BEFORE_UNIT, NO_BREAK)
    .replaceAll(BLANK_IN_DURATION, NO_BREAK)
    .replaceAll(PER_SECOND_PATTERN, `${NO_BREAK}a${NO_BREAK}second`);
}
