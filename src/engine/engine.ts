import type { EngineEnd } from '#contract/agent/frames.ts';
import type { RowsReport } from '#contract/agent/jobShape.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { LoadPart } from '#core/work/load/part.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import type { Sample, Sampling } from '#core/work/samples/schema.ts';
import type { Window } from '#core/measurement/window.ts';

/** A target whose secrets are resolved: lives in memory only. `headers` includes the cookie. */
export interface ResolvedTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResolvedStep {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type { EngineEnd };

/** What to run. `targets` and `steps` stand beside those of the plan, in the same order. */
export interface LoadJob {
  readonly runId: string;
  readonly plan: Plan;
  readonly targets: readonly ResolvedTarget[];
  /** Those that steps name; left out where the plan has none. */
  readonly namedTargets?: Readonly<Record<string, ResolvedTarget>> | undefined;
  readonly steps: readonly ResolvedStep[];
  /** Values of the plan's variables that are secrets, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Rows of the plan's feeds, by name. */
  readonly feeds: Readonly<Record<string, FeedRows>>;
  /** Contents of the files that steps send, as Base64 by their paths. */
  readonly files: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  /** Value of the User-Agent header; null when the plan's `identify` is off. */
  readonly userAgent: string | null;
  /** null when the plan has none. */
  readonly clientCertificate: ClientCertificate | null;
  /** Which part of the load is made here; left out where all of it is. */
  readonly part?: LoadPart | undefined;
}

export interface EngineOptions {
  /** Entry file of the load worker. The composition root passes it in, so that a bundle never runs a source file by accident. */
  readonly workerEntry: URL;
}

/** What the engine tells while it runs. All calls come in order, from one thread. Seconds count from the agreed start instant. */
export interface EngineSink {
  /** The agreed start instant on this machine's monotonic clock, in milliseconds: told once, before everything that counts from it. */
  onBegin?(atMs: number): void;
  /** Of a load of which only a part is made here: ready for a leg, and waiting for {@link EngineRun.startAt}. */
  onReady?(leg: number): void;
  onDraining(second: number): void;
  onStage(stage: number, second: number): void;
  /** Once a second: the window of all threads together, and how this machine was. Windows come in order, without gaps. */
  onWindow(window: Window, reading: GeneratorReading): void;
  onEvent(event: RunEvent): void;
  /** A request for people to look at; its secrets are not masked yet. Left out where nobody looks. */
  onSample?(sample: Sample): void;
  /** Markers of items that the target acknowledged. `count`: index of the count in the plan. Left out where no markers are compared. */
  onAcknowledged?(count: number, markers: readonly string[]): void;
  /** Rows of feeds with `order: once` that journeys took, and that the server refused. Left out where no row is used once. */
  onRows?(report: RowsReport): void;
}

/** A load that is going. */
export interface EngineRun {
  readonly threads: number;
  readonly engine: string;
  readonly engineVersion: string;
  readonly done: Promise<EngineEnd>;
  /** Starts no more requests, waits for the answers that are owed (at most the plan's drain), keeps everything measured. */
  stop(): void;
  /** Begins a leg of which `onReady` was told, at an instant of this machine's monotonic clock in milliseconds: all places begin at the same one. */
  startAt(leg: number, atMs: number): void;
}
