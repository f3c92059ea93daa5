import type { EngineEnd, RowsReport, SentItem } from '#contract/agent/frames.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { LoadPart } from '#core/work/load/part.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import type { Sample, Sampling } from '#core/work/samples/schema.ts';
import type { Window } from '#core/measurement/window.ts';

/** A target with its secrets resolved, which is kept only in memory. `headers` includes the cookie. */
export interface ResolvedTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResolvedStep {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type { EngineEnd };

/** A load to run. `targets` and `steps` are in the order of the plan. */
export interface LoadJob {
  readonly runId: string;
  readonly plan: Plan;
  readonly targets: readonly ResolvedTarget[];
  /** Targets that steps refer to by name; absent if the plan has none. */
  readonly namedTargets?: Readonly<Record<string, ResolvedTarget>> | undefined;
  readonly steps: readonly ResolvedStep[];
  /** Values of the plan's variables that are secrets, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Rows of the plan's feeds, by name. */
  readonly feeds: Readonly<Record<string, FeedRows>>;
  /** Base64 contents of the files that steps send, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are sent from disk because of their size, by path; omitted if there are none. */
  readonly largeFiles?: Record<string, { path: string; bytes: number; modifiedMs: number }> | undefined;
  readonly sampling: Sampling;
  /** Value of the User-Agent header; null if the plan's `identify` is off. */
  readonly userAgent: string | null;
  /** Client certificate of the plan; null if it has none. */
  readonly clientCertificate: ClientCertificate | null;
  /** The part of the load that this load generator sends; absent if it sends all of it. */
  readonly part?: LoadPart | undefined;
}

export interface EngineOptions {
  /** Entry file of the load worker. The composition root passes it in, so that a bundle never runs a source file by mistake. */
  readonly workerEntry: URL;
}

/**
 * Receives the reports of a running engine. All calls come in order, from one thread. Seconds are counted from the agreed start instant.
 */
export interface EngineSink {
  /**
   * Called once, before all reports whose seconds count from the start. `atMs` is the agreed start instant on this machine's monotonic
   * clock.
   */
  onBegin?(atMs: number): void;
  /** Called only with several load generators, when this one is ready for a leg and waits for {@link EngineRun.startAt}. */
  onReady?(leg: number): void;
  onDraining(second: number): void;
  onStage(stage: number, second: number): void;
  /** Called once a second with the merged window of all threads and the reading of this machine. Windows come in order and without gaps. */
  onWindow(window: Window, reading: GeneratorReading): void;
  onEvent(event: RunEvent): void;
  /** Called with each sampled request, whose secrets are not masked. Absent if nobody uses samples. */
  onSample?(sample: Sample): void;
  /** Called with items with a marker that people sent. `count` is the index of the count in the plan. Absent if no markers are compared. */
  onItems?(count: number, items: readonly SentItem[]): void;
  /**
   * Called with the rows of feeds with `order: once` that journeys took, and those that the server refused. Absent if there are no such
   * feeds.
   */
  onRows?(report: RowsReport): void;
}

/** A running load. */
export interface EngineRun {
  readonly threads: number;
  readonly engine: string;
  readonly engineVersion: string;
  readonly done: Promise<EngineEnd>;
  /** Starts no further requests, waits for outstanding responses (at most the plan's drain time), and keeps all measurements. */
  stop(): void;
  /**
   * Starts a leg after `onReady`, at an instant of this machine's monotonic clock in milliseconds. All load generators start at the same
   * instant.
   */
  startAt(leg: number, atMs: number): void;
}

/** Returns the machine's monotonic clock in microseconds. All threads and processes of the machine share this clock. */
export function hrtimeUs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + nanoseconds / 1_000;
}
