import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { formatProgress, listSegments } from './progress.ts';
import { sampleLive, sampleRequests } from '../live/testing/live.ts';

const plan = (...stages: object[]) =>
  planSchema.parse({
    holdfast: 1,
    name: 'Contest',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages },
  });

describe('formatProgress', () => {
  it('measures progress by time if the plan has a duration', () => {
    expect(formatProgress(sampleLive(), 100)).toEqual({ share: 60 / 330, done: '1:00 of 5:30', left: '4:30 left' });
  });

  it('measures progress by requests otherwise, and estimates the remaining time from the recent throughput', () => {
    const live = sampleLive({ plannedSeconds: null, plannedRequests: 10_000 });
    expect(formatProgress(live, 100)).toEqual({ share: 0.6, done: '6,000 of 10,000 requests', left: 'about 40 s left' });
    expect(formatProgress(live, null).left).toBe('');
  });

  it('shows no remaining time if there is no planned end', () => {
    expect(formatProgress(sampleLive({ plannedSeconds: null }), 100)).toEqual({ share: null, done: '1:00 so far', left: '' });
  });

  it('does not exceed the end while responses are outstanding', () => {
    expect(formatProgress(sampleLive({ elapsedSeconds: 400 }), 100)).toEqual({
      share: 1,
      done: '5:30 of 5:30',
      left: 'outstanding responses',
    });
  });
});

describe('formatProgress for a run that is being stopped', () => {
  it('shows no remaining time', () => {
    const sample = sampleLive();
    const live = sampleLive({ run: { ...sample.run, endedBecause: { code: 'user', text: 'You stopped it.' } } });
    expect(formatProgress(live, 100).left).toBe('outstanding responses');
  });
});

describe('listSegments', () => {
  it('fills the stages in order by time', () => {
    const segments = listSegments(
      plan({ seconds: 30, connections: 1, counted: false, name: 'warm-up' }, { seconds: 300, connections: 9 }),
      sampleLive(),
    );
    expect(segments.map(({ done }) => done)).toEqual([1, 0.1]);
    expect(segments.map(({ share }) => share)).toEqual([30 / 330, 300 / 330]);
  });

  it('fills stages whose plan is a number of requests', () => {
    const live = sampleLive({ outcomes: { ...sampleLive().outcomes, requests: sampleRequests({ sent: 150 }) } });
    expect(listSegments(plan({ requests: 100, connections: 1 }, { requests: 100, connections: 1 }), live).map(({ done }) => done)).toEqual([
      1, 0.5,
    ]);
  });
});
