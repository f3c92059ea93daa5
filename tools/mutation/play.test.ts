import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from './bundle.ts';
import { instrument } from './instrument.ts';
import { type Fate, play } from './play.ts';

const CODE = `
export const LIMIT = 2 + 8;
let calls = 0;
export const atMost = (value: number): number => (value > LIMIT ? LIMIT : value);
export function sumTo(count: number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += at;
  return sum;
}
export function callsSoFar(): number {
  calls += 1;
  return calls;
}
export const unused = (): number => 3 - 1;
`;
const TESTS = `
import { expect, it } from 'vitest';
import { atMost, callsSoFar, sumTo } from './code.ts';
it('is at most the limit', () => expect(atMost(11)).toBe(10));
it('adds up', () => expect(sumTo(4)).toBe(6));
it('has modules of its own for each change', () => expect(callsSoFar()).toBe(1));
`;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
/** Fates by replacement and place. */
const fates = new Map<string, Fate>();

beforeAll(async () => {
  const [code, tests, bundleFile] = ['code.ts', 'code.test.ts', 'tests.cjs'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(code, CODE);
  writeFileSync(tests, TESTS);
  const { mutants, codes } = await instrument(folder, ['code.ts']);
  writeFileSync(bundleFile, await bundle(folder, ['code.test.ts'], codes));
  const byId = await play({ bundleFile, files: [tests], changes: 1 + Math.max(...mutants.map(({ id }) => Number(id))) }, mutants, () => {});
  for (const { id, replacement, location } of mutants) fates.set(`${location.start.line + 1}: ${replacement}`, byId.get(id) ?? 'left out');
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each<[string, Fate]>([
  ['4: value <= LIMIT', 'noticed'],
  ['4: false', 'noticed'],
  // Only a value up to the limit could show it.
  ['4: true', 'missed'],
  ['4: value >= LIMIT', 'missed'],
  ['7: at <= count', 'noticed'],
  // The loop never ends: its steps exceed the limit.
  ['7: at--', 'noticed'],
  ['11: calls -= 1', 'noticed'],
  ['14: 3 + 1', 'unreached'],
  ['2: 2 - 8', 'left out'],
])('%s: %s', (change, fate) => {
  expect(fates.get(change)).toBe(fate);
});
