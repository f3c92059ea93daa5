import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { asksOf } from './ask.ts';
import { ASK_KINDS } from './readers.ts';
import { ASKING, HARMLESS } from './fields.ts';
import { schemaFields } from './testing/schemaFields.ts';

/** Parts of a flow lie in one another; each is like the first. */
const flat = (path: string): string => path.replace(/^flow\[\]\.(?:[\w[\]]+\.)*flow\[\]/, 'flow[]');

/** What is no text names nothing, and neither does a word of a fixed list. */
const isText = (schema: z.core.$ZodType): boolean =>
  !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum);

const documents = [
  ...schemaFields(planSchema),
  ...schemaFields(seriesSchema, 'series'),
  // What a search is beside its plan.
  ...schemaFields(searchDocumentSchema).filter(({ path }) => !path.startsWith('plan.')),
];
const texts = [...new Set(documents.filter(({ schema }) => isText(schema)).map(({ path }) => flat(path)))];

describe('every text of a plan, a series and a search', () => {
  it('is known to ask for something, or not to', () => {
    const unknown = texts.filter((path) => !Object.hasOwn(ASKING, path) && !Object.hasOwn(HARMLESS, path));
    expect(unknown, 'say in src/core/review/asks/fields.ts what each of these asks for, or why for nothing').toEqual([]);
    expect(texts.length).toBeGreaterThan(100);
  });

  it('stands in one of the two lists only, and what stands there exists', () => {
    const listed = [...Object.keys(ASKING), ...Object.keys(HARMLESS)];
    expect(listed.filter((path, index) => listed.indexOf(path) !== index)).toEqual([]);
    expect(listed.filter((path) => !texts.includes(path))).toEqual([]);
  });
});

/** For each kind of field a value that asks, made of a word of its own. */
const samples: readonly ((word: string) => string)[] = [
  (word) => `env:${word}`,
  (word) => `file:/x/${word}`,
  (word) => `http://${word}.example/`,
  (word) => `postgres://u@${word}.example/x`,
  (word) => `/${word}`,
  (word) => word,
];

describe('each field that asks', () => {
  it.each(Object.keys(ASKING))('%s is in the list of a plan that fills it', (pattern) => {
    const word = 'w17';
    const lists = samples.map((sample) => asksOf({ plan: documentWith(pattern, sample(word)) }));
    const asked = lists.flat().filter(({ name }) => name.includes(word));
    expect(asked.length).toBeGreaterThan(0);
    const [{ kind, uses }] = [asked[0] ?? { kind: null, uses: [] }];
    expect(ASK_KINDS).toContain(kind);
    expect(uses).toEqual([{ path: pattern.replaceAll('[]', '[0]').replaceAll('*', 'name'), for: ASKING[pattern]?.for }]);
  });
});

/** A document in which nothing but this field is filled. */
function documentWith(pattern: string, value: unknown): object {
  const [first = '', ...rest] = pattern.replaceAll('[]', '.[]').split('.');
  const inner = rest.reduceRight<unknown>((at, part) => (part === '[]' ? [at] : { [part === '*' ? 'name' : part]: at }), value);
  return { [first]: inner };
}
