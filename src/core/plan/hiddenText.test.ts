import { describe, expect, it } from 'vitest';
import { REDACTED } from '#core/base/redact.ts';
import { planWith } from '#core/testing/plans.ts';
import { replaceHiddenByVariables, listHiddenReferences, hideReference, revealPlan, revealText, showReferences } from './hiddenText.ts';

const [KEY, NUMBER] = [hideReference('session:key'), hideReference('session:number', { isNumber: true })];
const VALUES = new Map([
  ['session:key', 'open-sesame'],
  ['session:number', '42'],
]);

describe('a text with a hidden part', () => {
  it('shows marks, and is restored from the known values', () => {
    expect(showReferences(`/a?key=${KEY}&other=${KEY}`)).toBe(`/a?key=${REDACTED}&other=${REDACTED}`);
    expect(revealText(`/a?key=${KEY}&b={{b}}`, VALUES)).toBe('/a?key=open-sesame&b={{b}}');
    expect(() => revealText(KEY, new Map())).toThrow('session:key');
  });
});

describe('a plan with hidden parts', () => {
  const plan = planWith({
    journey: [
      { name: 'buy', method: 'POST', path: `/buy?key=${KEY}`, json: { key: KEY, amount: NUMBER, note: `${NUMBER} pieces`, none: null } },
    ],
  });

  it('lists each reference once', () => {
    expect(listHiddenReferences(plan)).toEqual(['session:key', 'session:number']);
    expect(listHiddenReferences(planWith())).toEqual([]);
  });

  it('is restored, numbers as numbers', () => {
    const [step] = revealPlan(plan, VALUES).journey;
    expect(step?.path).toBe('/buy?key=open-sesame');
    expect(step?.json).toEqual({ key: 'open-sesame', amount: 42, note: '42 pieces', none: null });
    expect(() => revealPlan(plan, new Map())).toThrow('was not resolved');
    expect(revealPlan(planWith(), new Map())).toEqual(planWith());
  });

  it('uses variables with free names for other tools', () => {
    const written = replaceHiddenByVariables({ ...plan, variables: { hidden_1: { kind: 'uuid', per: 'user' } } });
    expect(written.journey[0]?.path).toBe('/buy?key={{hidden_1001|raw}}');
    expect(written.journey[0]?.json).toMatchObject({ key: '{{hidden_1001}}', amount: '{{hidden_2|raw}}' });
    expect(written.variables).toEqual({
      hidden_1: { kind: 'uuid', per: 'user' },
      hidden_1001: { kind: 'secret', secret: 'session:key' },
      hidden_2: { kind: 'secret', secret: 'session:number' },
    });
    expect(replaceHiddenByVariables(planWith())).toEqual(planWith());
  });

  it("moves hidden parts of its only target's address into the steps", () => {
    const listPaths = (urls: readonly string[]): string[] =>
      replaceHiddenByVariables({
        ...planWith({
          journey: [
            { name: 'a', path: '' },
            { name: 'b', path: '/b' },
          ],
        }),
        targets: urls.map((url) => ({ url, headers: {} })),
      }).journey.map(({ path }) => path);
    expect(listPaths([`http://127.0.0.1/x?key=${KEY}`])).toEqual(['/x?key={{hidden_1|raw}}', '/b']);
    expect(listPaths([`http://127.0.0.1?key=${KEY}`])).toEqual(['/?key={{hidden_1|raw}}', '/b']);
    expect(listPaths([`http://127.0.0.1/x?key=${KEY}`, 'http://127.0.0.2/'])).toEqual(['', '/b']);
  });
});
