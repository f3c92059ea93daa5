import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { findPlannedJourneys } from '#core/work/load/planned.ts';

function parsed(stages: readonly object[]) {
  const plan = { holdfast: 1, name: 'P', targets: [{ url: 'http://127.0.0.1/' }], journey: [{ name: 'page' }] };
  return parsePlan(JSON.stringify({ ...plan, load: { model: 'arrivals', stages } }));
}

describe('rates per minute and per hour', () => {
  it('are converted to rates per second in every kind of stage', () => {
    const { plan, issues } = parsed([
      { kind: 'constant', perMinute: 30, seconds: 60 },
      { kind: 'ramp', fromPerHour: 360, toPerHour: 3600, seconds: 60 },
      { kind: 'steps', fromPerMinute: 60, toPerSecond: 3, steps: 3, secondsEach: 10 },
      { kind: 'spike', basePerMinute: 60, peakPerMinute: 600, secondsBefore: 5, peakSeconds: 5, secondsAfter: 5 },
    ]);
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(plan?.load.stages).toMatchObject([
      { perSecond: 0.5 },
      { fromPerSecond: 0.1, toPerSecond: 1 },
      { fromPerSecond: 1, toPerSecond: 3 },
      { basePerSecond: 1, peakPerSecond: 10 },
    ]);
  });

  it('give the stated number of arrivals in an hour', () => {
    for (let count = 1; count <= 500; count += 1) {
      const { plan } = parsed([{ kind: 'constant', perHour: count, seconds: 3_600 }]);
      expect(plan === null ? null : findPlannedJourneys(plan, 0)).toBe(count);
    }
  });

  it('are rejected beside a rate per second, and if they are not numbers', () => {
    for (const stage of [{ perSecond: 1, perHour: 60 }, { perHour: 'many' }, { perMinute: -5 }, { perHour: 1e300 }])
      expect(parsed([{ kind: 'constant', seconds: 60, ...stage }]).plan).toBeNull();
  });
});
