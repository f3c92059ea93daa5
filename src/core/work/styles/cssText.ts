import { absolute, LONGEST_ADDRESS } from '#core/work/pages/pageLinks.ts';

/** What a value names that no server is asked for. */
const NOTHING = 'url("data:")';
/** Longer values are left out; pictures that stand in a sheet themselves are not counted. */
export const LONGEST_VALUE = 8_192;
/** Strings are addresses within these. */
const PICTURES = /(?:^|[^\w-])(?:-webkit-)?(?:image-set|cross-fade|image|src)\($/i;
/** Strings are anything else within these, also where a picture surrounds them. */
const OTHERS = /(?:^|[^\w-])(?:type|format|local|var|attr)\($/i;

/**
 * Where the token ends that begins at `at`, as far as it matters for what surrounds it: a comment, a string, an escape and an address without
 * quotes as a whole, anything else letter by letter (CSS Syntax, “Tokenization”). All tokens of a text together take a time that grows with its length.
 */
export function endOfToken(css: string, at: number): number {
  switch (css[at]) {
    case '/':
      return css[at + 1] === '*' ? endAfter(css, '*/', at + 2) : at + 1;
    case '"':
    case "'":
      return endOfString(css, at);
    case '\\':
      return at + 2;
    case 'u':
    case 'U':
      return endOfAddress(css, at);
    default:
      return at + 1;
  }
}

export function isComment(css: string, at: number): boolean {
  return css[at] === '/' && css[at + 1] === '*';
}

function endAfter(css: string, end: string, from: number): number {
  const at = css.indexOf(end, from);
  return at < 0 ? css.length : at + end.length;
}

/** A string that a line ends is broken, and ends there. */
function endOfString(css: string, from: number): number {
  const quote = css[from];
  for (let at = from + 1; at < css.length; at += css[at] === '\\' ? 2 : 1) {
    if (css[at] === quote) return at + 1;
    if (css[at] === '\n') return at;
  }
  return css.length;
}

const URL_START = /url\(\s*/iy;

/** `url(` of an address with quotes is a function like any other. */
function endOfAddress(css: string, from: number): number {
  if (css[from + 3] !== '(' || /[\w-]/.test(css[from - 1] ?? ' ')) return from + 1;
  URL_START.lastIndex = from;
  if (!URL_START.test(css)) return from + 1;
  const start = URL_START.lastIndex;
  if (css[start] === '"' || css[start] === "'") return start;
  for (let at = start; at < css.length; at += css[at] === '\\' ? 2 : 1) if (css[at] === ')') return at + 1;
  return css.length;
}

/** How many brackets are open behind a token. An address with quotes is in one. */
export function depthAfter(token: string, depth: number): number {
  if (token === '(' || token === '[') return depth + 1;
  if (token === ')' || token === ']') return Math.max(0, depth - 1);
  return /^url\(\s*$/i.test(token) ? depth + 1 : depth;
}

/** Without escapes. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\n|([^]))/gi, (_whole, hex: string | undefined, letter: string | undefined) => {
    if (hex === undefined) return letter ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code);
  });
}

/** Between its quotes, which the last may lack. */
export function stringIn(token: string): string {
  const end = token.length > 1 && token.endsWith(token[0] ?? '') ? -1 : undefined;
  return unescaped(token.slice(1, end));
}

/** The address of a `url(…)` without quotes. */
export function addressIn(token: string): string {
  return unescaped(token.slice(token.indexOf('(') + 1, token.endsWith(')') ? -1 : undefined).trim());
}

/**
 * A value with each address that it names as `url("ADDRESS")`, absolute and without quotes, blanks or fragments inside; what no server is asked for
 * names none. null where it is too long.
 */
export function withAddresses(value: string, base: string): string | null {
  if (!/url\(|image-set\(|cross-fade\(|image\(|src\(/i.test(value)) return value.length > LONGEST_VALUE ? null : value;
  const pieces: string[] = [];
  /** Whether strings are addresses within each open bracket, outermost first. */
  const open: boolean[] = [];
  let length = 0;
  let from = 0;
  for (let at = 0; at < value.length && length <= LONGEST_VALUE;) {
    const end = endOfToken(value, at);
    const token = value.slice(at, end);
    const isAddress = /^url\(/i.test(token);
    const isQuoted = /^["']/.test(token);
    if (isAddress && (value[end] === '"' || value[end] === "'")) {
      const close = endOfToken(value, end);
      const after = value.indexOf(')', close);
      pieces.push(value.slice(from, at), resolved(stringIn(value.slice(end, close)), base));
      at = after < 0 ? value.length : after + 1;
    } else if (isAddress || (isQuoted && open.at(-1) === true)) {
      pieces.push(value.slice(from, at), resolved(isAddress ? addressIn(token) : stringIn(token), base));
      at = end;
    } else {
      if (token === '(') open.push(takesAddresses(value.slice(Math.max(0, at - 20), at + 1), open.at(-1) ?? false));
      else if (token === ')') open.pop();
      at = end;
      continue;
    }
    length += (pieces.at(-2)?.length ?? 0) + (pieces.at(-1)?.length ?? 0);
    from = at;
  }
  pieces.push(value.slice(from));
  return length + value.length - from > LONGEST_VALUE ? null : pieces.join('');
}

function takesAddresses(before: string, surroundings: boolean): boolean {
  return !OTHERS.test(before) && (surroundings || PICTURES.test(before));
}

/** An address that begins with `#` is a part of the page. */
function resolved(written: string, base: string): string {
  if (written === '' || written.startsWith('#') || written.length > LONGEST_ADDRESS) return NOTHING;
  const url = absolute(written, base);
  return url === null || url.length > LONGEST_ADDRESS ? NOTHING : `url("${url.replaceAll('"', '%22')}")`;
}

/** The values of a list that commas separate, but for those within brackets and strings. */
export function listed(value: string, separator: ',' | ' ' = ','): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < value.length;) {
    const end = endOfToken(value, at);
    const token = value.slice(at, end);
    if (depth === 0 && (separator === ',' ? token === ',' : /^\s$/.test(token))) {
      parts.push(value.slice(from, at).trim());
      from = end;
    }
    depth = depthAfter(token, depth);
    at = end;
  }
  parts.push(value.slice(from).trim());
  return parts.filter((part) => part !== '');
}

/** Where the bracket ends that was opened before `from`; the end where it does not. */
export function closing(value: string, from: number): number {
  let depth = 1;
  for (let at = from; at < value.length; at += 1) {
    if (value[at] === '(') depth += 1;
    else if (value[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return value.length;
}
