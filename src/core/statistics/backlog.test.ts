import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drainSeconds, forecastWork, measureWork, type Progress, countOverdue } from './backlog.ts';

/** Returns the progress of jobs that all begin in the first two seconds and complete at a constant rate. */
function burst(jobs: number, perSecond: number, seconds: number): Progress[] {
  return Array.from({ length: seconds }, (_, index) => ({
    second: index + 1,
    begun: index === 0 ? Math.ceil(jobs / 2) : jobs,
    came: Math.min(jobs, Math.floor(perSecond * (index + 1))),
  }));
}

describe('measureWork', () => {
  it('finds 15 s for 200 jobs of 0.3 s on 4 workers', () => {
    expect(drainSeconds({ jobs: 200, secondsEach: 0.3, workers: 4 })).toBeCloseTo(15, 9);
    const work = measureWork(burst(200, 4 / 0.3, 20));
    expect(work.perSecond).toBeCloseTo(4 / 0.3, 1);
    expect(work).toMatchObject({ most: 174, mostAtSecond: 2, clearedAtSecond: 15 });
  });

  it('finds the completion rate whatever the idle time afterwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 5_000 }), fc.integer({ min: 5, max: 30 }), fc.nat({ max: 100 }), (jobs, seconds, idle) => {
        const perSecond = jobs / seconds;
        const { perSecond: found } = measureWork(burst(jobs, perSecond, seconds + idle));
        expect((found ?? 0) / perSecond).toBeGreaterThan(0.9);
        expect((found ?? 0) / perSecond).toBeLessThan(1.1);
      }),
    );
  });

  it('finds the completion rate whatever the warm-up before', () => {
    const main = burst(200, 10, 30).map(({ second, begun, came }) => ({ second: second + 10, begun: begun + 4, came: came + 4 }));
    const before = Array.from({ length: 10 }, (_, index) => ({ second: index + 1, begun: 4, came: index < 3 ? 0 : 4 }));
    expect(measureWork([...before, ...main]).perSecond).toBeCloseTo(10, 1);
  });

  describe('keptUp', () => {
    /** Begins `perSecond` jobs in each second for 40 s. Each completes `each` seconds later, at most `most` of them per second. */
    const steady = (perSecond: number, each: number, most = Infinity): Progress[] => {
      let came = 0;
      return Array.from({ length: 80 }, (_, index) => {
        const begunAt = (second: number): number => Math.floor(perSecond * Math.max(0, Math.min(40, second)));
        came = Math.min(came + most, begunAt(index + 1 - each));
        return { second: index + 1, begun: begunAt(index + 1), came: Math.floor(came) };
      });
    };

    it('is true for workers that are never behind, idle or not', () => {
      expect(measureWork(steady(0.475, 3)).keptUp).toBe(true);
      expect(measureWork(steady(0.475, 1)).keptUp).toBe(true);
      expect(measureWork(steady(5, 3)).keptUp).toBe(true);
    });

    it('is false for a growing queue and for jobs that arrive all at once', () => {
      expect(measureWork(steady(5, 3, 2.5))).toMatchObject({ keptUp: false });
      expect(measureWork(steady(5, 3, 4))).toMatchObject({ keptUp: false });
      expect(measureWork(burst(200, 13.3, 20)).keptUp).toBe(false);
      expect(measureWork(burst(200, 3, 80)).keptUp).toBe(false);
    });
  });

  it('returns no time of clearing while jobs are outstanding, and no rate for a few results', () => {
    const progress = burst(200, 10, 5);
    expect(measureWork(progress).clearedAtSecond).toBeNull();
    expect(measureWork(burst(5, 1, 10)).perSecond).toBeNull();
    expect(measureWork([])).toEqual({ perSecond: null, keptUp: false, most: 0, mostAtSecond: null, clearedAtSecond: null });
  });
});

describe('forecastWork', () => {
  it('forecasts no backlog if workers complete more than arrives', () => {
    expect(forecastWork({ count: 3_000, overSeconds: 18_000 }, 0.5)).toMatchObject({ waiting: 0, behindSeconds: 0, rush: null });
  });

  it('forecasts the jobs of a rush that exceed the capacity', () => {
    const ahead = forecastWork({ count: 3_000, overSeconds: 18_000, rush: { count: 1_500, overSeconds: 900 } }, 1);
    expect(ahead.rush).toBeCloseTo(1_500 / 900, 9);
    expect(ahead.waiting).toBeCloseTo(600, 6);
    expect(ahead.behindSeconds).toBeCloseTo(600, 6);
  });

  it('agrees with a simulation second by second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        (usual, rush, speed) => {
          const expected = { count: usual * 100 + rush * 50, overSeconds: 150, rush: { count: rush * 50, overSeconds: 50 } };
          let waiting = 0;
          for (let second = 0; second < 150; second += 1) waiting = Math.max(0, waiting + (second < 100 ? usual : rush) - speed);
          expect(forecastWork(expected, speed).waiting).toBeCloseTo(waiting, 6);
        },
      ),
    );
  });
});

describe('forecastWork with a rush', () => {
  it('returns the utilization before the rush and in it', () => {
    // 600 jobs in 100 s, of them 200 in the last 20 s, arrive at 5 per second and then at 10 per second.
    const rushed = { count: 600, overSeconds: 100, rush: { count: 200, overSeconds: 20 } };
    expect(forecastWork(rushed, 4)).toEqual({ usual: 1.25, rush: 2.5, waiting: 80 + 120, behindSeconds: 50 });
    expect(forecastWork(rushed, 8)).toEqual({ usual: 0.625, rush: 1.25, waiting: 40, behindSeconds: 5 });
    expect(forecastWork({ count: 600, overSeconds: 100 }, 4)).toEqual({ usual: 1.5, rush: null, waiting: 200, behindSeconds: 50 });
  });

  it('uses the rate of the rush if the rush takes all of the time', () => {
    const all = { count: 200, overSeconds: 20, rush: { count: 200, overSeconds: 20 } };
    expect(forecastWork(all, 5)).toEqual({ usual: 0, rush: 2, waiting: 100, behindSeconds: 20 });
    expect(forecastWork({ ...all, overSeconds: 10, count: 50 }, 5)).toEqual({ usual: 0, rush: 2, waiting: 100, behindSeconds: 20 });
  });
});

describe('measureWork at its thresholds', () => {
  const line = (...came: number[]): Progress[] => came.map((one, index) => ({ second: index + 1, begun: 100, came: one }));

  it('needs ten results and three busy seconds for a rate', () => {
    expect(measureWork(line(2, 4, 6, 8, 10)).perSecond).toBeCloseTo(2, 9);
    expect(measureWork(line(1, 3, 5, 7, 9)).perSecond).toBeNull();
    expect(measureWork(line(5, 10, 15)).perSecond).toBeCloseTo(5, 9);
    expect(measureWork(line(5, 10)).perSecond).toBeNull();
  });

  it('uses the longest busy time, from its first result on', () => {
    // 15 jobs complete at 5 per second. After an idle time, 25 jobs begin: five complete in second 6, and two in each later second.
    const came = [5, 10, 15, 15, 15, 20, 22, 24, 26, 28];
    const progress = came.map((one, index) => ({ second: index + 1, begun: index < 4 ? 15 : 40, came: one }));
    expect(measureWork(progress).perSecond).toBeCloseTo(2, 9);
  });

  it('reports the first second of the largest backlog and the first second with all jobs done', () => {
    const work = measureWork([
      { second: 1, begun: 10, came: 0 },
      { second: 2, begun: 15, came: 5 },
      { second: 3, begun: 15, came: 15 },
      { second: 4, begun: 15, came: 15 },
    ]);
    expect(work).toMatchObject({ most: 10, mostAtSecond: 1, clearedAtSecond: 3 });
    expect(measureWork([{ second: 1, begun: 0, came: 0 }])).toMatchObject({ most: 0, mostAtSecond: null, clearedAtSecond: null });
  });

  it('counts workers as keeping up within 15 % of the arrival rate', () => {
    // 20 jobs per second begin for ten seconds, and complete at another rate one second later.
    const at = (perSecond: number) =>
      Array.from({ length: 10 }, (_, index) => ({ second: index + 1, begun: 20 * (index + 1) + 20, came: perSecond * index }));
    expect([at(17), at(16.9), at(23), at(23.1)].map((one) => measureWork(one).keptUp)).toEqual([true, false, true, false]);
  });
});

describe('countOverdue', () => {
  /** Returns the progress of one job per second for a minute. Each takes `seconds`, and none completes from `stillFrom` on. */
  const taking = (seconds: number, stillFrom = Infinity) =>
    Array.from({ length: 60 }, (_, at) => ({ second: at + 1, begun: at + 1, came: Math.max(0, Math.min(at + 1, stillFrom) - seconds) }));

  it('excludes jobs that began shortly before the end', () => {
    expect(countOverdue(taking(8), 8)).toBe(0);
    expect(countOverdue(taking(0), 0)).toBe(0);
    expect(countOverdue([], Infinity)).toBe(0);
  });

  it('includes jobs of workers that stopped, and the whole queue if it only grew', () => {
    expect(countOverdue(taking(8, 30), 8)).toBe(48 - 22);
    const queue = Array.from({ length: 60 }, (_, at) => ({ second: at + 1, begun: Math.min(200, 20 * (at + 1)), came: at }));
    expect(countOverdue(queue, 50)).toBe(141);
    expect(countOverdue(taking(60), Infinity)).toBe(60);
  });

  it('uses 1.5 × p95 unless that exceeds a third of the run', () => {
    // 19 s are within a third of the 59 s of the run. 41 jobs began up to second 60 − 19, and 10 of them completed.
    expect(countOverdue(taking(50), 19 / 1.5)).toBe(41 - 10);
    expect(countOverdue(taking(50), 20 / 1.5)).toBe(60 - 10);
    // The jobs begin only at second 31.
    const late = [
      ...Array.from({ length: 30 }, (_, at) => ({ second: at + 1, begun: 0, came: 0 })),
      ...taking(50).map((one) => ({ ...one, second: one.second + 30 })),
    ];
    expect(countOverdue(late, 20 / 1.5)).toBe(60 - 10);
    expect(countOverdue([{ second: 5, begun: 0, came: 0 }], 1)).toBe(0);
  });
});
