import { describe, expect, it } from 'vitest';
import type { CpuTimes } from './procFiles.ts';
import { behindStealGate, mayRepeat } from './stealGate.ts';

/** A machine of which so much was stolen between each two readings. */
function machine(...stolenShares: readonly number[]): () => CpuTimes {
  let times: CpuTimes = { total: 1_000, idle: 500, stolen: 10 };
  const readings = stolenShares.flatMap((share) => {
    const before = times;
    times = { total: before.total + 1_000, idle: before.idle + 250, stolen: before.stolen + share * 1_000 };
    return [before, times];
  });
  return () => readings.shift() ?? times;
}

async function attemptsBehind(
  read: () => CpuTimes | null,
  wrong: readonly boolean[],
): Promise<{ made: number; repeats: number; steal: number | null }> {
  let made = 0;
  const measure = (): Promise<boolean> => {
    made += 1;
    return Promise.resolve(wrong[made - 1] ?? true);
  };
  const { repeats, steal } = await behindStealGate(measure, (isWrong) => isWrong, read);
  return { made, repeats, steal };
}

describe('the steal gate', () => {
  it('measures once when the times are right, however much was stolen', async () => {
    expect(await attemptsBehind(machine(0.5), [false])).toEqual({ made: 1, repeats: 0, steal: 0.5 });
  });

  it('takes wrong times as they are when nothing was stolen, or nobody knows', async () => {
    expect(await attemptsBehind(machine(0.01), [true])).toEqual({ made: 1, repeats: 0, steal: 0.01 });
    expect(await attemptsBehind(() => null, [true])).toEqual({ made: 1, repeats: 0, steal: null });
  });

  it('repeats wrong times while time is stolen, three times at most', async () => {
    expect(await attemptsBehind(machine(0.2, 0.3, 0), [true, true, false])).toEqual({ made: 3, repeats: 2, steal: 0 });
    expect(await attemptsBehind(machine(0.2, 0.2, 0.2, 0.2, 0.2), [true, true, true, true, true])).toMatchObject({ made: 4, repeats: 3 });
  });

  it('tells how much of the processor was in use', async () => {
    expect(
      await behindStealGate(
        () => Promise.resolve(1),
        () => false,
        machine(0.1),
      ),
    ).toMatchObject({ processorUse: 0.75 });
  });

  it('needs more than 1 %', () => {
    expect([mayRepeat(0.01, 0), mayRepeat(0.010_1, 0), mayRepeat(0.5, 3), mayRepeat(null, 0)]).toEqual([false, true, false, false]);
  });
});
