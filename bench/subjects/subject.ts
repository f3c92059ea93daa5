import { z } from 'zod';

/** What a subject reports about its own test. */
export const readingSchema = z.strictObject({
  /** Number of successful responses. */
  responses: z.int().nonnegative(),
  /** Duration of the measurement. */
  seconds: z.number().positive(),
  /** null if the subject does not report it. */
  p50Ms: z.number().nonnegative().nullable(),
  p99Ms: z.number().nonnegative().nullable(),
  /** Failures and other doubts about the figures; empty if there are none. */
  note: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/** A load over HTTP/2, without TLS for http addresses: a number of connections with a number of requests in flight on each. */
export interface StreamsLoad extends ClosedLoad {
  readonly streams: number;
}

/** A load of requests at an even rate, over at most this many connections. */
export interface RateLoad extends ClosedLoad {
  readonly perSecond: number;
}

/** How to start a test. File names are relative to a separate folder. */
export interface Invocation {
  readonly parameters: readonly string[];
  /** Files to write before the test: their texts by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file with results, which `read` gets in addition to standard output. */
  readonly resultFile?: string;
}

export interface Output {
  readonly stdout: string;
  /** Text of the result file; empty if there is none. */
  readonly file: string;
}

/** The program of a subject, with its first arguments (such as the name of a script). */
export interface Located {
  readonly program: string;
  readonly before: readonly string[];
}

/** A load generator that can be measured. */
export interface Subject {
  /** Name of the subject on the command line. */
  readonly id: string;
  /** Where the subject comes from: it is found in PATH, or it is part of the bench. */
  readonly origin:
    | { readonly kind: 'path'; readonly program: string; readonly install: string }
    | { readonly kind: 'ours'; readonly located: Located };
  /** Resolves with null if the program does not print its version. */
  readonly version: (located: Located) => Promise<string | null>;
  /** `folder`: path of the separate folder. */
  readonly closed: (load: ClosedLoad, folder: string) => Invocation;
  /** Missing if the subject does not support HTTP/2. */
  readonly http2?: (load: StreamsLoad, folder: string) => Invocation;
  /** True if the subject supports HTTP/2 over TLS only. */
  readonly http2NeedsTls?: true;
  /** Missing if the subject has no option for a rate. */
  readonly rate?: (load: RateLoad, folder: string) => Invocation;
  /** Parses the output of a test. @throws for unknown output. */
  readonly read: (output: Output) => Reading;
}
