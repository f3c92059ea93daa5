import { isHarmlessHeader } from '#core/plan/harmlessHeaders.ts';
import { completeUrl, urlProblem } from './url.ts';

/** What a pasted command asks for, as far as a plan can say it. Secrets are apart, to be kept before a plan is made of the rest. */
export interface Command {
  readonly name: string;
  readonly target: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly cookie: string | null;
  readonly load: {
    readonly model: 'connections';
    readonly stages: readonly {
      readonly name: string;
      readonly connections: number;
      readonly requests?: number;
      readonly seconds?: number;
    }[];
  };
}

interface Options {
  readonly connections: readonly string[];
  readonly requests: readonly string[];
  readonly duration: readonly string[];
  /** Short options without a value, which may stand before others: `-k`. */
  readonly switches: string;
}

const TOOLS: Record<string, Options> = {
  ab: { connections: ['-c'], requests: ['-n'], duration: ['-t'], switches: 'kldSVvirq' },
  wrk: { connections: ['-c', '--connections'], requests: [], duration: ['-d', '--duration'], switches: 'v' },
  wrk2: { connections: ['-c', '--connections'], requests: [], duration: ['-d', '--duration'], switches: 'v' },
  hey: { connections: ['-c'], requests: ['-n'], duration: ['-z'], switches: '' },
  autocannon: { connections: ['-c', '--connections'], requests: ['-a', '--amount'], duration: ['-d', '--duration'], switches: 'lfnNjI' },
  curl: { connections: [], requests: [], duration: [], switches: 'sSLkvigI' },
};
const HEADER = ['-H', '--header'];
const COOKIE = ['-C', '-b', '--cookie'];
const DEFAULT_CONNECTIONS = 10;
const DEFAULT_SECONDS = 30;

/** Reads `ab -n 1000 -c 10 URL` and its like, or a bare address; null when the text is neither. */
export function readCommand(text: string): Command | null {
  const parts = splitWords(text.trim());
  const [first = ''] = parts;
  const tool = TOOLS[first.replace(/^.*\//, '')];
  if (!tool) return parts.length === 1 && first.includes('.') && isUrl(first) ? command(first, new Map(), first) : urlOnly(parts);
  const options = new Map<string, string[]>();
  const addresses: string[] = [];
  for (let index = 1; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    if (!part.startsWith('-') || part === '-') {
      addresses.push(part);
      continue;
    }
    const [option, attached] = splitOption(part);
    if (attached === null && part.length === 2 && tool.switches.includes(part[1] ?? '')) continue;
    const value = attached ?? parts[(index += 1)] ?? '';
    options.set(option, [...(options.get(option) ?? []), value]);
  }
  const address = addresses.findLast(isUrl);
  return address ? command(address, renamed(options, tool), text) : null;
}

function urlOnly(parts: readonly string[]): Command | null {
  const [only = ''] = parts;
  return parts.length === 1 && /^https?:\/\//i.test(only) && isUrl(only) ? command(only, new Map(), only) : null;
}

function isUrl(text: string): boolean {
  return text !== '' && urlProblem(text) === null;
}

/** `--connections=10` and `-c10` carry their value; `-c` and `--connections` do not. */
function splitOption(part: string): [option: string, attached: string | null] {
  const equals = part.indexOf('=');
  if (part.startsWith('--')) return equals < 0 ? [part, null] : [part.slice(0, equals), part.slice(equals + 1)];
  return part.length > 2 ? [part.slice(0, 2), part.slice(2)] : [part, null];
}

type Known = 'connections' | 'requests' | 'duration' | 'header' | 'cookie';

function renamed(options: ReadonlyMap<string, string[]>, tool: Options): Map<Known, string[]> {
  const names: [Known, readonly string[]][] = [
    ['connections', tool.connections],
    ['requests', tool.requests],
    ['duration', tool.duration],
    ['header', HEADER],
    ['cookie', COOKIE],
  ];
  return new Map(names.map(([known, spellings]) => [known, spellings.flatMap((spelling) => options.get(spelling) ?? [])]));
}

function command(address: string, options: ReadonlyMap<Known, string[]>, text: string): Command {
  const headers = (options.get('header') ?? []).map(splitHeader);
  const cookies = [...(options.get('cookie') ?? []), ...headers.filter(([name]) => /^cookie$/i.test(name)).map(([, value]) => value)];
  const others = headers.filter(([name]) => name !== '' && !/^cookie$/i.test(name));
  const connections = wholeNumber(options.get('connections')?.at(-1)) ?? DEFAULT_CONNECTIONS;
  const requests = wholeNumber(options.get('requests')?.at(-1));
  const seconds = durationSeconds(options.get('duration')?.at(-1));
  const end = requests !== null && seconds === null ? { requests } : { seconds: seconds ?? DEFAULT_SECONDS };
  const url = completeUrl(address);
  return {
    name: nameOf(url, text),
    target: { url, headers: Object.fromEntries(others.filter(([name]) => isHarmlessHeader(name))) },
    secretHeaders: Object.fromEntries(others.filter(([name]) => !isHarmlessHeader(name))),
    cookie: cookies.length > 0 ? cookies.join('; ') : null,
    load: { model: 'connections', stages: [{ name: 'load', connections, ...end }] },
  };
}

function nameOf(url: string, text: string): string {
  const tool = splitWords(text)[0] ?? '';
  const { host } = new URL(url);
  return Object.hasOwn(TOOLS, tool) ? `${tool} of ${host}` : `Load on ${host}`;
}

function splitHeader(header: string): readonly [name: string, value: string] {
  const colon = header.indexOf(':');
  return colon < 0 ? ['', ''] : [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** `30`, `30s`, `2m`, `1h`, `500ms`; null when it is none of them. */
function durationSeconds(text: string | undefined): number | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text ?? '');
  if (!parts) return null;
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[parts[2] ?? 's'] ?? 1;
  return Number(parts[1]) * unit;
}

/** Splits as a shell would, as far as quotes and backslashes go; a line end after a backslash is a blank. */
function splitWords(text: string): string[] {
  const joined = text.replaceAll(/\\\r?\n/g, ' ');
  const pieces = joined.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g);
  return [...pieces].map(([piece]) =>
    piece.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
      (_whole, single?: string, double?: string, escaped?: string) => single ?? double?.replaceAll(/\\(.)/g, '$1') ?? escaped ?? '',
    ),
  );
}
