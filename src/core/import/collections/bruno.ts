import { isBlock } from '#core/base/json.ts';
import { MAX_HEADERS } from '#core/plan/schema/url.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { at, entriesAt, listAt, textAt } from '../reading.ts';
import {
  readAuth,
  type Body,
  type Environment,
  type Field,
  type Folder,
  graphqlBody,
  isOn,
  keepHeader,
  keepJson,
  type Pair,
  pairAt,
  type Request,
  getRequest,
  textBody,
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
  const isItem = (item: unknown): boolean => /^(?:http|http-request|graphql|graphql-request|folder)$/.test(textAt(item, 'type') ?? '');
  return listAt(value, 'items').some(isItem) && at(value, 'info') === undefined;
}

interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Splits a `.bru` file into blocks: each begins with a name and a brace and ends with a brace at the start of a line. */
function getBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of text.split('\n').map((one) => one.replace(/\r$/, ''))) {
    const name: string | undefined = open === null ? /^([a-z][\w:-]{0,60})\s*[{[]\s*$/.exec(line)?.[1] : undefined;
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
function listPairs(block: Block | undefined): Pair[] {
  const pairs: Pair[] = [];
  const lines = block?.lines ?? [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, off = '', key = '', written = ''] = /^\s*(~?)\s*("[^"]{1,200}"|[^:]{1,200}?)\s*:\s*(.*)$/.exec(line) ?? [];
    let value = written.trim();
    if (/^[^']*'''(?!.*''')/.test(line)) {
      const begin = at + 1;
      while (at + 1 < lines.length && !(lines[at + 1] ?? '').includes("'''")) at += 1;
      const inside = lines.slice(begin, at + 1);
      value = inside.map((one) => one.replace(/^ {1,4}/, '')).join('\n');
      at += 1;
    }
    if (key.trim() !== '' && !/^\s*@\w/.test(line)) pairs.push({ key: key.trim().replaceAll(/^"|"$/g, ''), value, disabled: off !== '' });
  }
  return pairs;
}

/** The blocks of one file. */
class Blocks {
  private readonly blocks: readonly Block[];

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  pairs(name: string): Pair[] {
    return listPairs(this.block(name));
  }

  /** Returns the value of a pair in a block. */
  value(name: string, key: string): string | undefined {
    return this.pairs(name).find((pair) => pair.key === key)?.value;
  }

  text(name: string): string {
    return this.lines(name)
      .map((line) => line.replace(/^ {2}/, ''))
      .join('\n');
  }

  lines(name: string): readonly string[] {
    return this.block(name)?.lines ?? [];
  }

  block(name: string): Block | undefined {
    return this.blocks.find((block) => block.name === name);
  }

  /** Returns the login of a mode; undefined if it is that of the folder or the collection. */
  auth(mode: string): unknown {
    const settings = this.pairs(`auth:${mode}`).map(({ key, value }) => [key, processVariables(value)] as const);
    return getLogin(mode, Object.fromEntries(settings));
  }
}

/** Makes a plan from Bruno files: requests, collection settings and environments. */
export function importBruno(text: string, chosen: string | null): ImportResult {
  // Each request begins with `meta`; anything before belongs to the collection or to an environment.
  const files = text
    .replaceAll(/\}(?=meta \{\s*$)/gm, '}\n')
    .split(/^(?=meta \{\s*$)/m)
    .map(getBlocks);
  const requests = files.filter((blocks) => blocks.some(({ name }) => METHODS.test(name)));
  const isOfCollection = ({ name }: Block): boolean => name === 'vars' || name === 'auth';
  const others = files.flatMap((blocks) => (requests.includes(blocks) ? blocks.filter(isOfCollection) : blocks));
  const written = others.filter(({ name }) => name === 'headers').flatMap(listPairs);
  const headers = [...new Map(written.map((pair) => [pair.key.toLowerCase(), pair])).values()].slice(0, MAX_HEADERS);
  const collection = new Blocks(others);
  const environments = others
    .filter(({ name }) => name === 'vars')
    .map((block, index): Environment => ({ name: `environment ${index + 1}`, values: listPairs(block) }));
  const variables = [
    ...others.filter(({ name }) => name === 'vars:pre-request'),
    ...requests.map((blocks) => new Blocks(blocks).block('vars:pre-request')),
  ];
  const sorted = requests
    .map((blocks, index) => ({ blocks, seq: Number(new Blocks(blocks).value('meta', 'seq') ?? index) }))
    .toSorted((one, other) => one.seq - other.seq);
  return importCollection({
    kind: 'bruno',
    client: 'Bruno',
    name: collection.value('meta', 'name') ?? 'Bruno collection',
    items: sorted.map(({ blocks }) => fileRequest(blocks, headers)),
    variables: variables.flatMap(listPairs),
    auth: collection.auth(collection.value('auth', 'mode') ?? 'none'),
    environments,
    chosen,
  });
}

/** `shared`: headers of the collection, unless the request has a header of that name. */
function fileRequest(blocks: readonly Block[], shared: readonly Pair[]): Request {
  const file = new Blocks(blocks);
  const line = blocks.find(({ name }) => METHODS.test(name));
  const settings = new Map(listPairs(line).map(({ key, value }) => [key, value]));
  const path = new Map(file.pairs('params:path').map(({ key, value }) => [key, value]));
  const own = file.pairs('headers');
  const isOwn = ({ key }: Pair): boolean => own.some((pair) => pair.key.toLowerCase() === key.toLowerCase());
  return getRequest({
    name: file.value('meta', 'name') ?? 'request',
    method: (line?.name ?? 'get').toUpperCase(),
    url: processVariables(
      (settings.get('url') ?? '').replaceAll(/\/:([\w-]{1,60})/g, (whole, key: string) =>
        path.has(key) ? `/${path.get(key) ?? ''}` : whole,
      ),
    ),
    header: [...shared.filter((pair) => !isOwn(pair)), ...own].map((pair) => ({ ...pair, value: processVariables(pair.value) })),
    auth: file.auth(settings.get('auth') ?? 'none'),
    body: bodyOf(settings.get('body') ?? 'none', file),
    tests: readTests(file.pairs('vars:post-response'), file.pairs('assert'), [
      ...file.lines('script:post-response'),
      ...file.lines('tests'),
    ]),
    before: blocks.filter((block) => block.name === 'script:pre-request').flatMap(({ lines }) => lines),
  });
}

/** Replaces `{{process.env.NAME}}` by `{{NAME}}`; Holdfast asks for its value. */
function processVariables(text: string): string {
  return text.replaceAll(/\{\{process\.env\.(\w{1,60})\}\}/g, '{{$1}}');
}

function bodyOf(mode: string, file: Blocks): Body | undefined {
  switch (mode) {
    case 'json':
      return textBody(processVariables(file.text(file.block('body:json') === undefined ? 'body' : 'body:json')), true);
    case 'form-urlencoded':
    case 'formUrlEncoded':
      return { mode: 'urlencoded', urlencoded: file.pairs('body:form-urlencoded') };
    case 'multipart-form':
    case 'multipartForm':
      return { mode: 'formdata', formdata: file.pairs('body:multipart-form').flatMap(getParts) };
    case 'graphql':
      return graphqlBody(file.text('body:graphql'), file.text('body:graphql:vars') || '{}');
    case 'file':
      return { mode: 'file', file: { src: /@file\(([^)|]{1,500})/.exec(file.text('body:file'))?.[1] ?? '' } };
    case 'none':
      return undefined;
    default:
      return textBody(file.text(`body:${mode}`), false);
  }
}

/** Replaces `@file(a.png|b.png)` by one field for each file. */
function getParts({ value, ...rest }: Pair): Field[] {
  const [, contentType] = /\s@contentType\(([^)]{1,100})\)$/.exec(value) ?? [];
  const pair = { ...rest, value: value.replace(/\s@contentType\([^)]*\)$/, ''), ...(contentType === undefined ? {} : { contentType }) };
  const [, files] = /^@file\(([^)]{1,2000})\)/.exec(pair.value) ?? [];
  return files === undefined ? [pair] : files.split('|').map((src): Field => ({ ...pair, type: 'file', src }));
}

function getLogin(mode: string, settings: Readonly<Record<string, string>>): unknown {
  if (mode === 'inherit') return undefined;
  return readAuth(mode, mode === 'apikey' ? { ...settings, in: settings['placement'] === 'queryparams' ? 'query' : 'header' } : settings);
}

/** Converts `res.body.a.b`, `res.getBody().a` and `res.headers.x` to script lines of Postman; null for anything else. */
function responsePart(written: string): { readonly json: string } | { readonly header: string } | null {
  const [, json] = /^res(?:\.body|\.getBody\(\)|\("?\$?)((?:[.[?][\w$."'[\]?-]*)?)"?\)?$/.exec(written.trim()) ?? [];
  if (json !== undefined) return { json: json.replaceAll('?.', '.') };
  const [, header] = /^res\.(?:headers\.|headers\[["']|getHeader\(["'])([\w-]{1,100})(?:["'][\])])?$/.exec(written.trim()) ?? [];
  return header === undefined ? null : { header };
}

/** Returns the test script of Postman for captured values, assertions and script lines. */
function readTests(kept: readonly Pair[], asserts: readonly Pair[], lines: readonly string[]): string[] {
  return [
    ...kept.filter(isOn).map(({ key, value }) => keptBy(key, value)),
    ...asserts.filter(isOn).map(({ key, value }) => assertion(key, value)),
    ...lines.map(scriptLine),
  ];
}

function keptBy(name: string, written: string): string {
  const part = responsePart(written);
  if (part === null) return `keep ${name}: ${written}`;
  return 'json' in part ? keepJson(name, part.json) : keepHeader(name, part.header);
}

/** Converts an assertion such as `res.status: eq 200` to a test script of Postman. */
function assertion(what: string, expected: string): string {
  const [, operator = '', value = ''] = /^(\w+)\s*(.*)$/.exec(expected.trim()) ?? [];
  const part = responsePart(what);
  if (what === 'res.status' && operator === 'eq') return `pm.response.to.have.status(${value});`;
  if (what === 'res.status' && operator === 'in') return `pm.expect(pm.response.code).to.be.oneOf([${value.replaceAll(/[[\]]/g, '')}]);`;
  if (what === 'res.responseTime' && /^lte?$/.test(operator)) return `pm.expect(pm.response.responseTime).to.be.below(${value});`;
  if (part === null || !('json' in part) || operator !== 'eq') return `assert ${what}: ${expected}`;
  const equal = /^(?:true|false|-?\d+)$/.test(value) ? value : JSON.stringify(value.replaceAll(/^["']|["']$/g, ''));
  return `pm.expect(pm.response.json()${part.json}).to.eql(${equal});`;
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
    items: getItems(listAt(document, 'items'), 0),
    variables: [],
    environments: listAt(document, 'environments').map((one) => ({
      name: textAt(one, 'name') ?? 'environment',
      values: listAt(one, 'variables').map(pairAt),
    })),
    chosen,
  });
}

function getItems(list: readonly unknown[], depth: number): (Folder | Request)[] {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  return list.flatMap((one): (Folder | Request)[] => {
    const name = textAt(one, 'name') ?? 'request';
    if (textAt(one, 'type') === 'folder') return [{ name, item: getItems(listAt(one, 'items'), depth + 1) }];
    const request = at(one, 'request');
    if (!isBlock(request)) return [];
    const mode = textAt(request, 'auth', 'mode') ?? 'none';
    const settings = entriesAt(request, 'auth', mode).map(([key, value]) => [key, String(value)] as const);
    return [
      getRequest({
        name,
        method: textAt(request, 'method') ?? 'GET',
        url: processVariables(textAt(request, 'url') ?? ''),
        header: listAt(request, 'headers').map(pairAt),
        auth: getLogin(mode, Object.fromEntries(settings)),
        body: exportedBody(at(request, 'body')),
        tests: readTests(
          listAt(request, 'vars', 'res').map(pairAt),
          listAt(request, 'assertions').map(pairAt),
          (textAt(request, 'tests') ?? '').split('\n'),
        ),
      }),
    ];
  });
}

function exportedBody(body: unknown): Body | undefined {
  const mode = textAt(body, 'mode') ?? 'none';
  const text = textAt(body, mode);
  const fields = listAt(body, mode)
    .filter(isOn)
    .map((field): Field => {
      const { key, value } = pairAt(field);
      return textAt(field, 'type') === 'file' ? { key, value, type: 'file', src: textAt(field, 'value', '0') ?? '' } : { key, value };
    });
  if (mode === 'formUrlEncoded') return { mode: 'urlencoded', urlencoded: fields };
  if (mode === 'multipartForm') return { mode: 'formdata', formdata: fields };
  if (mode === 'graphql') return graphqlBody(textAt(body, mode, 'query') ?? '', textAt(body, mode, 'variables') ?? '{}');
  return text === null ? undefined : textBody(text, mode === 'json');
}
