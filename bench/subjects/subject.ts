import { z } from 'zod';

/** A subject's own report about its test. */
export const readingSchema = z.strictObject({
  /** Successful responses. */
  responses: z.int().nonnegative(),
  /** Duration of the measurement. */
  seconds: z.number().positive(),
  /** null: not reported. */
  p50Ms: z.number().nonnegative().nullable(),
  p99Ms: z.number().nonnegative().nullable(),
  /** Failures and other doubts about the figures; empty without any. */
  note: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Load over HTTP/2, without TLS for http addresses: this many connections with this many requests in flight each. */
export interface StreamsLoad extends ClosedLoad {
  readonly streams: number;
}

/** Requests at an even rate over at most this many connections. */
export interface RateLoad extends ClosedLoad {
  readonly perSecond: number;
}

/** How to start a test. File names are relative to a separate folder. */
export interface Invocation {
  readonly parameters: readonly string[];
  /** Files to write first: texts by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** File with results for `read` in addition to standard output. */
  readonly resultFile?: string;
}

export interface Output {
  readonly stdout: string;
  /** Text of the result file; empty without one. */
  readonly file: string;
}

/** The program of a subject and its leading arguments (such as a script's name). */
export interface Located {
  readonly program: string;
  readonly before: readonly string[];
}

/** A load generator that can be measured. */
export interface Subject {
  /** Name on the command line. */
  readonly id: string;
  /** Found in the PATH, or part of the bench. */
  readonly origin:
    | { readonly kind: 'path'; readonly program: string; readonly install: string }
    | { readonly kind: 'ours'; readonly located: Located };
  /** null: not reported. */
  readonly version: (located: Located) => Promise<string | null>;
  /** `folder`: path of the separate folder. */
  readonly closed: (load: ClosedLoad, folder: string) => Invocation;
  /** Absent without HTTP/2 support. */
  readonly http2?: (load: StreamsLoad, folder: string) => Invocation;
  /** Supports HTTP/2 over TLS only. */
  readonly http2NeedsTls?: true;
  /** Absent without a rate option. */
  readonly rate?: (load: RateLoad, folder: string) => Invocation;
  /** @throws for unknown output. */
  readonly read: (output: Output) => Reading;
}
