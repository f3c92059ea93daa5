import { describe, expect, it } from 'vitest';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

describe('capacity', () => {
  it('reports whether a run meets the demand of a number of people, and that the capacity is unknown after a single run', async () => {
    const cli = await startHarness();
    const { code } = await cli.run('quick', (await startTarget({ delayMs: 5 })).url, '-c', '2', '-n', '40', '--quiet');
    expect(code).toBe(0);
    expect((await cli.run('capacity', 'last')).out).toContain('Capacity unknown.');
    const { out } = await cli.run('capacity', 'last', '--demand', '1', '--people', '10');
    expect(out).toMatch(/times the expected 1\/s of 10 people: enough for [\d,]+ people\./);
    expect(JSON.parse((await cli.run('capacity', 'last', '--demand', '1', '--json')).out)).toMatchObject({
      headroom: { demandPerSecond: 1 },
      sets: [],
    });
  });

  it('reports options that it cannot use', async () => {
    const cli = await startHarness();
    await cli.run('quick', (await startTarget({ delayMs: 5 })).url, '-c', '1', '-n', '5', '--quiet');
    expect((await cli.run('capacity', 'last', '--demand', 'many')).err).toContain('--demand many cannot be used.');
    expect((await cli.run('capacity', 'last', '--people', '5')).err).toContain('--people needs --demand');
    expect((await cli.run('capacity', 'nowhere')).code).not.toBe(0);
  });
});
