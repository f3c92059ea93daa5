import { describe, expect, it } from 'vitest';
import { type CpuTimes, withStealGate, mayRepeat } from './procFiles.ts';

/** Returns successive readings of a machine with these shares of steal. */
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
  const { repeats, steal } = await withStealGate(measure, (isWrong) => isWrong, read);
  return { made, repeats, steal };
}

describe('withStealGate', () => {
  it('measures only once if the times are plausible, whatever the steal', async () => {
    expect(await attemptsBehind(machine(0.5), [false])).toEqual({ made: 1, repeats: 0, steal: 0.5 });
  });

  it('keeps implausible times if the steal is low or unknown', async () => {
    expect(await attemptsBehind(machine(0.01), [true])).toEqual({ made: 1, repeats: 0, steal: 0.01 });
    expect(await attemptsBehind(() => null, [true])).toEqual({ made: 1, repeats: 0, steal: null });
  });

  it('repeats implausible measurements during steal, at most three times', async () => {
    expect(await attemptsBehind(machine(0.2, 0.3, 0), [true, true, false])).toEqual({ made: 3, repeats: 2, steal: 0 });
    expect(await attemptsBehind(machine(0.2, 0.2, 0.2, 0.2, 0.2), [true, true, true, true, true])).toMatchObject({ made: 4, repeats: 3 });
  });

  it('reports the processor use', async () => {
    expect(
      await withStealGate(
        () => Promise.resolve(1),
        () => false,
        machine(0.1),
      ),
    ).toMatchObject({ processorUse: 0.75 });
  });

  it('needs more than 1 % of steal', () => {
    expect([mayRepeat(0.01, 0), mayRepeat(0.010_1, 0), mayRepeat(0.5, 3), mayRepeat(null, 0)]).toEqual([false, true, false, false]);
  });
});
