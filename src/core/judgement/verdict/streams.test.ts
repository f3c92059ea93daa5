import { describe, expect, it } from 'vitest';
import type { Window } from '#core/measurement/window.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { streamWindow } from '#core/testing/streamWindows.ts';
import { eventCount, eventRate, eventsP95, listensToStreams } from './streams.ts';
import { endBySeconds, makeInput, judged, type RunStory } from './testing/judged.ts';

const STAMPED = { sentAt: { from: 'data', path: '$.at' } } as const;
const news: PlanInput['journey'][number] = { name: 'news', stream: STAMPED };
const page = { name: 'page' };
const twoStages = stages({ name: 'calm', connections: 10, seconds: 10 }, { name: 'busy', connections: 20, seconds: 10 });

const streamPlan = (changes: Partial<PlanInput> = {}) => planWith({ journey: [news], load: twoStages, ...changes });
/** Returns ten seconds of a stage with the given number of events each. */
const seconds = (stage: number, events: number, times?: Parameters<typeof streamWindow>[0]['times']): Window[] =>
  Array.from({ length: 10 }, (_, index) =>
    streamWindow({ second: 10 * stage + index, stage, opened: 1, events, ...(times === undefined ? {} : { times }) }),
  );
const input = (windows: readonly Window[], changes: Partial<PlanInput> = {}, story: Partial<RunStory> = {}) =>
  makeInput({ plan: streamPlan(changes), windows, ...story });

describe('listensToStreams', () => {
  const choosing = (inBusy: number): Partial<PlanInput> => ({
    journey: [news, page],
    flow: [
      {
        choose: [
          { flow: ['news'], weight: 1, weightIn: { busy: 1 - inBusy } },
          { flow: ['page'], weight: 0, weightIn: { busy: inBusy } },
        ],
      },
    ],
  });

  it('returns true if every journey of every stage takes a stream', () => {
    expect(listensToStreams(streamPlan())).toBe(true);
    expect(listensToStreams(streamPlan({ journey: [page, news] }))).toBe(true);
    expect(listensToStreams(streamPlan(choosing(0)))).toBe(true);
  });

  it('returns false if one stage has journeys without a stream', () => {
    expect(listensToStreams(streamPlan(choosing(1)))).toBe(false);
    expect(listensToStreams(streamPlan(choosing(0.5)))).toBe(false);
  });

  it('returns false if the stream is in the background, or there is none', () => {
    expect(listensToStreams(streamPlan({ journey: [page, { name: 'news', stream: { ...STAMPED, beside: true } }] }))).toBe(false);
    expect(listensToStreams(streamPlan({ journey: [page] }))).toBe(false);
  });
});

describe('events of a stage', () => {
  /** Adds the same events over a second stream, which belongs to the second step. */
  const alsoOfSecondStep = (window: Window): Window => ({ ...window, cells: window.cells.flatMap((cell) => [cell, { ...cell, step: 1 }]) });
  const two = { journey: [news, { ...news, name: 'scores' }] };

  it('are counted over all streams', () => {
    const windows = [...seconds(0, 30), ...seconds(1, 70)];
    expect([0, 1].map((stage) => eventCount(input(windows), stage))).toEqual([300, 700]);
    expect(eventCount(input(windows.map(alsoOfSecondStep), two), 0)).toBe(600);
    expect(eventCount(input(windows.map(alsoOfSecondStep), { journey: [news, page] }), 0)).toBe(300);
  });

  it('have a rate over the seconds in which the load of the stage was running', () => {
    const windows = [...seconds(0, 30), ...seconds(1, 70)];
    expect([0, 1].map((stage) => eventRate(input(windows), stage))).toEqual([30, 70]);
    const end = { ...endBySeconds(streamPlan()), stages: [{ startedAtSecond: 0, endedAtSecond: 20 }] };
    expect(eventRate(input(windows, {}, { end }), 0)).toBe(15);
  });

  it('have no rate in a stage that was never reached or had no duration', () => {
    const nothing = { ...endBySeconds(streamPlan()), endedAtSecond: 5, stages: [{ startedAtSecond: 5, endedAtSecond: 5 }] };
    expect(eventRate(input([], {}, { end: null }), 0)).toBeNull();
    expect(eventRate(input([], {}, { end: nothing }), 0)).toBeNull();
    expect(eventRate(input(seconds(0, 30), {}, { end: { ...nothing, endedAtSecond: 7 } }), 0)).toBe(150);
  });

  it('have a p95 by the nearest rank', () => {
    const late = (count: number) =>
      seconds(0, 100, {
        eventDelay: [
          { count: 100 - count, ms: 40 },
          { count, ms: 900 },
        ],
      });
    expect([late(5), late(6)].map((windows) => eventsP95(input(windows), 0))).toEqual([40, 900]);
  });

  it('have no p95 without sending times, without events, or with several streams', () => {
    const aged = seconds(0, 100, { eventDelay: [{ count: 100, ms: 40 }] });
    expect(eventsP95(input(seconds(0, 100)), 0)).toBeNull();
    expect(eventsP95(input(aged), 1)).toBeNull();
    expect(eventsP95(input(aged.map(alsoOfSecondStep), two), 0)).toBeNull();
    expect(eventsP95(input(aged, { journey: [page] }), 0)).toBeNull();
  });
});

describe('sentence of a run without criteria', () => {
  const sentence = (windows: readonly Window[], changes: Partial<PlanInput> = {}) =>
    judged({ plan: streamPlan(changes), windows }).verdict.sentence;
  const aged = { eventDelay: [{ count: 30, ms: 40 }] };

  it('names the events of the stage with the most events', () => {
    expect(sentence([...seconds(0, 0), ...seconds(1, 70, { eventDelay: [{ count: 70, ms: 40 }] })])).toBe(
      'Measured: 70 events a second at 20 connections. No pass criteria were set.',
    );
  });

  it('names the event delay if one stage counts', () => {
    expect(sentence(seconds(0, 30, aged), { load: stages({ connections: 10, seconds: 10 }) })).toBe(
      'Measured: 30 events a second at 10 connections, 95 % of them within 40 ms. No pass criteria were set.',
    );
  });

  it('names requests if no event arrived', () => {
    expect(sentence(seconds(0, 0), { load: stages({ connections: 10, seconds: 10 }) })).not.toContain('of them within');
  });
});
