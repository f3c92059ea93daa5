import { parseJson } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { authOf, type Body, type Field, jsonBody, keepHeader, keepJson, type Pair, type Request, testing } from './collection.ts';

const MAX_REQUESTS = 5_000;
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC)\s+\S/;
/** Lines outside a request: comments, separators, variables, pre-request scripts. */
const OUTSIDE_REQUEST = /^\s*(?:$|#|\/\/|@[\w.-]+\s*=|<\s*\{%|<\s+\S)/;

/** Returns whether a text is a request file (`.http`, `.rest`): its first line apart from comments and variables is a request. */
export function isHttpFile(text: string): boolean {
  let isScript = false;
  for (const line of text.slice(0, 100_000).split('\n')) {
    if (isScript) {
      isScript = !line.includes('%}');
      continue;
    }
    if (/^\s*<\s*\{%/.test(line)) isScript = !line.includes('%}');
    else if (!OUTSIDE_REQUEST.test(line))
      return METHOD.test(line.trim()) || (/^###/m.test(text) && /^(?:https?:\/\/|\{\{)\S+$/.test(line.trim()));
  }
  return false;
}

/** Makes a plan from a request file of VS Code’s REST Client or JetBrains’ HTTP Client. */
export function importHttpFile(text: string): ImportResult {
  const reader = new Reader();
  const requests = text
    .split(/^###/m)
    .slice(0, MAX_REQUESTS)
    .flatMap((part, index) => reader.requestOf(index === 0 ? `\n${part}` : part));
  return importCollection({
    kind: 'http',
    client: 'the HTTP client',
    name: 'HTTP requests',
    items: requests.map((request) => ({ ...request, event: [...request.event, ...testing(getOwn(reader.kept, request.id) ?? [])] })),
    variables: reader.variables,
    environments: [],
    chosen: null,
  });
}

class Reader {
  readonly variables: Pair[] = [];
  /** Script lines that capture values for later requests, by request name. */
  readonly kept: Record<string, string[]> = {};
  private line = 0;

  /** Returns the request between two separators; empty if there are only comments. */
  requestOf(part: string): (Request & { id: string })[] {
    const lines = part.split('\n').map((line) => line.replace(/\r$/, ''));
    const firstLine = this.line + 1;
    this.line += lines.length - 1;
    let [title = '', id] = [lines[0]?.trim() ?? '', ''];
    let at = 1;
    const scripts: string[] = [];
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const [, name] = /^\s*(?:#|\/\/)\s*@name[\s=]+(\S{1,60})/.exec(line) ?? [];
      const [, key, value = ''] = /^\s*@([\w.-]{1,60})\s*=\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) id = name;
      else if (key !== undefined) this.variables.push({ key, value: this.write(value.trim()) });
      else if (/^\s*<\s*(?:\{%|\S)/.test(line)) {
        scripts.push(line);
        while (line.includes('{%') && !(lines[at] ?? '%}').includes('%}') && at < lines.length) at += 1;
      } else if (!OUTSIDE_REQUEST.test(line)) break;
    }
    if (at >= lines.length) return [];
    if (title === '') title = id;
    let address = (lines[at] ?? '').trim();
    const place = `line ${firstLine + at}`;
    at += 1;
    for (; at < lines.length && /^\s+(?:[?&]|\S)/.test(lines[at] ?? '') && !/^\s*(?:#|\/\/)/.test(lines[at] ?? ''); at += 1)
      address += (lines[at] ?? '').trim();
    const [, method = 'GET', written = ''] = /^(?:([A-Z]+)\s+)?(.*?)(?:\s+HTTP\/[\d.]+)?$/.exec(address) ?? [];
    const header: Pair[] = [];
    for (; at < lines.length && (lines[at] ?? '').trim() !== ''; at += 1) {
      const [, key, value = ''] = /^\s*([^:\s#/][^:]{0,100}?)\s*:\s*(.*)$/.exec(lines[at] ?? '') ?? [];
      if (key !== undefined) header.push({ key, value: this.write(value) });
    }
    const { body, tests } = this.below(lines.slice(at + 1), header, method);
    const url = this.write(written);
    const host = header.find(({ key }) => /^host$/i.test(key))?.value;
    const login = loginOf(header.find(({ key }) => /^authorization$/i.test(key))?.value ?? '');
    const graphql = method === 'GRAPHQL';
    return [
      {
        id,
        name:
          title === ''
            ? `${graphql ? 'POST' : method} ${written.replace(/^(?:https?:\/\/|\{\{)[^/?#]*/i, '').split('?', 1)[0] || '/'}`
            : title,
        place,
        request: {
          method: graphql ? 'POST' : method,
          url: url.startsWith('/') && host !== undefined ? `http://${host}${url}` : url,
          header: header.filter(({ key }) => !(login !== null && /^authorization$/i.test(key)) && !/^x-request-type$/i.test(key)),
          ...(login === null ? {} : { auth: login }),
          ...(body === undefined ? {} : { body }),
        },
        event: [...testing(tests), ...(scripts.length === 0 ? [] : [{ listen: 'prerequest' as const, script: { exec: scripts } }])],
      },
    ];
  }

  /** Returns the body and the lines of the response handler. */
  private below(lines: readonly string[], header: readonly Pair[], method: string): { body: Body | undefined; tests: string[] } {
    const end = lines.findIndex((line) => /^\s*(?:>\s*\{%|>>?!?\s+\S|<>\s)/.test(line));
    const text = (end < 0 ? lines : lines.slice(0, end))
      .filter((line) => !/^\s*(?:#\s|\/\/\s)/.test(line))
      .join('\n')
      .trim();
    const tests = (end < 0 ? [] : lines.slice(end))
      .flatMap((line) => (/^\s*(?:>\s*\{%\s*$|%\}|<>|>>)/.test(line) ? [] : [handlerLine(line)]))
      .filter((line) => line.trim() !== '');
    const type = header.find(({ key }) => /^content-type$/i.test(key))?.value ?? '';
    const isGraphql = method === 'GRAPHQL' || header.some(({ key, value }) => /^x-request-type$/i.test(key) && /graphql/i.test(value));
    if (text === '') return { body: undefined, tests };
    if (isGraphql) {
      const at = text.search(/\n\s*\n\s*\{[^]*\}\s*$/);
      const query = at < 0 ? text : text.slice(0, at);
      return {
        body: { mode: 'graphql', graphql: { query: this.write(query), variables: at < 0 ? '{}' : this.write(text.slice(at).trim()) } },
        tests,
      };
    }
    const [, file] = /^<@?\w*\s+(\S.{0,500})$/.exec(text) ?? [];
    if (file !== undefined && !text.includes('\n')) return { body: { mode: 'file', file: { src: file.trim() } }, tests };
    const [, boundary] = /multipart\/form-data.*boundary="?([^";\s]{1,100})/i.exec(type) ?? [];
    if (boundary !== undefined) return { body: { mode: 'formdata', formdata: this.partsOf(text, boundary) }, tests };
    if (/x-www-form-urlencoded/i.test(type) && !text.includes('<')) {
      const pairs = text
        .replaceAll(/\n\s*/g, '')
        .split('&')
        .map((pair): Pair => {
          const [key = '', ...value] = pair.split('=');
          return { key: decoded(key), value: this.write(decoded(value.join('='))) };
        });
      return { body: { mode: 'urlencoded', urlencoded: pairs }, tests };
    }
    const raw = this.write(text);
    return { body: /json/i.test(type) || parseJson(raw) !== undefined ? jsonBody(raw) : { mode: 'raw', raw }, tests };
  }

  private partsOf(text: string, boundary: string): Field[] {
    return text
      .split(`--${boundary}`)
      .slice(1, 101)
      .flatMap((part): Field[] => {
        const [head = '', ...rest] = part.replace(/^\r?\n/, '').split(/\n\s*\n/);
        const [, key] = /name="([^"]{1,200})"/.exec(head) ?? [];
        const value = rest.join('\n\n').trim();
        if (key === undefined) return [];
        const [, src] = /^<@?\s+(\S.{0,500})$/.exec(value) ?? [];
        return [src === undefined ? { key, value: this.write(value) } : { key, value: '', type: 'file', src: src.trim() }];
      });
  }

  /** Converts variables of these clients to Postman’s, and records values taken from earlier responses. */
  private write(text: string): string {
    return text.replaceAll(/\{\{\s*([^{}]{1,300}?)\s*\}\}/g, (whole, name: string) => {
      const [, id, part, path = ''] = /^([\w-]{1,60})\.response\.(body|headers)\.(\S{1,200})$/.exec(name) ?? [];
      if (id !== undefined) return this.ofResponse(id, part ?? 'body', path);
      const [, variable] = /^\$(?:processEnv|dotenv|env\.|shared)\s*%?(\w{1,60})$/.exec(name) ?? [];
      if (variable !== undefined) return `{{${variable}}}`;
      if (/^\$(?:uuid|random\.uuid|guid)$/.test(name)) return '{{$guid}}';
      if (/^\$(?:datetime|localDatetime)\b/.test(name)) return '{{$isoTimestamp}}';
      return name.startsWith('$') || /^[\w.-]+$/.test(name) ? `{{${name}}}` : whole;
    });
  }

  private ofResponse(id: string, part: string, path: string): string {
    const name = `${id}_${path.split(/[^\w-]+/).findLast((word) => /[A-Za-z]/.test(word)) ?? part}`.slice(0, 50);
    const json = path.replace(/^\$\.?/, '');
    const line = part === 'headers' ? keepHeader(name, path) : keepJson(name, json === '' ? '' : json.startsWith('[') ? json : `.${json}`);
    setOwn(this.kept, id, [...(getOwn(this.kept, id) ?? []).filter((one) => one !== line), line]);
    return `{{${name}}}`;
  }
}

/** REST Client itself encodes `Basic name:password` and `Basic name password`. */
function loginOf(value: string): unknown {
  const [, username, password] = /^Basic\s+([^\s:]+)(?:\s+|:)(\S.*)$/i.exec(value.trim()) ?? [];
  return username === undefined || password === undefined ? null : authOf('basic', { username, password });
}

function decoded(text: string): string {
  try {
    return text.includes('{{') ? text : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Converts a line of a JetBrains response handler to a script line of Postman. */
function handlerLine(line: string): string {
  const [, name, part] = /client\.global\.set\(\s*["']([\w.-]{1,60})["']\s*,\s*response\.body((?:[.[][\w.[\]"'-]*)?)\s*\)/.exec(line) ?? [];
  if (name !== undefined) return keepJson(name, part ?? '');
  const [, header, from] =
    /client\.global\.set\(\s*["']([\w.-]{1,60})["']\s*,\s*response\.headers\.valueOf\(["']([\w-]{1,100})["']\)/.exec(line) ?? [];
  if (header !== undefined) return keepHeader(header, from ?? '');
  const [, status] = /response\.status\s*={2,3}\s*(\d{3})/.exec(line) ?? [];
  if (status !== undefined) return `pm.response.to.have.status(${status});`;
  return /^\s*client\.(?:test|log)\(/.test(line)
    ? line.replace(/client\.(test|log)\(/, (_whole, verb: string) => (verb === 'test' ? 'pm.test(' : 'console.log('))
    : line;
}
