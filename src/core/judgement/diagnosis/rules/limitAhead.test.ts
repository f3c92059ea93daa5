import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep } from '../testing/facts.ts';

const quantity = (id: string, unit: 'count' | 'bytes' = 'count') => ({ id, words: id, unit, chart: 'Connections' });

function database(open: readonly (number | null)[], changes: Partial<MonitorResult> = {}): MonitorResult {
  return {
    number: 1,
    name: 'database',
    kind: 'postgres',
    role: 'target',
    host: null,
    quantities: [quantity('postgres.connections'), quantity('postgres.active')],
    limits: [{ chart: 'Connections', value: 97, words: 'max_connections, less those kept for the superuser' }],
    state: 'ended',
    problem: null,
    errorMs: 1,
    second: open.map((_, second) => second),
    width: open.map(() => 1),
    values: { 'postgres.connections': [...open], 'postgres.active': open.map((value) => (value === null ? null : 1)) },
    ...changes,
  };
}

function found(open: readonly (number | null)[], changes: Partial<MonitorResult> = {}) {
  return diagnose(facts(healthyStep(), { monitors: [database(open, changes)] })).filter(({ id }) => id.startsWith('limitAhead'));
}

const leaking = Array.from({ length: 12 }, (_, second) => 3 + 4 * second + (second % 3 === 0 ? 1 : 0));

describe('what grows towards its limit', () => {
  it('is told with its pace, and how long it will take', () => {
    const [finding, ...others] = found(leaking);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: 'limitAhead.database.Connections', level: 'warning' });
    const [, perMinute, seconds] = /grew by ([\d.]+) a minute .* limit of 97 about ([\d.]+) s later/.exec(finding?.sentence ?? '') ?? [];
    // 4 a second; from 47 at the last reading to 97 are 50.
    expect(Number(perMinute) / 60).toBeCloseTo(4, 0);
    expect(Number(seconds)).toBeCloseTo(12.5, 0);
    expect(finding?.evidence.join(' ')).toContain('12 readings');
  });

  it('is told when it is there already', () => {
    const [finding] = found(Array.from({ length: 12 }, (_, second) => 42 + 5 * second));
    expect(finding?.sentence).toContain('that is the limit of 97');
  });

  it.each([
    ['a pool that fills and stays', Array.from({ length: 30 }, (_, second) => Math.min(20, 2 + 5 * second))],
    ['what comes and goes', Array.from({ length: 30 }, (_, second) => 20 + 8 * Math.sin(second))],
    ['what stays', Array.from({ length: 30 }, () => 20)],
    ['what grows by one or two', Array.from({ length: 30 }, (_, second) => 20 + second * 0.06)],
    ['too few readings', leaking.slice(0, 9)],
    ['what is not known', leaking.map(() => null)],
  ])('is not %s', (_, open) => {
    expect(found(open)).toEqual([]);
  });

  it('is nothing without a limit, nor memory, nor under a load that grows', () => {
    expect(found(leaking, { limits: [] })).toEqual([]);
    expect(found(leaking, { quantities: [quantity('postgres.connections', 'bytes')] })).toEqual([]);
    const growing = facts(healthyStep(), { monitors: [database(leaking)] });
    const stages = growing.stages.map((stage) => ({ ...stage, level: { ...stage.level, from: 1 } }));
    expect(diagnose({ ...growing, stages }).filter(({ id }) => id.startsWith('limitAhead'))).toEqual([]);
  });
});
