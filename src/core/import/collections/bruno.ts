import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { MAX_HEADERS } from '#core/plan/schema/url.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { valueAtPath, entriesAt, listAt, textAt } from '../reading.ts';
import * as postman from './collection.ts';

const MAX_BLOCKS = 5_000;
const MAX_DEPTH = 30;
/** `http` begins a request whose block names its method. */
const METHOD_BLOCK_PATTERN = /^(?:get|post|put|patch|delete|head|options|connect|trace|http)$/;

/** Returns whether a text is a Bruno file, or several of them concatenated. */
export function isBruno(text: string): boolean {
  return (
    /^(?:get|post|put|patch|delete|head|options|connect|trace|http) \{\s*$/m.test(text) &&
    /^\s+url: /m.test(text) &&
    /^meta \{\s*$/m.test(text)
  );
}

/** Returns whether a document is a collection that Bruno exported as JSON. */
export function isBrunoExport(value: unknown): boolean {
  const isItem = (item: unknown): boolean => /^(?:http|http-request|graphql|graphql-request|folder)$/.test(textAt(item, 'type') ?? '');
  return listAt(value, 'items').some(isItem) && valueAtPath(value, 'info') === undefined;
}

interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Splits a `.bru` file into blocks: each begins with a name and a brace and ends with a brace at the start of a line. */
function parseBlocks(text: string): Block[] {
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

/**
 * Returns the `key: value` lines of a block. `~` before a name disables it, `@` begins an annotation, and three quotes enclose a multi-line
 * value.
 */
function listPairs(lines: readonly string[]): postman.Pair[] {
  const pairs: postman.Pair[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, disabledMark = '', key = '', written = ''] = /^\s*(~?)\s*("[^"]{1,200}"|[^:]{1,200}?)\s*:\s*(.*)$/.exec(line) ?? [];
    let value = written.trim();
    if (/^[^']*'''(?!.*''')/.test(line)) {
      const begin = at + 1;
      while (at + 1 < lines.length && !(lines[at + 1] ?? '').includes("'''")) at += 1;
      const innerLines = lines.slice(begin, at + 1);
      value = innerLines.map((one) => one.replace(/^ {1,4}/, '')).join('\n');
      at += 1;
    }
    if (key.trim() !== '' && !/^\s*@\w/.test(line))
      pairs.push({ key: key.trim().replaceAll(/^"|"$/g, ''), value, disabled: disabledMark !== '' });
  }
  return pairs;
}

/** Returns the lines of the first block of this name; empty if there is none. */
function linesOf(blocks: readonly Block[], name: string): readonly string[] {
  return blocks.find((block) => block.name === name)?.lines ?? [];
}

function readPairs(blocks: readonly Block[], name: string): postman.Pair[] {
  return listPairs(linesOf(blocks, name));
}

function readValue(blocks: readonly Block[], name: string, key: string): string | undefined {
  return readPairs(blocks, name).find((pair) => pair.key === key)?.value;
}

function textAtBlock(blocks: readonly Block[], name: string): string {
  return linesOf(blocks, name)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}

/** Returns the login of a mode; undefined if the mode inherits the login of the folder or the collection. */
function readAuth(blocks: readonly Block[], mode: string): unknown {
  const settings = readPairs(blocks, `auth:${mode}`).map(({ key, value }) => [key, simplifyVariables(value)] as const);
  return readLogin(mode, Object.fromEntries(settings));
}

/** Makes a plan from Bruno files: requests, collection settings and environments. */
export function importBruno(text: string, chosen: string | null): ImportResult {
  // Each request begins with `meta`; anything before it belongs to the collection or to an environment.
  const files = text
    .replaceAll(/\}(?=meta \{\s*$)/gm, '}\n')
    .split(/^(?=meta \{\s*$)/m)
    .map(parseBlocks);
  const requests = files.filter((blocks) => blocks.some(({ name }) => METHOD_BLOCK_PATTERN.test(name)));
  const isOfCollection = ({ name }: Block): boolean => name === 'vars' || name === 'auth';
  const others = files.flatMap((blocks) => (requests.includes(blocks) ? blocks.filter(isOfCollection) : blocks));
  const written = others.flatMap(({ name, lines }) => (name === 'headers' ? listPairs(lines) : []));
  const headers = [...new Map(written.map((pair) => [pair.key.toLowerCase(), pair])).values()].slice(0, MAX_HEADERS);
  const environments = others
    .filter(({ name }) => name === 'vars')
    .map(({ lines }, index): postman.Environment => ({ name: `environment ${index + 1}`, values: listPairs(lines) }));
  const sorted = requests
    .map((blocks, index) => ({ blocks, seq: Number(readValue(blocks, 'meta', 'seq') ?? index) }))
    .toSorted((one, other) => one.seq - other.seq);
  return importCollection({
    kind: 'bruno',
    client: 'Bruno',
    name: readValue(others, 'meta', 'name') ?? 'Bruno collection',
    items: sorted.map(({ blocks }) => fileRequest(blocks, headers)),
    variables: [
      ...others.flatMap(({ name, lines }) => (name === 'vars:pre-request' ? listPairs(lines) : [])),
      ...requests.flatMap((blocks) => readPairs(blocks, 'vars:pre-request')),
    ],
    auth: readAuth(others, readValue(others, 'auth', 'mode') ?? 'none'),
    environments,
    chosen,
  });
}

/** Returns the request of a file. `shared`: headers of the collection, which a header of the same name in the request replaces. */
function fileRequest(blocks: readonly Block[], shared: readonly postman.Pair[]): postman.Request {
  const line = blocks.find(({ name }) => METHOD_BLOCK_PATTERN.test(name));
  const settings = new Map(listPairs(line?.lines ?? []).map(({ key, value }) => [key, value]));
  const path = new Map(readPairs(blocks, 'params:path').map(({ key, value }) => [key, value]));
  const url = (settings.get('url') ?? '').replaceAll(/\/:([\w-]{1,60})/g, (whole, key: string) =>
    path.has(key) ? `/${path.get(key) ?? ''}` : whole,
  );
  const own = readPairs(blocks, 'headers');
  const isOwn = ({ key }: postman.Pair): boolean => own.some((pair) => pair.key.toLowerCase() === key.toLowerCase());
  const script = [...linesOf(blocks, 'script:post-response'), ...linesOf(blocks, 'tests')];
  return postman.readRequest({
    name: readValue(blocks, 'meta', 'name') ?? 'request',
    method: ((line?.name === 'http' ? settings.get('method') : line?.name) ?? 'get').toUpperCase(),
    url: simplifyVariables(url),
    header: [...shared.filter((pair) => !isOwn(pair)), ...own].map((pair) => ({ ...pair, value: simplifyVariables(pair.value) })),
    auth: readAuth(blocks, settings.get('auth') ?? 'none'),
    body: bodyOf(settings.get('body') ?? 'none', blocks),
    tests: readTests(readPairs(blocks, 'vars:post-response'), readPairs(blocks, 'assert'), script),
    before: blocks.flatMap(({ name, lines }) => (name === 'script:pre-request' ? lines : [])),
  });
}

/** Replaces `{{process.env.NAME}}` by `{{NAME}}`; Holdfast then asks for the value. */
function simplifyVariables(text: string): string {
  return text.replaceAll(/\{\{process\.env\.(\w{1,60})\}\}/g, '{{$1}}');
}

function bodyOf(mode: string, blocks: readonly Block[]): postman.Body | undefined {
  const text = (name: string): string => textAtBlock(blocks, name);
  switch (mode) {
    case 'json':
      return postman.textBody(simplifyVariables(text(blocks.some(({ name }) => name === 'body:json') ? 'body:json' : 'body')), true);
    case 'form-urlencoded':
    case 'formUrlEncoded':
      return { mode: 'urlencoded', urlencoded: readPairs(blocks, 'body:form-urlencoded') };
    case 'multipart-form':
    case 'multipartForm':
      return { mode: 'formdata', formdata: readPairs(blocks, 'body:multipart-form').flatMap(readFields) };
    case 'graphql':
      return postman.graphqlBody(text('body:graphql'), text('body:graphql:vars') || '{}');
    case 'file':
      return { mode: 'file', file: { src: /@file\(([^)|]{1,500})/.exec(text('body:file'))?.[1] ?? '' } };
    case 'none':
      return undefined;
    default:
      return postman.textBody(text(`body:${mode}`), false);
  }
}

/** Replaces `@file(a.png|b.png)` by one field for each file. */
function readFields({ value, ...rest }: postman.Pair): postman.Field[] {
  const [, contentType] = /\s@contentType\(([^)]{1,100})\)$/.exec(value) ?? [];
  const pair = { ...rest, value: value.replace(/\s@contentType\([^)]*\)$/, ''), ...(contentType === undefined ? {} : { contentType }) };
  const [, files] = /^@file\(([^)]{1,2000})\)/.exec(pair.value) ?? [];
  return files === undefined ? [pair] : files.split('|').map((src): postman.Field => ({ ...pair, type: 'file', src }));
}

function readLogin(mode: string, settings: Readonly<Record<string, string>>): unknown {
  if (mode === 'inherit') return undefined;
  if (mode === 'oauth2') {
    const setting = (...names: readonly string[]): string =>
      names.map((name) => getOwn(settings, name)).find((one) => one !== undefined) ?? '';
    return postman.readAuth(mode, {
      grant_type: setting('grant_type', 'grantType'),
      accessTokenUrl: setting('access_token_url', 'accessTokenUrl'),
      clientId: setting('client_id', 'clientId'),
      clientSecret: setting('client_secret', 'clientSecret'),
      scope: setting('scope'),
      client_authentication: setting('credentials_placement', 'credentialsPlacement') === 'basic_auth_header' ? 'header' : 'body',
    });
  }
  return postman.readAuth(
    mode,
    mode === 'apikey' ? { ...settings, in: settings['placement'] === 'queryparams' ? 'query' : 'header' } : settings,
  );
}

/** Returns the JSON path or the header that `res.body.a.b`, `res.getBody().a` or `res.headers.x` reads; null for anything else. */
function responsePart(written: string): { readonly json: string } | { readonly header: string } | null {
  const [, json] = /^res(?:\.body|\.getBody\(\)|\("?\$?)((?:[.[?][\w$."'[\]?-]*)?)"?\)?$/.exec(written.trim()) ?? [];
  if (json !== undefined) return { json: json.replaceAll('?.', '.') };
  const [, header] = /^res\.(?:headers\.|headers\[["']|getHeader\(["'])([\w-]{1,100})(?:["'][\])])?$/.exec(written.trim()) ?? [];
  return header === undefined ? null : { header };
}

function readTests(kept: readonly postman.Pair[], asserts: readonly postman.Pair[], lines: readonly string[]): string[] {
  return [
    ...kept.filter(postman.isOn).map(({ key, value }) => captureScript(key, value)),
    ...asserts.filter(postman.isOn).map(({ key, value }) => assertionScript(key, value)),
    ...lines.map(scriptLine),
  ];
}

function captureScript(name: string, written: string): string {
  const part = responsePart(written);
  if (part === null) return `keep ${name}: ${written}`;
  return 'json' in part ? postman.keepJson(name, part.json) : postman.keepHeader(name, part.header);
}

/** Converts an assertion such as `res.status: eq 200` to a test script of Postman. */
function assertionScript(what: string, expected: string): string {
  const [, operator = '', value = ''] = /^(\w+)\s*(.*)$/.exec(expected.trim()) ?? [];
  const part = responsePart(what);
  if (what === 'res.status' && operator === 'eq') return `pm.response.to.have.status(${value});`;
  if (what === 'res.status' && operator === 'in') return `pm.expect(pm.response.code).to.be.oneOf([${value.replaceAll(/[[\]]/g, '')}]);`;
  if (what === 'res.responseTime' && /^lte?$/.test(operator)) return `pm.expect(pm.response.responseTime).to.be.below(${value});`;
  if (part === null || !('json' in part) || operator !== 'eq') return `assert ${what}: ${expected}`;
  const equal = /^(?:true|false|-?\d+)$/.test(value) ? value : JSON.stringify(value.replaceAll(/^["']|["']$/g, ''));
  return `pm.expect(pm.response.json()${part.json}).to.eql(${equal});`;
}

function scriptLine(line: string): string {
  const [, name, part = ''] =
    /^\s*bru\.set(?:Var|EnvVar|GlobalEnvVar)\(\s*["'`]([\w.-]{1,60})["'`]\s*,\s*([^;]{1,300}?)\)\s*;?\s*$/.exec(line) ?? [];
  if (name !== undefined && responsePart(part) !== null) return captureScript(name, part);
  const [, status] = /expect\(res\.(?:status|getStatus\(\))\)\.to\.(?:equal|eql|be\.equal)\((\d{3})\)/.exec(line) ?? [];
  if (status !== undefined) return `pm.response.to.have.status(${status});`;
  return /^\s*test\(/.test(line) ? line.replace('test(', 'pm.test(') : line;
}

export function importBrunoExport(document: unknown, chosen: string | null): ImportResult {
  return importCollection({
    kind: 'bruno',
    client: 'Bruno',
    name: textAt(document, 'name') ?? 'Bruno collection',
    items: readItems(listAt(document, 'items'), 0),
    variables: [],
    environments: listAt(document, 'environments').map((one) => ({
      name: textAt(one, 'name') ?? 'environment',
      values: listAt(one, 'variables').map(postman.readPair),
    })),
    chosen,
  });
}

function readItems(list: readonly unknown[], depth: number): (postman.Folder | postman.Request)[] {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  return list.flatMap((one): (postman.Folder | postman.Request)[] => {
    const name = textAt(one, 'name') ?? 'request';
    if (textAt(one, 'type') === 'folder') return [{ name, item: readItems(listAt(one, 'items'), depth + 1) }];
    const request = valueAtPath(one, 'request');
    if (!isBlock(request)) return [];
    const mode = textAt(request, 'auth', 'mode') ?? 'none';
    const settings = entriesAt(request, 'auth', mode).map(([key, value]) => [key, String(value)] as const);
    return [
      postman.readRequest({
        name,
        method: textAt(request, 'method') ?? 'GET',
        url: simplifyVariables(textAt(request, 'url') ?? ''),
        header: listAt(request, 'headers').map(postman.readPair),
        auth: readLogin(mode, Object.fromEntries(settings)),
        body: readExportedBody(valueAtPath(request, 'body')),
        tests: readTests(
          listAt(request, 'vars', 'res').map(postman.readPair),
          listAt(request, 'assertions').map(postman.readPair),
          (textAt(request, 'tests') ?? '').split('\n'),
        ),
      }),
    ];
  });
}

function readExportedBody(body: unknown): postman.Body | undefined {
  const mode = textAt(body, 'mode') ?? 'none';
  const text = textAt(body, mode);
  const fields = listAt(body, mode)
    .filter(postman.isOn)
    .map((field): postman.Field => {
      const { key, value } = postman.readPair(field);
      return textAt(field, 'type') === 'file' ? { key, value, type: 'file', src: textAt(field, 'value', '0') ?? '' } : { key, value };
    });
  if (mode === 'formUrlEncoded') return { mode: 'urlencoded', urlencoded: fields };
  if (mode === 'multipartForm') return { mode: 'formdata', formdata: fields };
  if (mode === 'graphql') return postman.graphqlBody(textAt(body, mode, 'query') ?? '', textAt(body, mode, 'variables') ?? '{}');
  return text === null ? undefined : postman.textBody(text, mode === 'json');
}
