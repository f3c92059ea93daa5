import { describe, expect, it } from 'vitest';
import { parsePath, setFields } from './fields.ts';

describe('parsePath', () => {
  it('reads names and indexes', () => {
    expect(parsePath('load.stages[0].seconds')).toEqual(['load', 'stages', 0, 'seconds']);
    expect(parsePath('threads')).toEqual(['threads']);
  });

  it.each(['', '.a', 'a.', 'a[b]', 'a[-1]', 'a b', '[0]'])('refuses %j', (path) => expect(parsePath(path)).toBeNull());
});

describe('setFields', () => {
  it('sets existing and new fields with the types of YAML', () => {
    const plan: Record<string, unknown> = { load: { stages: [{ seconds: 10 }] } };
    const fields = new Map([
      ['load.stages[0].seconds', '0.5'],
      ['safety.maxRequests', '100'],
      ['journey', '[{name: page, expectStatus: [200, 404]}]'],
      ['name', 'A name'],
    ]);
    expect(setFields(plan, fields)).toEqual([]);
    expect(plan).toEqual({
      load: { stages: [{ seconds: 0.5 }] },
      safety: { maxRequests: 100 },
      journey: [{ name: 'page', expectStatus: [200, 404] }],
      name: 'A name',
    });
  });

  it('lists every setting without a field and changes only the plan', () => {
    const plan: Record<string, unknown> = { load: { stages: [] }, name: 'x' };
    const fields = new Map([
      ['load.stages[3].seconds', '1'],
      ['name.first', '1'],
      ['name', '{'],
      ['__proto__.polluted', 'yes'],
      ['constructor.prototype.polluted', 'yes'],
    ]);
    expect(setFields(plan, fields).map(({ path }) => path)).toEqual(['load.stages[3].seconds', 'name.first', 'name', '__proto__.polluted']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
