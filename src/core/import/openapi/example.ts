import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { at, Budget, entriesAt, listAt, numberAt, textAt } from '../reading.ts';
import { type JsonValue, literal, translateJson } from '../placeholders.ts';
import { percentDecoded } from '../address.ts';

const MAX_DEPTH = 8;
const MAX_REFERENCES = 30;
/** Limits recursive schemas, whose size would at least double with each level. */
const MAX_SCHEMAS = 2_000;

/** Follows a `$ref` inside the document; undefined for an external, circular or missing target. */
export function resolved(document: unknown, value: unknown): unknown {
  let place = value;
  for (let followed = 0; followed < MAX_REFERENCES; followed += 1) {
    const reference = isBlock(place) ? textAt(place, '$ref') : null;
    if (reference === null) return place;
    if (!reference.startsWith('#/') || reference.length > 500) return undefined;
    const parts = reference.slice(2).split('/');
    place = at(document, ...parts.map((part) => percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~')));
  }
  return undefined;
}

/**
 * Returns the example of a value, else of its schema, else one generated from its type. Returns null beyond the depth and schema limits. Texts
 * are plan text.
 */
export function exampleOf(document: unknown, holder: unknown): JsonValue {
  const given = givenExample(document, holder);
  if (given !== undefined) return translateJson(given, literal);
  return translateJson(ofSchema({ document, budget: new Budget(MAX_SCHEMAS) }, at(holder, 'schema') ?? {}, 0), literal);
}

/** Returns whether the document contains an example; otherwise Holdfast generates it. */
export function hasExample(document: unknown, holder: unknown): boolean {
  return givenExample(document, holder) !== undefined;
}

function givenExample(document: unknown, holder: unknown): unknown {
  const direct = at(holder, 'example');
  if (direct !== undefined) return direct;
  const [named] = entriesAt(holder, 'examples');
  const value = named === undefined ? listAt(holder, 'examples')[0] : at(resolved(document, named[1]), 'value');
  if (value !== undefined) return value;
  return writtenIn(resolved(document, at(holder, 'schema')));
}

/** Returns the value that a schema gives for itself. */
function writtenIn(schema: unknown): unknown {
  return at(schema, 'example') ?? listAt(schema, 'examples')[0] ?? at(schema, 'default') ?? at(schema, 'const');
}

interface Making {
  readonly document: unknown;
  /** Budget of schemas to read. */
  readonly budget: Budget;
}

function ofSchema(making: Making, given: unknown, depth: number): unknown {
  const schema = resolved(making.document, given);
  if (depth > MAX_DEPTH || !isBlock(schema) || !making.budget.spend(1)) return null;
  const written = writtenIn(schema) ?? listAt(schema, 'enum')[0];
  if (written !== undefined) return written;
  const all = listAt(schema, 'allOf');
  if (all.length > 0) {
    const parts = [...all.slice(0, 20).map((part) => ofSchema(making, part, depth + 1)), ofObject(making, schema, depth)];
    return Object.fromEntries(parts.flatMap((part) => (isBlock(part) ? Object.entries(part) : [])));
  }
  const choice = listAt(schema, 'oneOf')[0] ?? listAt(schema, 'anyOf')[0];
  if (choice !== undefined) return ofSchema(making, choice, depth + 1);
  return ofType(making, schema, depth);
}

function ofType(making: Making, schema: unknown, depth: number): unknown {
  const types = at(schema, 'type');
  const type = Array.isArray(types) ? types.find((one) => one !== 'null') : types;
  switch (type) {
    case 'string':
      return (
        getOwn(FORMATS, textAt(schema, 'format') ?? '') ??
        'example'.repeat(Math.min(100, Math.max(1, Math.ceil((numberAt(schema, 'minLength') ?? 0) / 7))))
      );
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, numberAt(schema, 'minimum') ?? 1), numberAt(schema, 'maximum') ?? Infinity);
    case 'boolean':
      return true;
    case 'array':
      return [ofSchema(making, at(schema, 'items'), depth + 1)];
    default:
      return ofObject(making, schema, depth);
  }
}

function ofObject(making: Making, schema: unknown, depth: number): unknown {
  const members = entriesAt(schema, 'properties').slice(0, 100);
  const sent = members.filter(([, member]) => at(resolved(making.document, member), 'readOnly') !== true);
  return Object.fromEntries(sent.map(([name, member]) => [name, ofSchema(making, member, depth + 1)]));
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  uuid: '3f2b1c9e-5d4a-4b6f-8a7c-0e9d8c7b6a51',
  email: 'visitor@example.org',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  ipv4: '192.0.2.7',
  byte: 'ZXhhbXBsZQ==',
};

/** Returns parameters without those that a later one of their place and name replaces. */
export function lastOfEachName(parameters: readonly unknown[]): unknown[] {
  return [...new Map(parameters.map((one) => [`${textAt(one, 'in') ?? ''} ${textAt(one, 'name') ?? ''}`, one])).values()];
}
