import { z } from 'zod';

/** What a subject itself says about its test. */
export const readingSchema = z.strictObject({
  /** Good answers. */
  answers: z.int().nonnegative(),
  /** For how long it measured. */
  seconds: z.number().positive(),
  /** null: it does not say. */
  p50Ms: z.number().nonnegative().nullable(),
  p99Ms: z.number().nonnegative().nullable(),
  /** Failures and whatever else makes the figures doubtful; empty when there is nothing to say. */
  note: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Over HTTP/2, without TLS where the address says http: so many connections, each with so many requests under way. */
export interface StreamsLoad extends ClosedLoad {
  readonly streams: number;
}

/** Requests at an even rate over at most so many connections. */
export interface RateLoad extends ClosedLoad {
  readonly perSecond: number;
}

/** How to start a test. The names of its files are relative to a folder of its own. */
export interface Invocation {
  readonly parameters: readonly string[];
  /** Files to write first: their texts by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** File in which it leaves what `read` wants besides its standard output. */
  readonly resultFile?: string;
}

export interface Output {
  readonly stdout: string;
  /** Text of the result file; empty when there is none. */
  readonly file: string;
}

/** The program of a subject and what comes before its own parameters (a script's name, say). */
export interface Located {
  readonly program: string;
  readonly before: readonly string[];
}

/** A load generator that can be measured. */
export interface Subject {
  /** As named on the command line. */
  readonly id: string;
  /** Looked for on the PATH, or brought along. */
  readonly origin:
    | { readonly kind: 'path'; readonly program: string; readonly install: string }
    | { readonly kind: 'ours'; readonly located: Located };
  /** null: it does not say. */
  readonly version: (located: Located) => Promise<string | null>;
  /** `folder` is the path of the folder of its own. */
  readonly closed: (load: ClosedLoad, folder: string) => Invocation;
  /** Left out by those that do not speak HTTP/2. */
  readonly http2?: (load: StreamsLoad, folder: string) => Invocation;
  /** It speaks HTTP/2 over TLS only. */
  readonly http2NeedsTls?: true;
  /** Left out by those that cannot keep a rate. */
  readonly rate?: (load: RateLoad, folder: string) => Invocation;
  /** @throws when the output is not understood. */
  readonly read: (output: Output) => Reading;
}
