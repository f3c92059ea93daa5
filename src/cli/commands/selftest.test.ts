import { describe, expect, it, vi } from 'vitest';
import { resultSchema } from '#core/result/schema.ts';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

describe('selftest', () => {
  it('stops at Ctrl-C and keeps nothing', async () => {
    const cli = await startHarness();
    const going = cli.start('selftest');
    await vi.waitFor(() => expect(going.out.text).toContain('passed'), 20_000);
    going.interrupt();
    expect(await going.done).toMatchObject({ code: 130, err: expect.stringContaining('nothing of this self-test is kept') });
    const target = await startTarget();
    const { out } = await cli.run('quick', target.url, '-n', '10', '--json', '-');
    expect(generatorOf(out)?.selfTest).toBeNull();
  });
});

function generatorOf(json: string) {
  return resultSchema.parse(JSON.parse(json)).generators[0];
}
