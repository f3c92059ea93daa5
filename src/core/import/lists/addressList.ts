import { parseJson } from '#core/base/json.ts';
import { entriesAt, textAt } from '../reading.ts';
import type { XmlElement } from '../xml.ts';

/** A request of a list: of siege (`urls.txt`), of vegeta (targets), or an address alone. */
export interface ListedRequest {
  readonly location: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: { readonly kind: 'text' | 'file'; readonly text: string } | null;
  /** The tool whose list it is; null for an address alone. Both tools follow at most 10 redirects. */
  readonly tool: 'siege' | 'vegeta' | null;
}

export interface AddressList {
  readonly requests: readonly ListedRequest[];
  /** Lines that are not part of the format, by number. */
  readonly otherLines: readonly number[];
}

const MAX_LINES = 100_000;
const MAX_LINE_LENGTH = 100_000;

const COMMENT_PATTERN = /^(?:#|\/\/|;)/;
const TRAILING_COMMENT_PATTERN = /\s+#.*$/;
/** Matches an assignment in a list of siege: `HOST=shop.example`. */
const ASSIGNMENT_PATTERN = /^(?:export\s+)?([A-Za-z_]\w{0,59})\s*=\s*(\S.*)$/;
/** Matches a variable as siege writes it, `$(HOST)`, and as shells do. */
const VARIABLE_PATTERN = /\$(?:\((\w{1,60})\)|\{(\w{1,60})\}|(\w{1,60}))/g;
const URL_PATTERN = /^https?:\/\/\S+$/i;
/** Matches an address without a scheme. It needs a port or a slash, because names of files look like hosts. */
const HOST_PATTERN = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?::\d{1,5}(?:\/\S*)?|\/\S*)$/i;
const VEGETA_TARGET_PATTERN = /^([A-Z]{3,10})\s+(https?:\/\/\S+)$/;
const SIEGE_TARGET_PATTERN = /^(\S+)\s+(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:\s+(.*))?$/;
const HEADER_PATTERN = /^[!#$%&'*+.^_`|~\w-]{1,100}:(?!\/\/)/;

/** Returns the requests of a list with one address a line, or of vegeta’s targets; null for a text that begins differently. */
export function parseAddressList(text: string): AddressList | null {
  const lines = text.split('\n', MAX_LINES).map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !COMMENT_PATTERN.test(line) && !ASSIGNMENT_PATTERN.test(line));
  if (first === undefined) return null;
  // `###` separates the requests of a request file (.http).
  if (VEGETA_TARGET_PATTERN.test(first)) return lines.some((line) => line.startsWith('###')) ? null : parseTargets(lines);
  // Whether a line that begins with a variable is an address depends on the variables that the list sets.
  if (!first.startsWith('$') && requestsOfLine(first.replaceAll(VARIABLE_PATTERN, 'x'), new Map(), '') === null) return null;
  const list = parseAddresses(lines);
  return list.requests.length === 0 ? null : list;
}

/** Reads vegeta’s targets: method and address, below them headers, and `@FILE` for a body. */
function parseTargets(lines: readonly string[]): AddressList {
  const requests: ListedRequest[] = [];
  const otherLines: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, method, url] = VEGETA_TARGET_PATTERN.exec(line) ?? [];
    const last = requests.at(-1);
    if (method !== undefined && url !== undefined)
      requests.push({ location: `line ${index + 1}`, method, url, headers: [], body: null, tool: 'vegeta' });
    else if (last !== undefined && last.body === null && /^@\s*\S/.test(line))
      requests[requests.length - 1] = { ...last, body: { kind: 'file', text: line.slice(1).trim() } };
    else if (last !== undefined && HEADER_PATTERN.test(line)) requests[requests.length - 1] = { ...last, headers: [...last.headers, line] };
    else otherLines.push(index + 1);
  }
  return { requests, otherLines };
}

function parseAddresses(lines: readonly string[]): AddressList {
  const requests: ListedRequest[] = [];
  const otherLines: number[] = [];
  const variables = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    if (line === '' || COMMENT_PATTERN.test(line)) continue;
    const [, name, value = ''] = ASSIGNMENT_PATTERN.exec(line) ?? [];
    const read = line.length > MAX_LINE_LENGTH ? null : requestsOfLine(line, variables, `line ${index + 1}`);
    if (name !== undefined) variables.set(name, fillVariables(value, variables).slice(0, 2_000));
    else if (read === null) otherLines.push(index + 1);
    else requests.push(...read);
  }
  return { requests, otherLines };
}

/** Returns the requests of a line: an address as siege reads it, or several addresses. Returns null for any other line. */
function requestsOfLine(line: string, variables: ReadonlyMap<string, string>, location: string): ListedRequest[] | null {
  const bare = unwrapAddress(fillVariables(line, variables));
  const [, address = '', method, written = ''] = SIEGE_TARGET_PATTERN.exec(bare) ?? [];
  if (method !== undefined) {
    const [, file] = /^<\s*(\S.*)$/.exec(written) ?? [];
    const body = written === '' ? null : { kind: file === undefined ? ('text' as const) : ('file' as const), text: file ?? written };
    return isAddress(address) ? [{ location, method, url: address, headers: [], body, tool: 'siege' }] : null;
  }
  const addresses = bare.replace(TRAILING_COMMENT_PATTERN, '').split(/\s+/).map(unwrapAddress);
  if (!addresses.every(isAddress)) return null;
  return addresses.map((url) => ({ location, method: 'GET', url, headers: [], body: null, tool: null }));
}

function isAddress(text: string): boolean {
  return (URL_PATTERN.test(text) || HOST_PATTERN.test(text)) && !/[$`{}<>"]/.test(text);
}

/** Removes the bullet, the quotes, the comma or the Markdown link around an address. */
function unwrapAddress(text: string): string {
  const item = text.replace(/^(?:[-*+•]|\d{1,4}[.)])\s+/, '');
  const [, quoted] = /^(?:"([^"]*)"|'([^']*)'|<([^<>]*)>)[,;]?$/.exec(item)?.filter((part) => part !== undefined) ?? [];
  return quoted ?? /^\[[^\]]*\]\((\S+)\)$/.exec(item)?.[1] ?? item;
}

function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text;
  return text.replaceAll(VARIABLE_PATTERN, (whole, ...names: (string | undefined)[]) => {
    const name = names.slice(0, 3).find((one) => one !== undefined) ?? '';
    return variables.get(name) ?? whole;
  });
}

/** Returns vegeta’s targets in JSON, one a line; null for other texts. Their bodies are in base64. */
export function parseJsonTargets(text: string): AddressList | null {
  if (!/^\{[^\n]*"url"/.test(text)) return null;
  const lines = text.split('\n', MAX_LINES);
  const requests: ListedRequest[] = [];
  const otherLines: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    const [method, url] = [textAt(value, 'method'), textAt(value, 'url')];
    if (method === null || url === null) return null;
    const headers = entriesAt(value, 'header').flatMap(([name, values]) =>
      (Array.isArray(values) ? values : [values]).flatMap((one) => (typeof one === 'string' ? [`${name}: ${one}`] : [])),
    );
    const text = decodeBase64(textAt(value, 'body') ?? '');
    const body = text === '' || text === null ? null : { kind: 'text' as const, text };
    if (text === null) otherLines.push(index + 1);
    else requests.push({ location: `line ${index + 1}`, method, url, headers, body, tool: 'vegeta' });
  }
  return { requests, otherLines };
}

/** Returns the text; null if it is not base64 of UTF-8. */
function decodeBase64(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0);
    const decoded = new TextDecoder().decode(bytes);
    return decoded.includes('\ufffd') ? null : decoded;
  } catch {
    return null;
  }
}

/** Returns the addresses of a sitemap (sitemaps.org, `<urlset>`). */
export function readSitemap({ children }: XmlElement): AddressList {
  const requests = children
    .filter(({ name }) => name === 'url')
    .flatMap(({ children: parts }, index): ListedRequest[] => {
      const url = parts.find(({ name }) => name === 'loc')?.text.trim() ?? '';
      return url === '' ? [] : [{ location: `url ${index + 1}`, method: 'GET', url, headers: [], body: null, tool: null }];
    });
  return { requests, otherLines: [] };
}
