import { describe, expect, it } from 'vitest';
import { growthOf, MOST_GROWTH } from '../testing/growth.ts';
import { importText } from './importText.ts';
import { importedOf, refusalOf } from './testing/imported.ts';

describe('requests that a journey has no room for', () => {
  const secretOf = (index: number): string => (index < 200 ? 'k3y' : `k3y-${index}`);
  const many = Array.from({ length: 210 }, (_, index) => index);
  const collection = {
    info: {},
    item: many.map((index) => ({
      name: `R${index}`,
      request: { method: 'GET', url: `http://a.example/${index}`, header: [{ key: 'X-Api-Key', value: secretOf(index) }] },
    })),
  };
  const flow = many.map((index) => ({ get: { url: `/${index}`, headers: { 'X-Api-Key': secretOf(index) } } }));

  it.each([
    ['a Postman collection', JSON.stringify(collection)],
    ['an Artillery script', JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] })],
  ])('leave no secret of theirs, in %s', (_name, text) => {
    const { plan, secrets, notes } = importedOf(text);
    expect(plan.journey).toHaveLength(200);
    expect([...secrets]).toEqual([['HOLDFAST_X_API_KEY', 'k3y']]);
    const told = notes.filter(({ kind }) => kind === 'secret').map(({ instead }) => instead);
    expect(new Set(told.map((instead) => instead.includes('Set HOLDFAST_X_API_KEY when')))).toEqual(new Set([true]));
    expect(notes.filter(({ what }) => what.includes('more than 200 steps'))).toHaveLength(10);
  });
});

describe('blanks and tags around a text', () => {
  const artillery = 'config:\n  target: http://a.example\nscenarios:\n  - flow:\n      - get:\n          url: /';
  const indented = artillery.replaceAll(/^/gm, '    ');

  it.each([
    ['indented as a whole', indented],
    ['behind empty lines', `\n\n${indented}\n`],
    ['of a page', `<pre>\n${indented}\n</pre>`],
  ])('do not stand in the way of YAML %s', (_name, text) => {
    expect(importedOf(text).kind).toBe('artillery');
    expect(importedOf(text, { kind: 'artillery' }).plan.journey).toHaveLength(1);
  });

  it('do not move the lines that faults are told by', () => {
    expect(refusalOf('\n\nconfig: 1\nconfig: 2\n')).toEqual(['DUPLICATE_KEY line 4, column 1']);
  });

  it('do not hide a command whose tool is named', () => {
    const text = '<pre><code>$ ab -n 100 -c 10 http://127.0.0.1:8080/</code></pre>';
    expect(importedOf(text, { kind: 'ab' }).plan).toEqual(importedOf(text).plan);
  });
});

describe('a command', () => {
  it.each<[string, (count: number) => string]>([
    ['of one long word', (count) => `ab -t ${'1'.repeat(count)} http://a.example/`],
    ['of many addresses, each with all headers', (count) => `curl ${"'http://a.example' -H 'A: x ".repeat(count / 40)}`],
    ['of quotes that nobody closes', (count) => `ab ${Array.from({ length: count / 5 }, (_, index) => `$'\\${index}`).join('')}`],
  ])('is read in a time that grows as it does: %s', (_name, write) => {
    expect(growthOf((count) => void importText(write(count)), 20_000)).toBeLessThan(MOST_GROWTH);
  });
});
