import { toAbsolute, MAX_ADDRESS_LENGTH } from '#core/work/pages/pageLinks.ts';

/** Replacement for addresses that cause no request. */
const EMPTY_ADDRESS = 'url("data:")';
/** Maximum length of a value, not counting embedded images. */
export const MAX_VALUE_LENGTH = 8_192;
/** Matches functions in which strings are addresses. */
const IMAGE_FUNCTION_PATTERN = /(?:^|[^\w-])(?:-webkit-)?(?:image-set|cross-fade|image|src)\($/i;
/** Matches functions in which strings are not addresses, also when they are within those of `IMAGE_FUNCTION_PATTERN`. */
const OTHER_FUNCTION_PATTERN = /(?:^|[^\w-])(?:type|format|local|var|attr)\($/i;

/**
 * Returns the end of the token at `at`. Comments, strings, escapes and unquoted addresses are one token each; every other character is a
 * token by itself (CSS Syntax, “Tokenization”). All tokens of a text together take linear time.
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

/** Returns the end of a string. An unescaped line break ends the string. */
function endOfString(css: string, from: number): number {
  const quote = css[from];
  for (let at = from + 1; at < css.length; at += css[at] === '\\' ? 2 : 1) {
    if (css[at] === quote) return at + 1;
    if (css[at] === '\n') return at;
  }
  return css.length;
}

const URL_START = /url\(\s*/iy;

/** Returns the end of an unquoted address. `url(` before quotes is an ordinary function. */
function endOfAddress(css: string, from: number): number {
  if (css[from + 3] !== '(' || /[\w-]/.test(css[from - 1] ?? ' ')) return from + 1;
  URL_START.lastIndex = from;
  if (!URL_START.test(css)) return from + 1;
  const start = URL_START.lastIndex;
  if (css[start] === '"' || css[start] === "'") return start;
  for (let at = start; at < css.length; at += css[at] === '\\' ? 2 : 1) if (css[at] === ')') return at + 1;
  return css.length;
}

/** Returns the number of open brackets after a token. `url(` before quotes opens one. */
export function depthAfter(token: string, depth: number): number {
  if (token === '(' || token === '[') return depth + 1;
  if (token === ')' || token === ']') return Math.max(0, depth - 1);
  return /^url\(\s*$/i.test(token) ? depth + 1 : depth;
}

/** Decodes the escapes of a text. */
export function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\n|([^]))/gi, (_whole, hex: string | undefined, letter: string | undefined) => {
    if (hex === undefined) return letter ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code);
  });
}

/** Returns the text between the quotes of a string. The closing quote may be missing. */
export function parseString(token: string): string {
  const end = token.length > 1 && token.endsWith(token[0] ?? '') ? -1 : undefined;
  return unescapeCss(token.slice(1, end));
}

/** Returns the address of an unquoted `url(…)`. */
export function parseUrl(token: string): string {
  return unescapeCss(token.slice(token.indexOf('(') + 1, token.endsWith(')') ? -1 : undefined).trim());
}

/**
 * Returns a value with each address as an absolute `url("ADDRESS")`, without quotes, blanks or fragments inside. Addresses that cause no
 * request become `data:`. Returns null if the value is too long.
 */
export function resolveAddresses(value: string, base: string): string | null {
  if (!/url\(|image-set\(|cross-fade\(|image\(|src\(/i.test(value)) return value.length > MAX_VALUE_LENGTH ? null : value;
  const pieces: string[] = [];
  /** Whether strings are addresses within each open bracket; the outermost is the first. */
  const open: boolean[] = [];
  let length = 0;
  let from = 0;
  for (let at = 0; at < value.length && length <= MAX_VALUE_LENGTH;) {
    const end = endOfToken(value, at);
    const token = value.slice(at, end);
    const isAddress = /^url\(/i.test(token);
    const isQuoted = /^["']/.test(token);
    if (isAddress && (value[end] === '"' || value[end] === "'")) {
      const close = endOfToken(value, end);
      const after = value.indexOf(')', close);
      pieces.push(value.slice(from, at), resolveUrl(parseString(value.slice(end, close)), base));
      at = after < 0 ? value.length : after + 1;
    } else if (isAddress || (isQuoted && open.at(-1) === true)) {
      pieces.push(value.slice(from, at), resolveUrl(isAddress ? parseUrl(token) : parseString(token), base));
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
  return length + value.length - from > MAX_VALUE_LENGTH ? null : pieces.join('');
}

function takesAddresses(before: string, surroundings: boolean): boolean {
  return !OTHER_FUNCTION_PATTERN.test(before) && (surroundings || IMAGE_FUNCTION_PATTERN.test(before));
}

/** Resolves an address. An address that starts with `#` is part of the page and causes no request. */
function resolveUrl(written: string, base: string): string {
  if (written === '' || written.startsWith('#') || written.length > MAX_ADDRESS_LENGTH) return EMPTY_ADDRESS;
  const url = toAbsolute(written, base);
  return url === null || url.length > MAX_ADDRESS_LENGTH ? EMPTY_ADDRESS : `url("${url.replaceAll('"', '%22')}")`;
}

/** Splits a list at separators outside brackets and strings. */
export function splitList(value: string, separator: ',' | ' ' = ','): string[] {
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

/** Returns the position of the bracket that closes the one before `from`, or the end of the text if there is none. */
export function findClosing(value: string, from: number): number {
  let depth = 1;
  for (let at = from; at < value.length; at += 1) {
    if (value[at] === '(') depth += 1;
    else if (value[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return value.length;
}
