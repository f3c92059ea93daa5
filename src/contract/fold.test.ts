import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point, RunEvent } from '#core/result/schema.ts';
import { foldLive, MAX_UNREAD_POINTS } from './fold.ts';

interface Update {
  readonly points: Point[];
  readonly resync: boolean;
  readonly events: RunEvent[];
  readonly monitors: [];
  readonly state: string;
  readonly watched: readonly number[];
  readonly generatorPoints: readonly number[];
  readonly plan?: string;
}

function point(second: number, completed = 0): Point {
  const times = { p50: null, p90: null, p99: null, max: null };
  return {
    second,
    width: 1,
    started: 0,
    completed,
    ok: 0,
    failed: 0,
    inFlight: 0,
    bytesReceived: 0,
    ...times,
    status: {},
    errors: {},
    service: null,
    notStarted: { target: 0, generator: 0 },
    waiting: 0,
    overloadedBy: [],
  };
}

const update = (points: Point[], changes: Partial<Update> = {}): Update => ({
  points,
  resync: false,
  watched: [],
  generatorPoints: [],
  events: [],
  monitors: [],
  state: '',
  ...changes,
});

describe('foldLive', () => {
  it('keeps the plan of the full picture', () => {
    expect(foldLive(update([], { plan: 'the plan' }), update([])).plan).toBe('the plan');
    expect(foldLive(update([]), update([]))).not.toHaveProperty('plan');
  });

  it('keeps the later state, all events, and the later of two points of the same second', () => {
    const event = (text: string): RunEvent => ({ second: 1, kind: 'k', text });
    const folded = foldLive(
      update([point(1, 5), point(2, 5)], { state: 'old', events: [event('a')], watched: [1] }),
      update([point(2, 7), point(3, 1)], { state: 'new', events: [event('b')], watched: [2] }),
    );
    expect(folded.points.map(({ second, completed }) => [second, completed])).toEqual([
      [1, 5],
      [2, 7],
      [3, 1],
    ]);
    expect([folded.state, folded.events.map(({ text }) => text), folded.resync]).toEqual(['new', ['a', 'b'], false]);
    expect(folded.watched).toEqual([1, 2]);
  });

  it('is associative without overflow', () => {
    const any = fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 10 }).map((seconds) => update(seconds.map((second) => point(second))));
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(foldLive(foldLive(a, b), c)).toEqual(foldLive(a, foldLive(b, c)));
      }),
    );
  });

  it('drops points if too many are unread, and asks the reader to fetch them', () => {
    let waiting = update([]);
    for (let second = 0; second < 3 * MAX_UNREAD_POINTS; second += 1) {
      waiting = foldLive(waiting, update([point(second)], { events: [{ second, kind: 'k', text: '' }] }));
      expect(waiting.points.length).toBeLessThanOrEqual(MAX_UNREAD_POINTS);
      expect(waiting.events.length).toBeLessThanOrEqual(MAX_UNREAD_POINTS);
    }
    expect(waiting.resync).toBe(true);
  });
});
