import { describe, expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { zeroCounters, STREAM_COUNTERS } from './counters.ts';
import { stepOfSlot } from './pageCell.ts';
import { cutCount, stepNumberOfEvents, listStreamCells, stepNumberOfStreams } from './streamCell.ts';
import type { StreamCount } from './window.ts';
import { emptyCell } from './windowFold.ts';

const streams = (changes: Partial<StreamCount>): StreamCount => ({ ...zeroCounters(STREAM_COUNTERS), ...changes });

describe('listStreamCells', () => {
  it('gives events and streams separate step numbers that map back to their step', () => {
    for (const step of [0, 7, 141]) {
      expect(new Set([step, stepNumberOfEvents(step), stepNumberOfStreams(step)]).size).toBe(3);
      expect([stepOfSlot(stepNumberOfEvents(step)), stepOfSlot(stepNumberOfStreams(step))]).toEqual([step, step]);
    }
  });

  it('counts received events and streams closed by the listener as ok, and missed events and cut streams as failed', () => {
    const eventDelay = createHistogram();
    record(eventDelay, 40_000);
    const counts = streams({ opened: 9, events: 50, missed: 4, ended: 1, lost: 2, left: 5 });
    const [events, held] = listStreamCells({ ...emptyCell(2, 3), started: 9, streams: counts, times: { eventDelay } });
    expect(events).toMatchObject({ stage: 2, step: stepNumberOfEvents(3), started: 54, outcomes: { ok: 50, timeout: 4 } });
    expect(events?.times.responseOk).toBe(eventDelay);
    // One of nine streams is still open.
    expect(held).toMatchObject({ stage: 2, step: stepNumberOfStreams(3), started: 8, outcomes: { ok: 5, reset: 3 } });
    expect(held?.times.responseOk?.totalCount).toBe(0);
    expect(cutCount(counts)).toBe(3);
  });

  it('counts 0 missed events in a window in which events arrived that another window counted as missed', () => {
    const [events] = listStreamCells({ ...emptyCell(0, 0), streams: streams({ events: 10, missed: -2 }) });
    expect(events).toMatchObject({ started: 10, outcomes: { ok: 10, timeout: 0 } });
    expect(events?.times.responseOk?.totalCount).toBe(0);
  });

  it('returns no cells for a step without streams', () => {
    expect(listStreamCells(emptyCell(0, 0))).toEqual([]);
  });
});
