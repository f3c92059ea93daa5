import { parseJson } from '#core/base/json.ts';
import { queryDecoded } from '../address.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import * as postman from './collection.ts';

const MAX_REQUESTS = 5_000;
const REQUEST_LINE_PATTERN = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC)\s+\S/;
/** The start of a further statement in a line of a response handler. */
const STATEMENT_START_PATTERN = /(?<=[;{])[ \t]+(?=client\.)/;

/** Matches lines outside a request: comments, separators, variables, pre-request scripts. */
const OUTSIDE_REQUEST = /^\s*(?:$|#|\/\/|@[\w.-]+\s*=|<\s*\{%|<\s+\S)/;

/** Matches the expected response of a Hurl file (`HTTP 200`), or the beginning of a section. */
const HURL_LINE_PATTERN =
  /^(?:HTTP(?:\/[\d.]+)?[ \t]+(?:\d{3}|\*)|\[(?:Captures|Asserts|Query(?:StringParams)?|Form(?:Params)?|Multipart(?:FormData)?|Cookies|BasicAuth|Options)\])[ \t]*(?:#.*)?\r?$/m;

/** Returns whether a text is a Hurl file. Its requests look like those of a request file, without separators. */
export function isHurl(text: string): boolean {
  const beginning = text.slice(0, 100_000);
  return !/^###/m.test(beginning) && /^[A-Z]{3,10}[ \t]+\S+[ \t]*\r?$/m.test(beginning) && HURL_LINE_PATTERN.test(beginning);
}

/** Returns whether a text is a request file (`.http`, `.rest`): its first line that is not a comment, variable or script is a request. */
export function isHttpFile(text: string): boolean {
  if (isHurl(text)) return false;
  let isScript = false;
  for (const line of text.slice(0, 100_000).split('\n')) {
    if (isScript) {
      isScript = !line.includes('%}');
      continue;
    }
    if (/^\s*<\s*\{%/.test(line)) isScript = !line.includes('%}');
    else if (!OUTSIDE_REQUEST.test(line))
      return REQUEST_LINE_PATTERN.test(line.trim()) || (/^###/m.test(text) && /^(?:https?:\/\/|\{\{)\S+$/.test(line.trim()));
  }
  return false;
}

/** Makes a plan from a request file of VS Code’s REST Client or JetBrains’ HTTP Client. */
export function importHttpFile(text: string): ImportResult {
  const reader = new Reader();
  const requests = text
    .split(/^###/m)
    .slice(0, MAX_REQUESTS)
    .flatMap((part, index) => reader.requestIn(index === 0 ? `\n${part}` : part));
  return importCollection({
    kind: 'http',
    client: 'the HTTP client',
    name: 'HTTP requests',
    items: reader.kept.addTo(requests),
    variables: reader.variables,
    environments: [],
    chosen: null,
  });
}

class Reader {
  readonly variables: postman.Pair[] = [];
  readonly kept = new postman.KeptValues();
  private line = 0;

  /** Returns the request between two separators; empty if there are only comments. */
  requestIn(part: string): postman.Request[] {
    const lines = part.split('\n').map((line) => line.replace(/\r$/, ''));
    const firstLine = this.line + 1;
    this.line += lines.length - 1;
    const { id, scripts, follows, next } = this.readAbove(lines);
    if (next >= lines.length) return [];
    const title = lines[0]?.trim() || id;
    let at = next + 1;
    while (/^\s+(?:[?&]|\S)/.test(lines[at] ?? '') && !/^\s*(?:#|\/\/)/.test(lines[at] ?? '')) at += 1;
    const address = lines.slice(next, at).map((line) => line.trim());
    const [, method = 'GET', written = ''] = /^(?:([A-Z]+)\s+)?(.*?)(?:\s+HTTP\/[\d.]+)?$/.exec(address.join('')) ?? [];
    const header: postman.Pair[] = [];
    for (; (lines[at] ?? '').trim() !== ''; at += 1) {
      const [, key, value = ''] = /^\s*([^:\s#/][^:]{0,100}?)\s*:\s*(.*)$/.exec(lines[at] ?? '') ?? [];
      if (key !== undefined) header.push({ key, value: this.write(value) });
    }
    const url = this.write(written);
    const host = valueOf(header, 'host');
    const login = readLogin(valueOf(header, 'authorization') ?? '');
    const sent = method === 'GRAPHQL' ? 'POST' : method;
    const path = written.replace(/^(?:https?:\/\/|\{\{)[^/?#]*/i, '').split('?', 1)[0] || '/';
    const isPart = ({ key }: postman.Pair): boolean =>
      /^x-request-type$/i.test(key) || (login !== undefined && /^authorization$/i.test(key));
    const { body, tests } = this.readBelow(lines.slice(at + 1), header, method);
    return [
      postman.readRequest({
        id,
        name: title === '' ? `${sent} ${path}` : title,
        location: `line ${firstLine + next}`,
        method: sent,
        url: url.startsWith('/') && host !== undefined ? `http://${host}${url}` : url,
        header: header.filter((pair) => !isPart(pair)),
        auth: login,
        body,
        tests,
        before: scripts,
        follows,
      }),
    ];
  }

  /** Reads what stands above a request: its name, variables and scripts. `next` is the index of the request's line. */
  private readAbove(lines: readonly string[]): { id: string; scripts: string[]; follows: boolean; next: number } {
    let id = '';
    let follows = true;
    const scripts: string[] = [];
    let at = 1;
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const [, name] = /^\s*(?:#|\/\/)\s*@name[\s=]+(\S{1,60})/.exec(line) ?? [];
      const [, key, value = ''] = /^\s*@([\w.-]{1,60})\s*=\s*(.*)$/.exec(line) ?? [];
      if (/^\s*(?:#|\/\/)\s*@no-redirect\b/.test(line)) follows = false;
      if (name !== undefined) id = name;
      else if (key !== undefined) this.variables.push({ key, value: this.write(value.trim()) });
      else if (/^\s*<\s*(?:\{%|\S)/.test(line)) {
        scripts.push(line);
        while (line.includes('{%') && !(lines[at] ?? '%}').includes('%}')) at += 1;
      } else if (!OUTSIDE_REQUEST.test(line)) break;
    }
    return { id, scripts, follows, next: at };
  }

  private readBelow(
    lines: readonly string[],
    header: readonly postman.Pair[],
    method: string,
  ): { body: postman.Body | undefined; tests: string[] } {
    const found = lines.findIndex((line) => /^\s*(?:>\s*\{%|>>?!?\s+\S|<>\s)/.test(line));
    const end = found < 0 ? lines.length : found;
    const isHandler = (line: string): boolean => !/^\s*(?:>\s*\{%\s*$|%\}|<>|>>)/.test(line);
    const text = lines
      .slice(0, end)
      .filter((line) => !/^\s*(?:#\s|\/\/\s)/.test(line))
      .join('\n')
      .trim();
    const isGraphql = method === 'GRAPHQL' || /graphql/i.test(valueOf(header, 'x-request-type') ?? '');
    const body = text === '' ? undefined : this.bodyOf(text, valueOf(header, 'content-type') ?? '', isGraphql);
    const statements = lines.slice(end).flatMap((line) => line.replace(/^\s*>\s*\{%(?=.*%\}\s*$)/, '').split(STATEMENT_START_PATTERN));
    return { body, tests: statements.filter(isHandler).map(handlerLine) };
  }

  private bodyOf(text: string, type: string, isGraphql: boolean): postman.Body {
    if (isGraphql) {
      const at = text.search(/\n\s*\n\s*\{[^]*\}\s*$/);
      return postman.graphqlBody(this.write(at < 0 ? text : text.slice(0, at)), at < 0 ? '{}' : this.write(text.slice(at).trim()));
    }
    const [, file] = /^<@?\w*[^\S\n]+(\S[^\n]{0,500})$/.exec(text) ?? [];
    if (file !== undefined) return { mode: 'file', file: { src: file.trim() } };
    const [, boundary] = /multipart\/form-data.*boundary="?([^";\s]{1,100})/i.exec(type) ?? [];
    if (boundary !== undefined) return { mode: 'formdata', formdata: this.readFields(text, boundary) };
    if (/x-www-form-urlencoded/i.test(type) && !text.includes('<')) {
      const pairs = text.replaceAll(/\n\s*/g, '').split('&');
      const urlencoded = pairs.map((pair): postman.Pair => {
        const [key = '', ...value] = pair.split('=');
        return { key: decode(key), value: this.write(decode(value.join('='))) };
      });
      return { mode: 'urlencoded', urlencoded };
    }
    const raw = this.write(text);
    return postman.textBody(raw, /json/i.test(type) || parseJson(raw) !== undefined);
  }

  private readFields(text: string, boundary: string): postman.Field[] {
    return text
      .split(`--${boundary}`)
      .slice(1, 101)
      .flatMap((part): postman.Field[] => {
        const [head = '', ...rest] = part.replace(/^\r?\n/, '').split(/\n\s*\n/);
        const [, key] = /name="([^"]{1,200})"/.exec(head) ?? [];
        const value = rest.join('\n\n').trim();
        if (key === undefined) return [];
        const [, src] = /^<@?\s+(\S.{0,500})$/.exec(value) ?? [];
        return [src === undefined ? { key, value: this.write(value) } : { key, value: '', type: 'file', src: src.trim() }];
      });
  }

  /** Converts the variables of both clients to Postman’s, and records values taken from earlier responses. */
  private write(text: string): string {
    return text.replaceAll(/\{\{\s*([^{}]{1,300}?)\s*\}\}/g, (whole, name: string) => {
      const [, id, part, path = ''] = /^([\w-]{1,60})\.response\.(body|headers)\.(\S{1,200})$/.exec(name) ?? [];
      if (id !== undefined) return this.responsePlaceholder(id, part ?? 'body', path);
      const [, variable] = /^\$(?:processEnv|dotenv|env\.|shared)\s*%?(\w{1,60})$/.exec(name) ?? [];
      if (variable !== undefined) return `{{${variable}}}`;
      if (/^\$(?:uuid|random\.uuid|guid)$/.test(name)) return '{{$guid}}';
      if (/^\$(?:datetime|localDatetime)\b/.test(name)) return '{{$isoTimestamp}}';
      return name.startsWith('$') || /^[\w.-]+$/.test(name) ? `{{${name}}}` : whole;
    });
  }

  private responsePlaceholder(id: string, part: string, path: string): string {
    const name = postman.makeVariableName(id, path, part);
    const json = path.replace(/^\$\.?/, '');
    const line = part === 'headers' ? postman.keepHeader(name, path) : postman.keepJson(name, json.replace(/^(?=[^[])/, '.'));
    return this.kept.keep(id, name, line);
  }
}

function valueOf(header: readonly postman.Pair[], name: string): string | undefined {
  return header.find(({ key }) => key.toLowerCase() === name)?.value;
}

/** Returns the login of an Authorization value. REST Client itself encodes `Basic name:password` and `Basic name password`. */
function readLogin(value: string): unknown {
  const [, username, password] = /^Basic\s+([^\s:]+)(?:\s+|:)(\S.*)$/i.exec(value.trim()) ?? [];
  return username === undefined || password === undefined ? undefined : postman.readAuth('basic', { username, password });
}

function decode(text: string): string {
  return text.includes('{{') ? text : queryDecoded(text);
}

function handlerLine(line: string): string {
  const [, name, part] = /client\.global\.set\(\s*["']([\w.-]{1,60})["']\s*,\s*response\.body((?:[.[][\w.[\]"'-]*)?)\s*\)/.exec(line) ?? [];
  if (name !== undefined) return postman.keepJson(name, part ?? '');
  const [, header, from] =
    /client\.global\.set\(\s*["']([\w.-]{1,60})["']\s*,\s*response\.headers\.valueOf\(["']([\w-]{1,100})["']\)/.exec(line) ?? [];
  if (header !== undefined) return postman.keepHeader(header, from ?? '');
  const [, status] = /response\.status\s*={2,3}\s*(\d{3})/.exec(line) ?? [];
  if (status !== undefined) return `pm.response.to.have.status(${status});`;
  if (/^[\s});]*%\}\s*$/.test(line)) return '';
  return /^\s*client\.(?:test|log)\(/.test(line)
    ? line.replace(/client\.(test|log)\(/, (_whole, verb: string) => (verb === 'test' ? 'pm.test(' : 'console.log('))
    : line;
}
