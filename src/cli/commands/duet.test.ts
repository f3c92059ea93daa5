import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultSchema } from '#core/result/schema.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget, type TestTarget } from '../testing/target.ts';

async function runDuet(harness: Harness, servers: readonly TestTarget[], load: object) {
  const [base, head] = servers.map(({ url }) => [{ url }]);
  const series = {
    variants: [
      { name: 'base', targets: base },
      { name: 'head', targets: head },
    ],
    coolDownSeconds: 0,
    slotMs: 50,
  };
  const plan = { holdfast: 1, name: 'A page', journey: [{ name: 'page' }], load, series };
  await writeFile(join(harness.directory, 'duet.json'), JSON.stringify(plan));
  const finished = await harness.run('series', 'duet.json', '--duet');
  const shown = await harness.run('report', 'last', '--json', 'result.json');
  expect(shown.code, shown.err).toBe(0);
  const result = resultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'result.json'), 'utf8')));
  return { finished, result };
}

describe('holdfast series --duet', () => {
  it.each<[string, object]>([
    ['connections', { model: 'connections', stages: [{ connections: 3, seconds: 2 }] }],
    ['arrivals', { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 150, seconds: 2 }] }],
  ])('finds the slower of two servers with %s, by requests that both logs have', async (_model, load) => {
    const harness = await startHarness();
    const servers = [await startTarget({ delayMs: 2 }), await startTarget({ delayMs: 12 })];
    const { finished, result } = await runDuet(harness, servers, load);
    expect(finished.out).toMatch(/“head” is slower than “base” by [\d.]+ (%|times)/);
    expect(finished.code, finished.err).toBe(94);
    const { duet, requestsByStep, balances } = result;
    expect(balances).toBe(true);
    // Before the load, the harness connects to the first server without sending a request.
    expect(servers.map(({ requests }) => requests)).toEqual([requestsByStep['page · base']?.sent, requestsByStep['page · head']?.sent]);
    expect(duet?.sides.map(({ ok }) => ok)).toEqual([requestsByStep['page · base']?.ok, requestsByStep['page · head']?.ok]);
    expect(duet?.pairs).toBeGreaterThanOrEqual(8);
    const comment = await harness.run('report', 'last', '--format', 'comment');
    expect(comment.out).toMatch(/“head” is slower than “base” by /);
    expect(comment.out).toMatch(/\| Variant \| Response time \(geometric mean\) \|/);
    expect(comment.out.split('\n').length).toBeLessThanOrEqual(40);
    expect(comment.out).toContain('“head” is slower than');
  });
});
