import { describe, expect, it } from 'vitest';
import { activeWaitingUs } from '#workers/clock.ts';
import { Pacer } from './pacer.ts';
import { areCoresSpare, parseCpuList, SpareCores } from './spareCores.ts';

describe('spare cores for active waiting', () => {
  it.each([
    ['two cores, one of them free', { idle: 1, left: 1.4, own: 0.5 }, 1, true],
    ['two cores, a server that keeps the other one busy', { idle: 0.5, left: 1.5, own: 0.5 }, 1, true],
    ['the same while it waits actively', { idle: 0, left: 1, own: 1 }, 1, true],
    ['two cores, a server that needs one and a half', { idle: 0, left: 1.5, own: 0.5 }, 1, false],
    ['one core, shared with the main thread', { idle: 0.47, left: 0.47, own: 0.5 }, 1, true],
    ['one core, shared with a server', { idle: 0.2, left: 0.5, own: 0.5 }, 1, false],
    ['four cores for four threads, and a server beside them', { idle: 1.5, left: 2, own: 0.5 }, 4, false],
    ['eight cores for four threads', { idle: 5, left: 6, own: 0.5 }, 4, true],
    ['many idle cores, of which this process may use one', { idle: 60, left: 0, own: 0.5 }, 1, false],
  ] as const)('%s', (_name, use, threads, isSpare) => {
    expect(areCoresSpare(use, threads)).toBe(isSpare);
  });

  it('count as free until the first check, and are checked only once per interval', () => {
    const cores = new SpareCores(10_000, 0);
    expect([cores.at(99_999), cores.at(100_000), cores.at(100_001)]).toEqual([true, false, false]);
  });

  it('parseCpuList parses ranges and single numbers', () => {
    expect([...parseCpuList('0-2,8')]).toEqual([0, 1, 2, 8]);
  });
});

describe('Pacer with spare cores', () => {
  /** Counts the turns of the event loop that a pacer takes for instants 0.9 ms apart, with a clock that advances 10 µs at each reading. */
  async function listTurns(isCoreFree: boolean): Promise<number> {
    let nowUs = 0;
    let turns = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const next = (): number => {
      turns += 1;
      if (nowUs < 50_000) return nowUs + 900;
      resolve();
      return Number.POSITIVE_INFINITY;
    };
    const pacer = new Pacer(
      () => (nowUs += 10),
      next,
      () => isCoreFree,
    );
    pacer.check();
    await promise;
    pacer.stop();
    return turns;
  }

  it('waits in turns of the event loop if a core is free, and these turns do not count as work', async () => {
    const before = activeWaitingUs();
    const free = await listTurns(true);
    expect(activeWaitingUs() - before).toBeGreaterThan(40_000);
    expect(free).toBeGreaterThan(2_000);
  });
});
