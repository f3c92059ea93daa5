import type { MonitorResult } from '#core/machines/monitors/result.ts';
import type { Point } from '#core/result/schema.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep, point, postgresThatReads } from './facts.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

export const isIn = (second: number, spans: readonly Span[]): boolean => spans.some(({ from, to }) => second >= from && second < to);

/**
 * Returns seconds in which 40 requests are in flight without a response in the given spans. At the end of a span, they complete, some of
 * them as failures.
 */
export function frozenIn(spans: readonly Span[], seconds = 120): Point[] {
  return Array.from({ length: seconds }, (_unused, second) => {
    const ends = spans.find(({ to }) => to === second);
    if (isIn(second, spans))
      return point(second, { started: 0, completed: 0, ok: 0, inFlight: 40, p50: null, p90: null, p99: null, max: null });
    const max = ends === undefined ? 40 : (ends.to - ends.from) * 1_000;
    return point(second, {
      inFlight: second < 10 ? 16 : 40,
      max,
      status: { '200': 90, ...(ends && { '502': 10 }) },
      ...(ends && { ok: 90, failed: 10 }),
    });
  });
}

interface Sessions {
  readonly held: number;
  readonly kept: number;
  readonly locked?: number;
}

/** Returns PostgreSQL readings of a run: 7 connections of other programs, and those of the pools. */
export function postgres(spans: readonly (Span & Sessions)[], seconds = 120, limit: number | null = 97): MonitorResult {
  const at = (second: number): (Span & Sessions) | undefined => spans.find(({ from, to }) => second >= from && second < to);
  const kept = spans[0]?.kept ?? 10;
  const idle = (second: number): number => (at(second) === undefined ? 7 + kept - (second % 3) : 7);
  const busy = (second: number): number => at(second)?.held ?? second % 3;
  const read = {
    connections: (second: number) => 1 + idle(second) + busy(second),
    active: () => 1,
    idle,
    idleInTransaction: busy,
    locked: (second: number) => at(second)?.locked ?? 0,
    longest: (second: number) => {
      const span = at(second);
      return span === undefined ? 300 * (second % 3) : (second + 1 - span.from) * 1_000;
    },
  };
  return postgresThatReads(seconds, read, limit);
}

export function run(windows: readonly Point[], changes: Partial<MeasuredRun> = {}): MeasuredRun {
  return facts(healthyStep(), { windows: [...windows], durationSeconds: windows.length, ...changes });
}

export function behind(given: MeasuredRun, servers: MeasuredRun['plan']['servers']): MeasuredRun {
  return { ...given, plan: { ...given.plan, ...(servers && { servers }) } };
}

export const SPAN = { from: 21, to: 81 };
