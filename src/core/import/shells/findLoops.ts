/** Positions of a loop in a text. `head` is what the loop runs over, or its condition. */
export interface Loop {
  readonly keyword: string;
  readonly head: string;
  readonly from: number;
  readonly to: number;
  readonly bodyFrom: number;
  readonly bodyTo: number;
  /** Whether the body is for a shell that sets variables by `name=value`. */
  readonly isPosix: boolean;
  /** The option of PowerShell after the body that limits how many rounds run at the same time. */
  readonly limit?: string;
}

interface Match {
  readonly whole: string;
  readonly parts: readonly (string | undefined)[];
  readonly from: number;
  readonly bodyFrom: number;
}

const MAX_LOOPS = 10;

/** Matches the beginning of a loop at a position where a command can begin. */
const LOOP_BEGINNING_PATTERN =
  /(?<=^|[\n;&|({]|\bdo\s|\bthen\s)[ \t]*(?:[$#%>-][ \t]+)?(?:\w[\w-]{0,30}:[ \t]+)?(?:time[ \t]+)?(for|while|until|repeat)\b[ \t]+(\S[^\n]{0,4000}?)(?:[;\n]\s*|(?<=\)\)|\d)[ \t]+)do\b/gi;
/** Matches the beginning of a loop with its body in braces: of PowerShell, of zsh, or `for ((…))` of bash. */
const BRACED_BEGINNING_PATTERN =
  /(?<=^|[\n;&|({])[ \t]*(?:PS[^\n>]{0,80}>[ \t]*)?(?:(for|while|foreach|repeat)[ \t]*(\([^\n]{1,200}?\)|\d{1,9})|([\d$(][^\n|{]{0,60}?)\|[ \t]*(?:ForEach-Object|ForEach|%)(?:[ \t]+-\w+(?:[ \t]+\d+)?){0,4})\s{0,20}\{/gi;
const FISH_BEGINNING_PATTERN = /(?<=^|[\n;])[ \t]*(?:>[ \t]+)?(for|while)[ \t]+(\S[^\n;]{0,4000})[;\n](?!\s*do\b)/g;
const CMD_LOOP_PATTERN =
  /(?<=^|[\n&])[ \t]*(?:[A-Z]:[^\n>]{0,80}>)?@?(for)[ \t]+(\/\w[ \t]+)?(%{1,2}\w[ \t]+in[ \t]*\([^)\n]{0,200}\))[ \t]*do[ \t]+([^\n]*)/gi;
const ZSH_LOOP_PATTERN = /(?<=^|[\n;])[ \t]*(?:%[ \t]+)?(repeat)[ \t]+(\d{1,9})[ \t]+(?!do\b)([^\n;{]+)/g;
/** Maximum length of a text that is searched for loops, because scripts are short. */
const MAX_SCRIPT_LENGTH = 100_000;

/** Replaces quoted text and comments with `_` and keeps the length of the text. */
export function maskQuoted(text: string): string {
  return text.replaceAll(/'[^']*'|"(?:\\[^]|[^"\\])*"|(?<!\S)#[^\n]*/g, (quoted) => quoted.replaceAll(/[^\n]/g, '_'));
}

/** Finds the outermost loops of a text. */
export function findLoops(text: string): Loop[] {
  if (text.length > MAX_SCRIPT_LENGTH || !/\b(?:for|while|until|repeat)|\|/i.test(text)) return [];
  const masked = maskQuoted(text);
  const found: Loop[] = [];
  const eachOutermost = (pattern: RegExp, read: (match: Match) => Omit<Loop, 'from'> | null): void => {
    for (const match of masked.matchAll(pattern)) {
      if (found.length >= MAX_LOOPS || found.some(({ from, to }) => match.index >= from && match.index < to)) continue;
      const loop = read({ whole: match[0], parts: match.slice(1), from: match.index, bodyFrom: match.index + match[0].length });
      // The head may contain quoted text, so it is read from the unmasked text.
      const at = loop === null ? 0 : masked.indexOf(loop.head, match.index);
      if (loop !== null) found.push({ ...loop, from: match.index, head: text.slice(at, at + loop.head.length).trim() });
    }
  };
  eachOutermost(LOOP_BEGINNING_PATTERN, ({ parts: [keyword = '', head = ''], bodyFrom }) => {
    const bodyTo = endOfBody(masked, bodyFrom, /\b(?:do|done)\b/g, 'do');
    return { keyword, head, bodyFrom, bodyTo, to: bodyTo + 'done'.length, isPosix: true };
  });
  eachOutermost(BRACED_BEGINNING_PATTERN, ({ whole, parts: [word, bracket, range = ''], bodyFrom }) => {
    const bodyTo = endOfBody(masked, bodyFrom, /[{}]/g, '{');
    const [limit = ''] = /^[ \t]+-ThrottleLimit[ \t]+\d+/i.exec(masked.slice(bodyTo + 1, bodyTo + 100)) ?? [];
    const head = bracket ?? (word === undefined ? whole.slice(whole.indexOf(range), -1) : whole.replace(/^\D*(\d+)[^]*$/, '$1'));
    const isPosix = bracket?.startsWith('((') === true || word === 'repeat';
    return { keyword: word ?? 'ForEach-Object', head, bodyFrom, bodyTo, to: bodyTo + 1 + limit.length, isPosix, limit };
  });
  eachOutermost(CMD_LOOP_PATTERN, ({ parts: [word = '', option = '', head = '', body = ''], bodyFrom: to }) => ({
    keyword: `${word} ${option}`.trim(),
    head,
    bodyFrom: to - body.length,
    bodyTo: to,
    to,
    isPosix: false,
  }));
  eachOutermost(ZSH_LOOP_PATTERN, ({ parts: [keyword = '', head = '', body = ''], bodyFrom: to }) => {
    return { keyword, head, bodyFrom: to - body.length, bodyTo: to, to, isPosix: true };
  });
  eachOutermost(FISH_BEGINNING_PATTERN, ({ parts: [keyword = '', head = ''], bodyFrom }) => {
    const [upToEnd, body = ''] = /^([^]*?)(?<=^|[\n;])[ \t]*end\b/.exec(masked.slice(bodyFrom)) ?? [];
    return upToEnd === undefined
      ? null
      : { keyword, head, bodyFrom, bodyTo: bodyFrom + body.length, to: bodyFrom + upToEnd.length, isPosix: true };
  });
  return found.toSorted((one, other) => one.from - other.from);
}

/** Returns whether a text begins with a loop. */
export function beginsLoop(text: string): boolean {
  return /^\s*(?:for|while|until)\b[^\n]*[;\n]\s*do\b/.test(text.slice(0, 4_000));
}

/** Returns the position of the word or the brace that ends the body which begins at `from`; the length of the text if there is none. */
function endOfBody(masked: string, from: number, words: RegExp, opening: string): number {
  let depth = 1;
  for (const { 0: word, index } of masked.slice(from).matchAll(words)) {
    depth += word === opening ? 1 : -1;
    if (depth === 0) return from + index;
  }
  return masked.length;
}
