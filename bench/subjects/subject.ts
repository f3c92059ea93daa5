import { z } from 'zod';

/** What a subject reports about its own test. */
export const readingSchema = z.strictObject({
  /** Number of successful responses. */
  responses: z.int().nonnegative(),
  /** Duration of the measurement in seconds. */
  seconds: z.number().positive(),
  /** Median response time in ms; null if the subject does not report it. */
  p50Ms: z.number().nonnegative().nullable(),
  p99Ms: z.number().nonnegative().nullable(),
  /** Failures, and other reasons to doubt the figures; empty if there are none. */
  note: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * A load over HTTP/2, which uses no TLS for http addresses. It has a number of connections, and a number of requests in flight on each of
 * them.
 */
export interface StreamsLoad extends ClosedLoad {
  readonly streams: number;
}

/** A load of requests at an even rate, over at most the given number of connections. */
export interface RateLoad extends ClosedLoad {
  readonly perSecond: number;
}

/** How a test is started. File names are relative to a separate folder. */
export interface Invocation {
  readonly parameters: readonly string[];
  /** Files to write before the test. They are given as texts by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file with results. `read` gets its text in addition to standard output. */
  readonly resultFile?: string;
}

export interface Output {
  readonly stdout: string;
  /** Text of the result file; empty if there is none. */
  readonly file: string;
}

/** The program of a subject, with its first arguments, such as the name of a script. */
export interface Located {
  readonly program: string;
  readonly before: readonly string[];
}

/** A load generator that can be measured. */
export interface Subject {
  /** Name of the subject on the command line. */
  readonly id: string;
  /** Where the subject comes from: either from PATH, or from the bench itself. */
  readonly origin:
    | { readonly kind: 'path'; readonly program: string; readonly install: string }
    | { readonly kind: 'ours'; readonly located: Located };
  /** Resolves with the version, or with null if the program does not print one. */
  readonly version: (located: Located) => Promise<string | null>;
  /** Returns the invocation for a closed load. `folder` is the path of the separate folder. */
  readonly closed: (load: ClosedLoad, folder: string) => Invocation;
  /** Returns the invocation for a load over HTTP/2. Missing if the subject does not support HTTP/2. */
  readonly http2?: (load: StreamsLoad, folder: string) => Invocation;
  /** True if the subject supports HTTP/2 only over TLS. */
  readonly http2NeedsTls?: true;
  /** Returns the invocation for a load at a rate. Missing if the subject has no option for a rate. */
  readonly rate?: (load: RateLoad, folder: string) => Invocation;
  /** Parses the output of a test. @throws for unknown output. */
  readonly read: (output: Output) => Reading;
}
