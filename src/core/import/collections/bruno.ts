import { isBlock } from '#core/base/json.ts';
import { MAX_HEADERS } from '#core/plan/schema/text.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { at, listAt, textAt } from '../reading.ts';
import {
  authOf,
  type Body,
  type Environment,
  type Field,
  type Folder,
  isOn,
  jsonBody,
  keepHeader,
  keepJson,
  type Pair,
  type Request,
  testing,
} from './collection.ts';

const MAX_BLOCKS = 5_000;
const MAX_DEPTH = 30;
const METHODS = /^(?:get|post|put|patch|delete|head|options|connect|trace)$/;

/** Returns whether a text is a Bruno file, or several of them concatenated. */
export function isBruno(text: string): boolean {
  return /^(?:get|post|put|patch|delete|head|options) \{\s*$/m.test(text) && /^\s+url: /m.test(text) && /^meta \{\s*$/m.test(text);
}

/** Returns whether a document is a collection that Bruno exported as JSON. */
export function isBrunoExport(value: unknown): boolean {
  return (
    listAt(value, 'items').some((item) => /^(?:http|http-request|graphql|graphql-request|folder)$/.test(textAt(item, 'type') ?? '')) &&
    at(value, 'info') === undefined
  );
}

interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

const BLOCK: RegExp = /^([a-z][\w:-]{0,60})\s*[{[]\s*$/;

/** Splits a `.bru` file into blocks: each begins with a name and a brace and ends with a brace at the start of a line. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of text.split('\n').map((one) => one.replace(/\r$/, ''))) {
    const name: string | undefined = open === null ? BLOCK.exec(line)?.[1] : undefined;
    if (name !== undefined) open = { name, lines: [] };
    else if (open !== null && /^[}\]]\s*$/.test(line)) {
      blocks.push(open);
      open = null;
      if (blocks.length >= MAX_BLOCKS) break;
    } else open?.lines.push(line);
  }
  return blocks;
}

/** Returns the `key: value` lines of a block. `~` before a name disables it, `@` begins an annotation, and three quotes enclose a multi-line value. */
function pairsOf(block: Block | undefined): Pair[] {
  const pairs: Pair[] = [];
  const lines = block?.lines ?? [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, off = '', key = '', written = ''] = /^\s*(~?)\s*("[^"]{1,200}"|[^:]{1,200}?)\s*:\s*(.*)$/.exec(line) ?? [];
    let value = written.trim();
    if (/^[^']*'''(?!.*''')/.test(line)) {
      const begin = at + 1;
      while (at + 1 < lines.length && !(lines[at + 1] ?? '').includes("'''")) at += 1;
      value = lines
        .slice(begin, at + 1)
        .map((one) => one.replace(/^ {1,4}/, ''))
        .join('\n');
      at += 1;
    }
    if (key.trim() !== '' && !/^\s*@\w/.test(line)) pairs.push({ key: key.trim().replaceAll(/^"|"$/g, ''), value, disabled: off !== '' });
  }
  return pairs;
}

function textOf(block: Block | undefined): string {
  return (block?.lines ?? []).map((line) => line.replace(/^ {2}/, '')).join('\n');
}

/** Makes a plan from Bruno files: requests, collection settings and environments. */
export function importBruno(text: string, chosen: string | null): ImportResult {
  // Each request begins with `meta`; anything before belongs to the collection or to an environment.
  const files = text
    .replaceAll(/\}(?=meta \{\s*$)/gm, '}\n')
    .split(/^(?=meta \{\s*$)/m)
    .map(blocksOf);
  const requests = files.filter((blocks) => blocks.some(({ name }) => METHODS.test(name)));
  const isOfCollection = ({ name }: Block): boolean => name === 'vars' || name === 'auth';
  const others = files.flatMap((blocks) => (requests.includes(blocks) ? blocks.filter(isOfCollection) : blocks));
  const written = others.filter(({ name }) => name === 'headers').flatMap(pairsOf);
  const headers = [...new Map(written.map((pair) => [pair.key.toLowerCase(), pair])).values()].slice(0, MAX_HEADERS);
  const named = (blocks: readonly Block[], name: string): Block | undefined => blocks.find((block) => block.name === name);
  const environments = others
    .filter(({ name }) => name === 'vars')
    .map((block, index): Environment => ({ name: `environment ${index + 1}`, values: pairsOf(block) }));
  const sorted = requests.map((blocks, index) => ({
    blocks,
    index,
    seq: Number(pairsOf(named(blocks, 'meta')).find(({ key }) => key === 'seq')?.value ?? index),
  }));
  return importCollection({
    kind: 'bruno',
    client: 'Bruno',
    name: pairsOf(named(others, 'meta')).find(({ key }) => key === 'name')?.value ?? 'Bruno collection',
    items: sorted.toSorted((one, other) => one.seq - other.seq).map(({ blocks }) => requestOf(blocks, headers)),
    variables: others
      .filter(({ name }) => name === 'vars:pre-request')
      .flatMap(pairsOf)
      .concat(requests.flatMap((blocks) => pairsOf(named(blocks, 'vars:pre-request')))),
    auth: authIn(others, pairsOf(named(others, 'auth')).find(({ key }) => key === 'mode')?.value ?? 'none'),
    environments,
    chosen,
  });
}

/** `shared`: headers of the collection, unless the request has a header of that name. */
function requestOf(blocks: readonly Block[], shared: readonly Pair[]): Request {
  const named = (name: string): Block | undefined => blocks.find((block) => block.name === name);
  const line = blocks.find(({ name }) => METHODS.test(name));
  const settings = new Map(pairsOf(line).map(({ key, value }) => [key, value]));
  const name = pairsOf(named('meta')).find(({ key }) => key === 'name')?.value ?? 'request';
  const path = new Map(pairsOf(named('params:path')).map(({ key, value }) => [key, value]));
  const url = (settings.get('url') ?? '').replaceAll(/\/:([\w-]{1,60})/g, (whole, key: string) =>
    path.has(key) ? `/${path.get(key) ?? ''}` : whole,
  );
  const own = pairsOf(named('headers'));
  const body = bodyOf(settings.get('body') ?? 'none', named);
  const auth = authIn(blocks, settings.get('auth') ?? 'none');
  const scripts = blocks.filter((block) => block.name === 'script:pre-request').flatMap(({ lines }) => lines);
  return {
    name,
    place: name.slice(0, 60),
    request: {
      method: (line?.name ?? 'get').toUpperCase(),
      url: processVariables(url),
      header: [...shared.filter(({ key }) => !own.some((pair) => pair.key.toLowerCase() === key.toLowerCase())), ...own].map((pair) => ({
        ...pair,
        value: processVariables(pair.value),
      })),
      ...(auth === undefined ? {} : { auth }),
      ...(body === undefined ? {} : { body }),
    },
    event: [
      ...testing([
        ...pairsOf(named('vars:post-response'))
          .filter(isOn)
          .map(({ key, value }) => keptBy(key, value)),
        ...pairsOf(named('assert'))
          .filter(isOn)
          .map(({ key, value }) => assertion(key, value)),
        ...[...(named('script:post-response')?.lines ?? []), ...(named('tests')?.lines ?? [])]
          .map(scriptLine)
          .filter((one) => one.trim() !== ''),
      ]),
      ...(scripts.length === 0 ? [] : [{ listen: 'prerequest' as const, script: { exec: scripts } }]),
    ],
  };
}

/** Replaces `{{process.env.NAME}}` by `{{NAME}}`; Holdfast asks for its value. */
function processVariables(text: string): string {
  return text.replaceAll(/\{\{process\.env\.(\w{1,60})\}\}/g, '{{$1}}');
}

function bodyOf(mode: string, named: (name: string) => Block | undefined): Body | undefined {
  switch (mode) {
    case 'json':
      return jsonBody(processVariables(textOf(named('body:json') ?? named('body'))));
    case 'form-urlencoded':
    case 'formUrlEncoded':
      return { mode: 'urlencoded', urlencoded: pairsOf(named('body:form-urlencoded')) };
    case 'multipart-form':
    case 'multipartForm':
      return { mode: 'formdata', formdata: pairsOf(named('body:multipart-form')).flatMap(partsOf) };
    case 'graphql':
      return { mode: 'graphql', graphql: { query: textOf(named('body:graphql')), variables: textOf(named('body:graphql:vars')) || '{}' } };
    case 'file': {
      const [, path = ''] = /@file\(([^)|]{1,500})/.exec(textOf(named('body:file'))) ?? [];
      return { mode: 'file', file: { src: path } };
    }
    case 'none':
      return undefined;
    default:
      return { mode: 'raw', raw: textOf(named(`body:${mode}`)) };
  }
}

/** Replaces `@file(a.png|b.png)` by one field for each file. */
function partsOf({ value, ...rest }: Pair): Field[] {
  const [, contentType] = /\s@contentType\(([^)]{1,100})\)$/.exec(value) ?? [];
  const pair = { ...rest, value: value.replace(/\s@contentType\([^)]*\)$/, ''), ...(contentType === undefined ? {} : { contentType }) };
  const [, files] = /^@file\(([^)]{1,2000})\)/.exec(pair.value) ?? [];
  return files === undefined ? [pair] : files.split('|').map((src): Field => ({ ...pair, type: 'file', src }));
}

function authIn(blocks: readonly Block[], mode: string): unknown {
  const settings = new Map(
    pairsOf(blocks.find(({ name }) => name === `auth:${mode}`)).map(({ key, value }) => [key, processVariables(value)]),
  );
  switch (mode) {
    case 'inherit':
      return undefined;
    case 'none':
      return authOf('noauth', {});
    case 'apikey':
      return authOf('apikey', {
        key: settings.get('key') ?? '',
        value: settings.get('value') ?? '',
        in: settings.get('placement') === 'queryparams' ? 'query' : 'header',
      });
    default:
      return authOf(mode.slice(0, 40), Object.fromEntries(settings));
  }
}

/** Converts `res.body.a.b`, `res.getBody().a` and `res.headers.x` to script lines of Postman; null for anything else. */
function responsePart(written: string): { readonly json: string } | { readonly header: string } | null {
  const [, json] = /^res(?:\.body|\.getBody\(\)|\("?\$?)((?:[.[?][\w$."'[\]?-]*)?)"?\)?$/.exec(written.trim()) ?? [];
  if (json !== undefined) return { json: json.replaceAll('?.', '.') };
  const [, header] = /^res\.(?:headers\.|headers\[["']|getHeader\(["'])([\w-]{1,100})(?:["'][\])])?$/.exec(written.trim()) ?? [];
  return header === undefined ? null : { header };
}

function keptBy(name: string, written: string): string {
  const part = responsePart(written);
  if (part === null) return `keep ${name}: ${written}`;
  return 'json' in part ? keepJson(name, part.json) : keepHeader(name, part.header);
}

/** Converts an assertion such as `res.status: eq 200` to a test script of Postman. */
function assertion(what: string, expected: string): string {
  const [, operator = '', value = ''] = /^(\w+)\s*(.*)$/.exec(expected.trim()) ?? [];
  if (what === 'res.status' && operator === 'eq') return `pm.response.to.have.status(${value});`;
  if (what === 'res.status' && operator === 'in') return `pm.expect(pm.response.code).to.be.oneOf([${value.replaceAll(/[[\]]/g, '')}]);`;
  if (what === 'res.responseTime' && /^lte?$/.test(operator)) return `pm.expect(pm.response.responseTime).to.be.below(${value});`;
  const part = responsePart(what);
  if (part !== null && 'json' in part && operator === 'eq')
    return `pm.expect(pm.response.json()${part.json}).to.eql(${/^(?:true|false|-?\d+)$/.test(value) ? value : JSON.stringify(value.replaceAll(/^["']|["']$/g, ''))});`;
  return `assert ${what}: ${expected}`;
}

/** Converts a script line of Bruno to one of Postman. */
function scriptLine(line: string): string {
  const [, name, part = ''] =
    /^\s*bru\.set(?:Var|EnvVar|GlobalEnvVar)\(\s*["'`]([\w.-]{1,60})["'`]\s*,\s*([^;]{1,300}?)\)\s*;?\s*$/.exec(line) ?? [];
  if (name !== undefined && responsePart(part) !== null) return keptBy(name, part);
  const [, status] = /expect\(res\.(?:status|getStatus\(\))\)\.to\.(?:equal|eql|be\.equal)\((\d{3})\)/.exec(line) ?? [];
  if (status !== undefined) return `pm.response.to.have.status(${status});`;
  return /^\s*test\(/.test(line) ? line.replace('test(', 'pm.test(') : line;
}

/** Makes a plan from a collection that Bruno exported as JSON. */
export function importBrunoExport(document: unknown, chosen: string | null): ImportResult {
  return importCollection({
    kind: 'bruno',
    client: 'Bruno',
    name: textAt(document, 'name') ?? 'Bruno collection',
    items: itemsOf(listAt(document, 'items'), 0),
    variables: [],
    environments: listAt(document, 'environments').map((one) => ({
      name: textAt(one, 'name') ?? 'environment',
      values: listAt(one, 'variables').map((pair) => ({
        key: textAt(pair, 'name') ?? '',
        value: textAt(pair, 'value') ?? '',
        disabled: !isOn(pair),
      })),
    })),
    chosen,
  });
}

function itemsOf(list: readonly unknown[], depth: number): (Folder | Request)[] {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  return list.flatMap((one): (Folder | Request)[] => {
    const name = textAt(one, 'name') ?? 'request';
    if (textAt(one, 'type') === 'folder') return [{ name, item: itemsOf(listAt(one, 'items'), depth + 1) }];
    const request = at(one, 'request');
    if (!isBlock(request)) return [];
    const mode = textAt(request, 'body', 'mode') ?? 'none';
    const text = textAt(request, 'body', mode);
    const fields = listAt(request, 'body', mode)
      .filter(isOn)
      .map((field): Field => ({
        key: textAt(field, 'name') ?? '',
        value: textAt(field, 'value') ?? '',
        ...(textAt(field, 'type') === 'file' ? { type: 'file' as const, src: textAt(field, 'value', '0') ?? '' } : {}),
      }));
    const body: Body | undefined =
      mode === 'json' && text !== null
        ? jsonBody(text)
        : mode === 'formUrlEncoded'
          ? { mode: 'urlencoded', urlencoded: fields }
          : mode === 'multipartForm'
            ? { mode: 'formdata', formdata: fields }
            : mode === 'graphql'
              ? {
                  mode: 'graphql',
                  graphql: {
                    query: textAt(request, 'body', 'graphql', 'query') ?? '',
                    variables: textAt(request, 'body', 'graphql', 'variables') ?? '{}',
                  },
                }
              : text === null
                ? undefined
                : { mode: 'raw', raw: text };
    const type = textAt(request, 'auth', 'mode') ?? 'none';
    const settings = at(request, 'auth', type);
    const auth =
      type === 'inherit'
        ? undefined
        : authOf(
            type === 'none' ? 'noauth' : type.slice(0, 40),
            Object.fromEntries(isBlock(settings) ? Object.entries(settings).map(([key, value]) => [key, String(value)]) : []),
          );
    return [
      {
        name,
        place: name.slice(0, 60),
        request: {
          method: textAt(request, 'method') ?? 'GET',
          url: processVariables(textAt(request, 'url') ?? ''),
          header: listAt(request, 'headers').map((header) => ({
            key: textAt(header, 'name') ?? '',
            value: textAt(header, 'value') ?? '',
            disabled: !isOn(header),
          })),
          ...(auth === undefined ? {} : { auth }),
          ...(body === undefined ? {} : { body }),
        },
        event: testing([
          ...listAt(request, 'vars', 'res')
            .filter(isOn)
            .map((pair) => keptBy(textAt(pair, 'name') ?? '', textAt(pair, 'value') ?? '')),
          ...listAt(request, 'assertions')
            .filter(isOn)
            .map((pair) => assertion(textAt(pair, 'name') ?? '', textAt(pair, 'value') ?? '')),
          ...(textAt(request, 'tests') ?? '')
            .split('\n')
            .map(scriptLine)
            .filter((line) => line.trim() !== ''),
        ]),
      },
    ];
  });
}
