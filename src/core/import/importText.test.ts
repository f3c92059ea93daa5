import { describe, expect, it } from 'vitest';
import { importedOf } from './testing/imported.ts';

describe('requests that a journey has no room for', () => {
  const secretOf = (index: number): string => (index < 50 ? 'k3y' : `k3y-${index}`);
  const sixty = Array.from({ length: 60 }, (_, index) => index);
  const collection = {
    info: {},
    item: sixty.map((index) => ({
      name: `R${index}`,
      request: { method: 'GET', url: `http://a.example/${index}`, header: [{ key: 'X-Api-Key', value: secretOf(index) }] },
    })),
  };
  const flow = sixty.map((index) => ({ get: { url: `/${index}`, headers: { 'X-Api-Key': secretOf(index) } } }));

  it.each([
    ['a Postman collection', JSON.stringify(collection)],
    ['an Artillery script', JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] })],
  ])('leave no secret of theirs, in %s', (_name, text) => {
    const { plan, secrets, notes } = importedOf(text);
    expect(plan.journey).toHaveLength(50);
    expect([...secrets]).toEqual([['HOLDFAST_X_API_KEY', 'k3y']]);
    expect(notes.filter(({ kind }) => kind === 'secret').every(({ instead }) => instead.includes('HOLDFAST_X_API_KEY holds'))).toBe(true);
    expect(notes.filter(({ what }) => what.includes('more than 50 steps'))).toHaveLength(10);
  });
});
