import { hasPlaceholders, parseTemplate } from '#core/plan/secrets.ts';
import { isTextType, jsonText, pathInFolder } from '#core/work/journey/walked.ts';
import type { Plan, Step, TextOrSecret } from '#core/plan/schema/plan.ts';
import { findSideUrl } from '#core/plan/requests.ts';
import { findNamedTarget } from '#core/plan/url.ts';
import type { K6Draft } from './draft.ts';
import type { Expressions, StepScope } from './expressions.ts';
import { Code, memberName, quote, formatValue, type JavaScriptValue, type JavaScriptObject } from './javaScript.ts';

type Part = NonNullable<Step['multipart']>[number];
type FilePart = Exclude<Part, { value: string } | { valueByEnding: unknown }>;

function isFile(part: Part): part is FilePart {
  return !('value' in part) && !('valueByEnding' in part);
}

/** Expression of a body and its Content-Type. */
export interface BodyCode {
  /** Expression of the body; null if there is no body. */
  readonly text: string | null;
  readonly type: string | null;
  /** Statements before the body. */
  readonly lines: readonly string[];
}

export function bodyOf(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): BodyCode {
  if (step.multipart !== undefined) return writeMultipart(draft, expressions, step.multipart, scope);
  return { ...writePlainBody(draft, expressions, step, scope), lines: [] };
}

function writePlainBody(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): Omit<BodyCode, 'lines'> {
  const text = (value: string): string => expressions.text(value, 'text', scope);
  if (step.form !== undefined) {
    const fields = Object.entries(step.form);
    // k6 encodes an object as a form, but a member called __proto__ would be lost.
    if (!fields.some(([name]) => name === '__proto__'))
      return { text: objectCode(fields.map(([name, value]) => [fieldCode(name, text), text(value)])), type: null };
    const pairs = fields.map(
      ([name, value]) => `\${${draft.requireHelper('formEncode')}(${text(name)})}=\${${draft.requireHelper('formEncode')}(${text(value)})}`,
    );
    return { text: `\`${pairs.join('&')}\``, type: 'application/x-www-form-urlencoded' };
  }
  if (step.json !== undefined) return { text: jsonCode(step.json, expressions, scope), type: 'application/json' };
  if (step.bodyFile !== undefined) return { text: draft.openFile(step.bodyFile), type: null };
  if (step.body === undefined) return { text: null, type: null };
  if (typeof step.body === 'object') return { text: draft.secret(step.body.secret), type: null };
  return { text: expressions.text(step.body, placeOfBody(step), scope), type: null };
}

/** Returns the name of a field as an object member. */
function fieldCode(name: string, text: (value: string) => string): string {
  return hasPlaceholders(name) || name === '__proto__' ? `[${text(name)}]` : memberName(parseTemplate(name).join(''));
}

function objectCode(members: readonly (readonly [name: string, value: string])[], indent = '  '): string {
  const line = `{ ${members.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;
  if (line.length + indent.length <= 100 && !line.includes('\n')) return members.length === 0 ? '{}' : line;
  return `{\n${members.map(([name, value]) => `  ${name}: ${value},`).join('\n')}\n}`;
}

/** Returns the expression of a JSON body. With raw values it is a text template, which may be invalid JSON until they are inserted. */
function jsonCode(value: Exclude<Step['json'], undefined>, expressions: Expressions, scope: StepScope): string {
  const text = jsonText(value);
  if (!hasPlaceholders(text)) return quote(parseTemplate(text).join(''));
  if (/\|\s*raw\s*\}\}/.test(text) || text.includes('"__proto__"')) return expressions.text(text, 'json', scope);
  const code = (each: unknown): JavaScriptValue => {
    if (typeof each === 'string')
      return hasPlaceholders(each) ? new Code(expressions.text(each, 'text', scope)) : parseTemplate(each).join('');
    if (Array.isArray(each)) return each.map(code);
    if (typeof each === 'object' && each !== null)
      return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, code(member)]));
    return typeof each === 'number' || typeof each === 'boolean' ? each : null;
  };
  const hasNamedPlaceholders = namesHavePlaceholders(value);
  return hasNamedPlaceholders ? expressions.text(text, 'json', scope) : `JSON.stringify(${formatValue(code(value), '  ')})`;
}

function namesHavePlaceholders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes('{{') || namesHavePlaceholders(member));
}

function placeOfBody(step: Step): 'json' | 'form' | 'text' {
  const type = Object.entries(step.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (typeof type !== 'string') return 'text';
  if (/\bjson\b/i.test(type)) return 'json';
  return /x-www-form-urlencoded/i.test(type) ? 'form' : 'text';
}

function writeMultipart(draft: K6Draft, expressions: Expressions, parts: readonly Part[], scope: StepScope): BodyCode {
  const text = (value: string, item?: string): string => expressions.text(value, 'text', item === undefined ? scope : { ...scope, item });
  if (parts.every((part) => 'value' in part && part.optional !== true)) {
    const fields = parts.flatMap((part) =>
      'value' in part
        ? [`[${[text(part.name), text(part.value), ...(part.type === undefined ? [] : [quote(part.type)])].join(', ')}]`]
        : [],
    );
    return {
      text: `${draft.requireHelper('textForm')}([${fields.join(', ')}])`,
      type: 'multipart/form-data; boundary=${BOUNDARY}',
      lines: [],
    };
  }
  const names = parts.map(({ name }) => name);
  if (new Set(names).size < names.length) draft.note('A form has several parts with the same name. k6 keeps only the last.');
  draft.note('k6 sends form fields and parts in its own order.');
  for (const part of parts)
    if ('value' in part && part.type !== undefined) draft.note(`In a form with files, k6 sends the field ${part.name} without its type.`);
  const isFixed = parts.every((part) => ('value' in part && part.optional !== true) || (isFile(part) && part.each === undefined));
  if (isFixed) {
    const members = parts.flatMap((part): (readonly [string, string])[] => {
      if ('valueByEnding' in part) return [];
      const { name } = part;
      return [[fieldCode(name, text), 'value' in part ? text(part.value) : fileCode(part, fileArguments(draft, part, text))]];
    });
    return { text: objectCode(members), type: null, lines: [] };
  }
  return writeListedForm(draft, expressions, parts, scope);
}

/** Returns a form whose parts depend on a page: a list of names and values, built for each request. */
function writeListedForm(draft: K6Draft, expressions: Expressions, parts: readonly Part[], scope: StepScope): BodyCode {
  const text = (value: string, item?: string): string => expressions.text(value, 'text', item === undefined ? scope : { ...scope, item });
  const lines: string[] = [];
  // All parts that depend on a folder part use the same file.
  const files = new Map<Part, string>();
  for (const part of parts) {
    if (!('folder' in part)) continue;
    const name = files.size === 0 ? 'upload' : `upload${files.size + 1}`;
    lines.push(`const ${name} = ${fileArguments(draft, part, text).replace(/^\.\.\./, '')};`);
    files.set(part, name);
  }
  const named = parts.find(isFile);
  const nameOfFile = named === undefined ? "''" : fileNameCode(named, files.get(named), text);
  const items = parts.map((part): string => {
    if ('valueByEnding' in part) {
      const texts = Object.entries(part.valueByEnding).map(([ending, value]) => [ending, new Code(`() => ${text(value)}`)] as const);
      const value = `${draft.requireHelper('byEnding')}(${nameOfFile}, ${formatValue(Object.fromEntries(texts))})`;
      return `...${draft.requireHelper('filled')}(${text(part.name)}, ${value})`;
    }
    if ('value' in part)
      return part.optional === true
        ? `...${draft.requireHelper('filled')}(${text(part.name)}, ${text(part.value)})`
        : `[${text(part.name)}, ${text(part.value)}]`;
    const { each } = part;
    const own = files.get(part);
    const given = own === undefined ? fileArguments(draft, part, (value) => text(value, each)) : `...${own}`;
    const pair = `[${text(part.name, each)}, ${fileCode(part, given)}]`;
    return each === undefined ? pair : `...[].concat(${expressions.valueOf(each, scope)}).map((item) => ${pair})`;
  });
  const mayBeEmpty = new Set(
    draft.plan.journey.flatMap(({ captures = [] }) =>
      captures.flatMap((one) => ('mayBeEmpty' in one && one.mayBeEmpty === true ? [one.as] : [])),
    ),
  );
  if (parts.every((part) => !isFile(part) || (part.each !== undefined && mayBeEmpty.has(part.each))))
    draft.note('If the list for its parts is empty, k6 sends a form as urlencoded, not multipart.');
  return { text: `Object.fromEntries([\n${items.map((item) => `  ${item},`).join('\n')}\n])`, type: null, lines };
}

function fileCode({ type }: FilePart, given: string): string {
  return `http.file(${given}, ${quote(type)})`;
}

/** Returns the file name to send. A file that is drawn from a folder has its own name. */
function fileNameCode(part: FilePart, drawn: string | undefined, text: (value: string) => string): string {
  if (part.fileName !== undefined) return text(part.fileName);
  if (drawn !== undefined) return `${drawn}[1]`;
  return 'file' in part ? quote(baseName(part.file)) : "'file'";
}

/** Returns the arguments of http.file. Files are opened once, as constants, when k6 starts. */
function fileArguments(draft: K6Draft, part: FilePart, text: (value: string) => string): string {
  if ('bytes' in part) {
    draft.note('Generated files have other bytes than in Holdfast, but the same size and compressibility.');
    const content = isTextType(part.type)
      ? `${draft.requireHelper('textOf')}(${part.bytes})`
      : draft.declareGeneratedFile(part.bytes, part.type);
    return `${content}, ${fileNameCode(part, undefined, text)}`;
  }
  if ('file' in part) return `${draft.openFile(part.file)}, ${fileNameCode(part, undefined, text)}`;
  const within = pathInFolder(part.folder, '');
  const files = [...draft.uploads.keys()].filter((path) => path.startsWith(within)).sort();
  const named = part.fileName === undefined ? null : text(part.fileName);
  const list = files.map((path) => `[${draft.openFile(path)}, ${named ?? quote(baseName(path))}]`).join(', ');
  return `...${draft.requireHelper('anyOf')}([${list}])`;
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}

/**
 * Returns the headers of a step. Later ones override earlier ones: first the target's headers, which are a constant, then those of the
 * body, those of the step, and Connection.
 */
export function headersOf(draft: K6Draft, expressions: Expressions, step: Step, type: string | null, scope: StepScope): HeaderCode {
  const { plan } = draft;
  const named = findNamedTarget(plan, step);
  const base = findSideUrl(step) === null && named === undefined ? writeSharedHeaders(plan) : null;
  const merged = new Map<string, JavaScriptValue>();
  for (const [name, value] of Object.entries(named === undefined ? {} : targetHeaders(draft, named))) merged.set(name, value);
  if (type !== null) merged.set('Content-Type', new Code(type.includes('${') ? `\`${type}\`` : quote(type)));
  if (step.auth !== undefined && findSideUrl(step) === null) {
    const [user, password] = [step.auth.user, step.auth.password].map((text) => expressions.text(text, 'text', scope));
    merged.set('Authorization', new Code(`${draft.requireHelper('basic')}(${user}, ${password})`));
  }
  for (const [name, value] of Object.entries(step.headers)) {
    if (isOfEachRequest(name)) continue;
    const code = typeof value === 'object' ? draft.secret(value.secret) : expressions.text(value, 'header', scope);
    merged.set(canonicalName(name), new Code(code));
  }
  // k6 adds the boundary of a form with files.
  if (step.multipart !== undefined && type === null) merged.delete('Content-Type');
  if (plan.connections.reuse === 'never') merged.set('Connection', 'close');
  const bare = [...merged].filter(([name]) => !/^content-/i.test(name));
  return { all: spread(Object.fromEntries(merged), base), withoutContent: spread(Object.fromEntries(bare), base) };
}

/** Returns the constant with the headers of the target; null if there are no headers. */
function writeSharedHeaders({ targets }: Plan): string | null {
  if (targets.every(({ headers, cookie, auth }) => cookie === undefined && auth === undefined && Object.keys(headers).length === 0))
    return null;
  return targets.length === 1 ? 'HEADERS' : 'server.headers';
}

export interface HeaderCode {
  readonly all: Code | null;
  /** Headers for the target of a redirect. */
  readonly withoutContent: Code | null;
}

function spread(headers: JavaScriptObject, base: string | null): Code | null {
  if (Object.keys(headers).length === 0) return base === null ? null : new Code(base);
  const own = formatValue(headers, '');
  return new Code(base === null ? own : own.replace(/^\{\s?/, `{ ...${base}, `));
}

/** Returns headers, cookie and login of a target with Go's spelling of names. */
export function targetHeaders(
  draft: K6Draft,
  { headers, cookie, auth }: Omit<Plan['targets'][number], 'name'>,
): Record<string, JavaScriptValue> {
  const code = (value: TextOrSecret): JavaScriptValue => (typeof value === 'string' ? value : new Code(draft.secret(value.secret)));
  const all = { ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) };
  const merged = new Map(
    Object.entries(all).flatMap(([name, value]) => (isOfEachRequest(name) ? [] : [[canonicalName(name), code(value)] as const])),
  );
  if (auth !== undefined)
    merged.set(
      'Authorization',
      new Code(`${draft.requireHelper('basic')}(${formatValue(code(auth.user))}, ${formatValue(code(auth.password))})`),
    );
  return Object.fromEntries(merged);
}

/** Returns whether a header depends on the individual request, so it cannot be set in advance. */
function isOfEachRequest(name: string): boolean {
  return /^(content-length|transfer-encoding)$/i.test(name);
}

/** Returns Go's spelling of a header name, so equal names become one member. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
