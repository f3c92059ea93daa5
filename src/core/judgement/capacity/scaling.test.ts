import { describe, expect, it } from 'vitest';
import { levelSet, measuredLevels } from './testing/levels.ts';
import { fitScaling } from './scaling.ts';
import { uslRate } from './usl.ts';
import { scalingSentences } from './sentences.ts';
import { levelTable } from '#core/presentation/document/capacity.ts';

const COUNTS = [1, 2, 4, 8, 16, 32, 64];
const stated = (set: ReturnType<typeof levelSet>): string => scalingSentences({ set, scaling: fitScaling(set) }).join('\n');
const why = (set: ReturnType<typeof levelSet>): string => {
  const scaling = fitScaling(set);
  return scaling.kind === 'refused' ? scaling.why : scaling.kind;
};

describe('fitScaling', () => {
  it('finds a curve with its peak if throughput bends and falls', () => {
    const truth = { lambda: 100, sigma: 0.03, kappa: 0.001 };
    for (let seed = 1; seed <= 40; seed += 1) {
      const scaling = fitScaling(measuredLevels((at) => uslRate(truth, at), COUNTS, 0.01, 3, seed));
      if (scaling.kind !== 'curve') throw new Error(`seed ${seed}: ${scaling.kind}`);
      expect(scaling.usl.lambda).toBeGreaterThan(95);
      expect(scaling.usl.lambda).toBeLessThan(105);
      expect(Math.abs((scaling.peak?.at.value ?? 0) - 31.1)).toBeLessThan(2);
      expect(Math.abs((scaling.peak?.perSecond ?? 0) / uslRate(truth, 31.1) - 1)).toBeLessThan(0.03);
    }
    const set = measuredLevels((at) => uslRate(truth, at), COUNTS, 0.01, 3, 1);
    expect(stated(set)).toMatch(/Gunther[\s\S]*Throughput peaks at about [\d,.]+\/s with 3\d connections \(\d+ to \d+\)/);
    expect(levelTable({ set, scaling: fitScaling(set) })).toMatchObject([{ rows: { length: 7 } }]);
  });

  it('leads to a table with columns for a curve only if there is one', () => {
    const few = measuredLevels((at) => at * 10, [1, 2, 4], 0.01, 3, 1);
    expect(levelTable({ set: few, scaling: fitScaling(few) })).toMatchObject([
      { title: 'Levels', columns: [{ name: 'Level' }, { name: 'Connections' }, { name: 'Measured/s' }] },
    ]);
  });

  it('finds a hard limit for a fixed number of workers, which no curve fits', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const [workers, seconds] = [17, 0.8];
      const scaling = fitScaling(measuredLevels((at) => Math.min(at, workers) / seconds, [1, 2, 4, 8, 16, 32, 64, 128], 0.01, 1, seed));
      if (scaling.kind !== 'limit') throw new Error(`seed ${seed}: ${scaling.kind}`);
      expect(Math.abs(scaling.limit.most / 21.25 - 1)).toBeLessThan(0.05);
      expect(Math.abs(scaling.limit.fullAt / workers - 1)).toBeLessThan(0.08);
    }
  });

  it('finds no peak if throughput still grows in proportion', () => {
    for (let seed = 1; seed <= 100; seed += 1)
      expect(why(measuredLevels((at) => 50 * at, COUNTS, 0.03, 1, seed))).toMatch(/notSaturating|moreThan/);
    expect(stated(measuredLevels((at) => 50 * at, COUNTS, 0.005, 1, 1))).toContain('Measure with more.');
  });

  it('finds no peak far beyond the measured levels', () => {
    const usl = { lambda: 100, sigma: 0.05, kappa: 0.00001 };
    const set = measuredLevels((at) => uslRate(usl, at), COUNTS, 0.002, 3, 3);
    expect(why(set)).toBe('curve');
    expect(stated(set)).not.toContain('Throughput peaks');
  });

  it('explains why no curve is shown', () => {
    expect(
      why(
        levelSet([
          [1, 10],
          [2, 19],
          [4, 35],
          [8, 60],
          [16, 80],
        ]),
      ),
    ).toBe('tooFew');
    expect(
      stated(
        levelSet([
          [1, 10],
          [2, 19],
          [4, 35],
          [8, 60],
          [16, 80],
        ]),
      ),
    ).toContain('At least 6 are needed');
    const bending = COUNTS.map((at): [number, number] => [at, uslRate({ lambda: 100, sigma: 0.05, kappa: 0.001 }, at)]);
    expect(why(levelSet(bending, { failedShare: 0.04 }))).toBe('failures');
    expect(why(levelSet(bending, { isDoubted: true }))).toBe('doubted');
    expect(why(levelSet(COUNTS.map((at): [number, number] => [at, 100])))).toBe('flat');
    expect(why(levelSet(bending.map(([at, rate]): [number, number] => [at, at === 1 ? rate / 2 : rate])))).toBe('moreThanInProportion');
    const jumping = bending.map(([at, rate], index): [number, number] => [at, index === 3 ? rate * 0.6 : rate]);
    expect(why(levelSet(jumping))).toBe('misses');
    expect(stated(levelSet(jumping))).toMatch(/No such curve fits these levels: at 8 connections it was/);
  });

  it('says how many levels were excluded, and why', () => {
    const three: [number, number][] = [
      [10, 100],
      [20, 180],
      [40, 260],
    ];
    expect(stated(levelSet(three))).toContain('There were 3 levels of connections. At least 6 are needed: a curve');
    expect(stated(levelSet(three, { isDoubted: true }))).toContain(
      'There were 3 levels of connections, and none of them counts: the network or the load generator was busy and may have been the limit. At least 6 are needed:',
    );
    const mixed = levelSet([...three, [80, 280], [160, 290], [320, 0]]);
    const failing = mixed.levels.map((level) => ({ ...level, failedShare: level.at >= 160 ? 0.2 : 0, isDoubted: level.at === 80 }));
    expect(why({ ...mixed, levels: failing })).toBe('failures');
    expect(stated({ ...mixed, levels: failing })).toContain(
      'There were 6 levels of connections, and 3 of them do not count: at 1, a run completed nothing; at 1, more than 1 % failed, and failures are fast without doing work; at 1, the network or the load generator was busy and may have been the limit. 3 are left. At least 6 are needed.',
    );
    const [first, ...others] = levelSet([...three, [80, 280], [160, 290]]).levels;
    if (first === undefined) throw new Error('There are levels.');
    expect(stated({ ...mixed, levels: [{ ...first, failedShare: 0.03 }, ...others] })).toContain(
      '1 of them does not count: more than 1 % failed',
    );
  });

  it('shows the range of a flat rate without excluded levels', () => {
    const flat = levelSet([
      [10, 100],
      [20, 101],
      [40, 102],
      [80, 5],
    ]);
    const levels = flat.levels.map((level) => ({ ...level, failedShare: level.at === 80 ? 0.9 : 0 }));
    expect(stated({ ...flat, levels })).toContain('achieved as much as the most, 100 to 102 a second');
  });

  it('counts a number of connections once, as usable if one of its levels is usable', () => {
    const twice = levelSet([
      [10, 100],
      [10, 101],
      [20, 190],
      [40, 300],
    ]);
    const levels = twice.levels.map((level, index) => ({ ...level, isDoubted: index === 0 }));
    expect(stated({ ...twice, levels })).toContain('There were 3 levels of connections. At least 6 are needed:');
  });
});

/** The tables come from reports whose authors drew wrong conclusions. */
describe('tables of old reports:', () => {
  it('10 pages per second at 100 and at 1,000 users: saturated from the beginning, no “reversed” trend', () => {
    const read = levelSet([
      [100, 11.317],
      [250, 10.35],
      [500, 10.717],
      [750, 11.022],
      [1_000, 10.489],
    ]);
    expect(why(read)).toBe('flat');
    expect(stated(read)).toContain('The fewest connections already achieved as much as the most, 10.4 to 11.3 a second');
  });

  it('“relatively linear changes”: flat from ten connections on', () => {
    const far = levelSet([
      [1, 243.1],
      [10, 358.09],
      [100, 358.13],
    ]);
    expect(stated(far)).toContain('From 10 connections on, throughput stays at 358 to 358 responses a second up to 100:');
    const near = levelSet([
      [1, 4_457.42],
      [10, 18_690.17],
      [100, 18_753.04],
      [1_000, 15_860.49],
    ]);
    expect(stated(near)).toContain('Throughput was highest with 100 connections, 18,800 responses/s; with 1,000 it was 15 % lower.');
  });

  it('uploads by 500, 1,000 and 2,000 threads: throughput is N / R, and falls with more threads', () => {
    const uploads = levelSet([
      [500, 500 / 2.104],
      [1_000, 1_000 / 4.318],
      [2_000, 2_000 / 10.224],
    ]);
    expect(stated(uploads)).toContain('Throughput was highest with 500 connections, 238 responses/s; with 2,000 it was 18 % lower.');
  });
});
