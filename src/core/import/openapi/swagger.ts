import { isBlock } from '#core/base/json.ts';
import { at, entriesAt, listAt, textAt } from '../reading.ts';
import { lastOfEachName, resolved } from './example.ts';

const METHODS = /^(?:get|put|post|delete|options|head|patch)$/;
/** Styles of OpenAPI 3 for query lists, by Swagger 2 format. */
const STYLES = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

/** Converts a Swagger 2.0 description to OpenAPI 3. Definitions keep their places, so references remain valid. */
export function asOpenApi(document: unknown): unknown {
  if (!isBlock(document)) return document;
  const host = textAt(document, 'host');
  const base = textAt(document, 'basePath') ?? '';
  const schemes = listAt(document, 'schemes');
  const scheme = schemes.includes('https') ? 'https' : (schemes.find((one) => typeof one === 'string') ?? 'http');
  return {
    ...document,
    servers: [{ url: host === null ? base || '/' : `${String(scheme)}://${host}${base}` }],
    paths: Object.fromEntries(entriesAt(document, 'paths').map(([path, item]) => [path, itemOf(document, item)])),
    components: {
      securitySchemes: Object.fromEntries(entriesAt(document, 'securityDefinitions').map(([name, one]) => [name, schemeOf(one)])),
    },
  };
}

function schemeOf(scheme: unknown): unknown {
  return textAt(scheme, 'type') === 'basic' ? { type: 'http', scheme: 'basic' } : scheme;
}

function itemOf(document: unknown, written: unknown): unknown {
  const item = resolved(document, written);
  if (!isBlock(item)) return written;
  const shared = listAt(item, 'parameters');
  return Object.fromEntries(
    Object.entries(item).flatMap(([key, operation]) => {
      if (key === 'parameters') return [];
      return [[key, METHODS.test(key) && isBlock(operation) ? operationOf(document, operation, shared) : operation] as const];
    }),
  );
}

function operationOf(document: unknown, operation: Readonly<Record<string, unknown>>, shared: readonly unknown[]): unknown {
  const own = [...shared, ...listAt(operation, 'parameters')].map((parameter) => resolved(document, parameter) ?? parameter);
  const all = lastOfEachName(own);
  const body = all.find((one) => textAt(one, 'in') === 'body');
  const fields = all.filter((one) => textAt(one, 'in') === 'formData');
  const consumes = [...listAt(operation, 'consumes'), ...listAt(document, 'consumes')].filter((one) => typeof one === 'string');
  const typeLike = (pattern: RegExp): string | undefined => consumes.find((type) => pattern.test(type));
  const form = typeLike(/urlencoded|multipart/) ?? 'application/x-www-form-urlencoded';
  const hasFile = fields.some((one) => textAt(one, 'type') === 'file');
  const properties = Object.fromEntries(fields.map((one) => [textAt(one, 'name') ?? '', schemaOf(one)]));
  const type = body === undefined ? (hasFile ? 'multipart/form-data' : form) : (typeLike(/json/) ?? consumes[0] ?? 'application/json');
  const schema = body === undefined ? { type: 'object', properties } : (at(body, 'schema') ?? {});
  return {
    ...operation,
    parameters: all.filter((one) => one !== body && !fields.includes(one)).map(parameterOf),
    ...(body === undefined && fields.length === 0 ? {} : { requestBody: { content: { [type]: { schema } } } }),
  };
}

function schemaOf(parameter: unknown): unknown {
  return textAt(parameter, 'type') === 'file' ? { type: 'string', format: 'binary' } : parameter;
}

function parameterOf(parameter: unknown): unknown {
  if (!isBlock(parameter) || at(parameter, 'schema') !== undefined || at(parameter, '$ref') !== undefined) return parameter;
  const style = STYLES.get(textAt(parameter, 'collectionFormat') ?? '') ?? {
    style: textAt(parameter, 'in') === 'query' ? 'form' : 'simple',
    explode: false,
  };
  const example = at(parameter, 'x-example');
  return {
    name: parameter['name'],
    in: parameter['in'],
    ...(at(parameter, 'required') === true ? { required: true } : {}),
    ...style,
    schema: parameter,
    ...(example === undefined ? {} : { example }),
  };
}
