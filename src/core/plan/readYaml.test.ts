import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '../testing/growth.ts';
import { parsePlan } from '#core/review/check.ts';
import { readYaml } from './readYaml.ts';

const codes = (source: string): string[] => readYaml(source).issues.map(({ code }) => code);
const numbered = (count: number, write: (index: number) => string, between: string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(between);

describe('readYaml', () => {
  it.each<[string, (count: number) => string]>([
    ['names of a block', (count) => numbered(count, (index) => `k${index}: 1`, '\n')],
    ['names in brackets', (count) => `{${numbered(count, (index) => `"k${index}": 1`, ', ')}}`],
    ['names that are blocks', (count) => numbered(count, (index) => `? [a, ${index}]\n: 1`, '\n')],
    ['names that stand twice', (count) => 'a: 1\n'.repeat(count)],
    ['empty names', (count) => `{${': 1,'.repeat(count)}}`],
    ['anchors with an alias each', (count) => numbered(count, (index) => `- &a${index} 1\n- *a${index}`, '\n')],
    ['errors in one line', (count) => `[${','.repeat(count)}]`],
    ['brackets that close nothing', (count) => ']'.repeat(count)],
  ])('takes time in proportion to the length of the text: %s', { timeout: 60_000 }, (_name, write) => {
    const texts = new Map([4_000, 16_000].map((count) => [count, write(count)]));
    expect(measureGrowth((count) => readYaml(texts.get(count) ?? ''), 4_000)).toBeLessThan(MAX_GROWTH);
  });

  it('parses JSON like YAML, even input that JSON.stringify never writes', () => {
    const key = fc.constantFrom('a', 'b', '1', '__proto__', 'a: b', '*a', '');
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    fc.assert(
      fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (block) => {
        const json = JSON.stringify(block);
        // A leading space prevents the fast path for JSON.
        expect(readYaml(json)).toEqual(readYaml(` ${json}`));
      }),
    );
    expect(codes('{"a":1,"a":2}')).toEqual(['DUPLICATE_KEY']);
    expect(codes('{"a":1')).toEqual(['SYNTAX']);
    expect(codes(`{"a":${'['.repeat(501)}${']'.repeat(501)}}`)).toEqual(['TOO_DEEP']);
  });

  it('reports the first 50 of thousands of problems, and the number of the others', () => {
    const names = numbered(40_000, (index) => `k${index}: 1`, '\n');
    const { issues } = parsePlan(`holdfast: 1\n${names}`);
    expect(issues).toHaveLength(51);
    expect(issues.at(-1)?.message).toMatch(/^There are 39,?9\d\d more problems\.$/);
    expect(readYaml('a: 1\n'.repeat(1_000)).issues.at(-1)?.message).toBe('There are 949 more problems.');
  });

  it('shortens long names in messages', () => {
    const { issues } = parsePlan(`holdfast: 1\n${'k'.repeat(900)}: 1\ntargets: [{ ${'z'.repeat(900)}: 1 }]`);
    for (const { message, hint, path } of issues) expect(`${message}${hint}${path}`.length).toBeLessThan(1_500);
  });

  it('rejects duplicate names in a block, compared as texts', () => {
    expect(codes('a: 1\nb: 2\na: 3')).toEqual(['DUPLICATE_KEY']);
    // Both become the same key of an object.
    expect(codes('1: a\n"1": b')).toEqual(['DUPLICATE_KEY']);
    expect(readYaml('"a": 1\nb: { a: 1 }').value).toEqual({ a: 1, b: { a: 1 } });
    expect(Object.keys(readYaml('__proto__: { polluted: 1 }').value ?? {})).toEqual(['__proto__']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('rejects invalid names and an alias without an anchor', () => {
    expect(readYaml('url: {{ base }}').issues).toMatchObject([{ code: 'NAME_NOT_TEXT', path: 'line 1, column 7' }]);
    expect(readYaml('- a\n- *b').issues).toMatchObject([{ code: 'UNKNOWN_ALIAS', path: 'line 2, column 3' }]);
    expect(codes('a: &a [1, *a]')).toEqual(['REPEATS_ITSELF']);
    expect(readYaml('a: &a [1, 2]\nb: *a').value).toEqual({ a: [1, 2], b: [1, 2] });
  });

  it.each([
    ['brackets', '['.repeat(900)],
    ['closed brackets', `${'['.repeat(900)}${']'.repeat(900)}`],
    ['blocks', numbered(900, (index) => `${' '.repeat(index)}a:`, '\n')],
    ['lists', `${'- '.repeat(600)}a`],
  ])('refuses deep nesting: %s', (_name, source) => {
    expect(codes(source)).toEqual(['TOO_DEEP']);
  });

  it('rejects deep nesting even with little stack space', () => {
    const source = numbered(900, (index) => `${' '.repeat(index)}a:`, '\n');
    const below = (frames: number): string[] => (frames > 0 ? below(frames - 1) : codes(source));
    for (let frames = 0; frames < 7_000; frames += 150) expect(below(frames), String(frames)).toEqual(['TOO_DEEP']);
  });

  it('ignores brackets in texts', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `  - 'step ${index}: [ or {'\n  - a [ or {\n`).join('');
    const { value, issues } = readYaml(`texts:\n${lines}`);
    expect(issues).toEqual([]);
    expect(value).toMatchObject({ texts: expect.arrayContaining(['step 599: [ or {', 'a [ or {']) });
  });

  it('restores the stack traces of errors', () => {
    const before = Error.stackTraceLimit;
    readYaml(']]');
    expect(Error.stackTraceLimit).toBe(before);
  });
});
