import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import { diagnose } from '../diagnose.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';

function watching(connections: (second: number) => number | null, limit?: number): MeasuredRun {
  const given = facts(healthyStep());
  const readings = Array.from({ length: 60 }, (_, second) => {
    const value = connections(second);
    return value === null ? {} : { connections: value };
  });
  const watch = [watchSchema.parse({ name: 'connections', url: 'http://127.0.0.1:1/', ...(limit === undefined ? {} : { limit }) })];
  return { ...given, plan: { ...given.plan, watch }, generators: [generatorThatReads(readings)] };
}

describe('watchedGrowth', () => {
  it('reports the growth rate of a number and when it reaches its limit', () => {
    // The number is read every 5 s: 20 + 0.5 per second reaches 97 at second 154, which is 99 s after the last reading.
    const [finding] = diagnose(watching((second) => (second % 5 === 0 ? 20 + second / 2 : null), 97));
    expect(finding).toMatchObject({ id: 'watchedGrowth.connections', level: 'warning' });
    expect(finding?.sentence).toBe(
      '“connections” grew by 30 a minute, from 20 to 47.5: at this pace it reaches 97 about 99 s after the end of the test.',
    );
  });

  it('ignores a constant number, and warns of a number without readings', () => {
    expect(diagnose(watching((second) => 20 + (second % 2)))).toEqual([]);
    expect(diagnose(watching(() => null))).toMatchObject([{ id: 'watchedGrowth.connections', level: 'warning' }]);
  });
});

describe('slowerAndSlower', () => {
  const slowing = (perSecond: number): MeasuredRun =>
    facts(healthyStep(), { windows: Array.from({ length: 60 }, (_, second) => point(second, { p50: 20 + perSecond * second })) });

  it('reports responses that become slower under the same load', () => {
    const [finding] = diagnose(slowing(2));
    expect(finding).toMatchObject({ id: 'slowerAndSlower.stage 1', level: 'warning' });
    expect(finding?.sentence).toContain('from 22 ms to 136 ms');
  });

  it('reports measured times, because the fitted line may miss them', () => {
    const windows = Array.from({ length: 60 }, (_, second) => point(second, { p50: second < 45 ? 5 : 5 + 40 * (second - 44) }));
    const finding = diagnose(facts(healthyStep(), { windows })).find(({ id }) => id.startsWith('slowerAndSlower'));
    expect(finding?.sentence).toContain('from 5 ms to 565 ms');
  });

  it('does not treat the start-up of users as a constant load', () => {
    const windows = Array.from({ length: 60 }, (_, second) => point(second, { p50: 20 + 2 * Math.min(second, 40) }));
    const given = facts(healthyStep(), { windows });
    const load = {
      model: 'users',
      thinkTime: { kind: 'fixed', seconds: 1 },
      stages: [{ name: 'stage 1', users: 60, startUpSeconds: 40, startUpCounts: true, seconds: 20 }],
    };
    const plan = planSchema.parse({ ...given.plan, load });
    expect(diagnose(given).map(({ id }) => id)).toContain('slowerAndSlower.stage 1');
    expect(diagnose({ ...given, plan }).map(({ id }) => id)).not.toContain('slowerAndSlower.stage 1');
  });

  it('ignores a few milliseconds, and a load that grows', () => {
    expect(diagnose(slowing(0.05))).toEqual([]);
    const growing = slowing(2);
    const stages = growing.stages.map((stage) => ({ ...stage, level: { ...stage.level, to: 120, highest: 120 } }));
    expect(diagnose({ ...growing, stages })).toEqual([]);
  });
});

describe('growth rules at their thresholds', () => {
  const of = (rule: string, given: MeasuredRun) => diagnose(given).find(({ id }) => id.startsWith(rule));
  const slowing = (p50: (second: number) => number | null, seconds = 60): MeasuredRun =>
    facts(healthyStep(), { windows: Array.from({ length: seconds }, (_, second) => point(second, { p50: p50(second) })) });

  it('require half a minute', () => {
    const watched = (last: number) => watching((second) => (second <= last ? 20 + second : null));
    expect(of('watchedGrowth', watched(30))).toMatchObject({ level: 'info', sentence: expect.not.stringContaining('at this pace') });
    expect(of('watchedGrowth', watched(29))).toBeUndefined();
    expect(of('watchedGrowth', watched(30))?.evidence).toEqual([expect.stringMatching(/^31 readings in 30 s/)]);
    expect(
      of(
        'slowerAndSlower',
        slowing((second) => 20 + 2 * second, 31),
      ),
    ).toBeDefined();
    expect(
      of(
        'slowerAndSlower',
        slowing((second) => 20 + 2 * second, 30),
      ),
    ).toBeUndefined();
  });

  it('report when a limit will be reached, or that it may never be reached', () => {
    expect(
      of(
        'watchedGrowth',
        watching((second) => (second % 5 === 0 ? 20 + second / 2 : null), 97),
      )?.evidence[1],
    ).toBe('Between 99 s and 99 s.');
    expect(
      of(
        'watchedGrowth',
        watching(() => null),
      )?.evidence,
    ).toHaveLength(1);
  });

  it('require a slowdown of more than 10 ms and 20 %', () => {
    const line = (from: number, to: number) =>
      of(
        'slowerAndSlower',
        slowing((second) => from + ((to - from) * second) / 59),
      );
    expect(line(20, 40)).toMatchObject({ range: { fromSecond: 0, toSecond: 60 } });
    expect(line(10, 19)).toBeUndefined();
    expect(line(200, 230)).toBeUndefined();
    expect(line(20, 40)?.evidence[0]).toMatch(/^By 20\.3 ms a minute; 95 % interval: 20\.3 ms to 20\.3 ms\.$/);
  });

  it('use only points that have times and lie completely in the stage', () => {
    const given = slowing((second) => (second % 2 === 0 ? 20 + 2 * second : null));
    expect(of('slowerAndSlower', given)).toBeDefined();
    const [stage] = given.stages;
    if (stage === undefined) throw new Error('no stage');
    for (const changes of [{ startedAtSecond: null }, { endedAtSecond: null }, { counted: false }, { endedAtSecond: 29.5 }])
      expect(of('slowerAndSlower', { ...given, stages: [{ ...stage, ...changes }] })).toBeUndefined();
  });
});
