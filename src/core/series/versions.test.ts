import { expect, it } from 'vitest';
import { planSchema, type Target } from '#core/plan/schema/plan.ts';
import { expandSeries, listTurns } from './cells.ts';
import { checkSeries } from './check.ts';
import { isSameTest, seriesOfVersions } from './noise.ts';

const target = (url: string): Target => ({ url, headers: {} });
const plan = planSchema.parse({
  holdfast: 1,
  name: 'page',
  targets: [{ url: 'http://127.0.0.1:8001/' }],
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 2, seconds: 1 }] },
});

it('seriesOfVersions: runs a plan alternately against two versions, five times each', () => {
  const document = seriesOfVersions(plan, { a: [target('http://127.0.0.1:8001/')], b: [target('http://127.0.0.1:8002/new/')] });
  expect(checkSeries(document)).toEqual([]);
  const { cells } = expandSeries(document);
  expect(cells.map(({ name }) => name)).toEqual(['A (127.0.0.1:8001)', 'B (127.0.0.1:8002/new)']);
  const order = listTurns(document.series).map(({ cell }) => cell);
  expect(order).toHaveLength(10);
  // The version that comes first alternates.
  expect(order.slice(0, 4)).toEqual([0, 1, 1, 0]);
});

it('seriesOfVersions: distinguishes versions with the same address, and shortens long addresses', () => {
  const long = target(`http://127.0.0.1/${'a'.repeat(100)}`);
  const names = seriesOfVersions(plan, { a: [long], b: [long] }).series.variants.map(({ name }) => name);
  expect(names[0]).not.toBe(names[1]);
  expect(names.every((name) => name.length <= 60)).toBe(true);
});

it('isSameTest: ignores the addresses but not the load', () => {
  expect(isSameTest(plan, { ...plan, name: 'other', targets: [target('http://127.0.0.1:9/')] })).toBe(true);
  expect(isSameTest(plan, { ...plan, timeoutSeconds: 7 })).toBe(false);
});
