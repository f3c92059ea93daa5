import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { listAsks } from './ask.ts';
import { ASK_KINDS, ASKING_FIELDS, HARMLESS_FIELDS } from './fields.ts';
import { schemaFields } from './testing/schemaFields.ts';

/** Removes the nesting of flow parts from a path, because all levels have the same fields. */
const flat = (path: string): string => path.replace(/^flow\[\]\.(?:[\w[\]]+\.)*flow\[\]/, 'flow[]');

/** Returns whether a field is a text. Numbers, flags and fixed words cannot need a permission. */
const isText = (schema: z.core.$ZodType): boolean =>
  !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum);

const documents = [
  ...schemaFields(planSchema),
  ...schemaFields(seriesSchema, 'series'),
  // These are the fields of a search outside its plan.
  ...schemaFields(searchDocumentSchema).filter(({ path }) => !path.startsWith('plan.')),
];
const texts = [...new Set(documents.filter(({ schema }) => isText(schema)).map(({ path }) => flat(path)))];

describe('every text field of a plan, a series and a search', () => {
  it('is listed in ASKING_FIELDS or HARMLESS_FIELDS', () => {
    const unknown = texts.filter((path) => !Object.hasOwn(ASKING_FIELDS, path) && !Object.hasOwn(HARMLESS_FIELDS, path));
    expect(unknown, 'say in src/core/review/asks/fields.ts what each of these asks for, or why for nothing').toEqual([]);
    expect(texts.length).toBeGreaterThan(100);
  });

  it('is in only one of the lists, which contain only existing fields', () => {
    const listed = [...Object.keys(ASKING_FIELDS), ...Object.keys(HARMLESS_FIELDS)];
    expect(listed.filter((path, index) => listed.indexOf(path) !== index)).toEqual([]);
    expect(listed.filter((path) => !texts.includes(path))).toEqual([]);
  });
});

/** Values that need a permission, for each kind of field. Each contains a unique word. */
const samples: readonly ((word: string) => string)[] = [
  (word) => `env:${word}`,
  (word) => `file:/x/${word}`,
  (word) => `http://${word}.example/`,
  (word) => `postgres://u@${word}.example/x`,
  (word) => `/${word}`,
  (word) => word,
];

describe('each field in ASKING_FIELDS', () => {
  it.each(Object.keys(ASKING_FIELDS))('adds a permission when set: %s', (pattern) => {
    const word = 'w17';
    const lists = samples.map((sample) => listAsks({ plan: documentWith(pattern, sample(word)) }));
    const asked = lists.flat().filter(({ name }) => name.includes(word));
    expect(asked.length).toBeGreaterThan(0);
    const [{ kind, uses }] = [asked[0] ?? { kind: null, uses: [] }];
    expect(ASK_KINDS).toContain(kind);
    expect(uses).toEqual([{ path: pattern.replaceAll('[]', '[0]').replaceAll('*', 'name'), for: ASKING_FIELDS[pattern]?.for }]);
  });
});

/** Builds a document with a single field. */
function documentWith(pattern: string, value: unknown): object {
  const [first = '', ...rest] = pattern.replaceAll('[]', '.[]').split('.');
  const inner = rest.reduceRight<unknown>((at, part) => (part === '[]' ? [at] : { [part === '*' ? 'name' : part]: at }), value);
  return { [first]: inner };
}
