import { z } from 'zod';
import { readJsonLog } from './logFile.ts';

/** A line of nginx's access log. `upstream` is "-" without an upstream, and has several addresses after retries. */
const nginxLineSchema = z.object({
  endedAtSeconds: z.coerce.number(),
  seconds: z.coerce.number(),
  server: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.coerce.number(),
  bytes: z.coerce.number(),
  upstream: z.string(),
  cache: z.string(),
});

const ownLineSchema = z.object({
  at: z.string(),
  /** Name of the server that wrote the line. */
  server: z.string(),
  method: z.string(),
  /** Path with the query. */
  path: z.string(),
  status: z.number(),
  /** Number of bytes written to the socket, including headers. */
  bytes: z.number(),
  ms: z.number(),
  /** Whether the response was sent completely; false if the client left before. */
  complete: z.boolean(),
  /** Time in ms from the arrival to the start of the work, and the duration of the work. Only servers with workers log these. */
  workFromMs: z.number().optional(),
  workMs: z.number().optional(),
  /** Processor time in ms, if known. */
  cpuMs: z.number().optional(),
});
export type AccessLogEntry = z.infer<typeof ownLineSchema>;

export interface LoggedRequest extends AccessLogEntry {
  /** Time in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Address of the upstream that responded; '' if the server is not a proxy. */
  readonly upstream: string;
  /** HIT, MISS, BYPASS or EXPIRED; '' without a cache. */
  readonly cache: string;
}

/** Reads the log of a server, in the order in which responses ended. */
export async function readLog(file: string): Promise<LoggedRequest[]> {
  return (await readJsonLog(file)).map(readLine);
}

/** Status that nginx logs for a client that left before its response. */
const CLIENT_LEFT = 499;

function readLine(value: unknown): LoggedRequest {
  const own = ownLineSchema.safeParse(value);
  if (own.success) {
    const startedAtMs = Date.parse(own.data.at);
    return { ...own.data, startedAtMs, endedAtMs: startedAtMs + own.data.ms, upstream: '', cache: '' };
  }
  const { endedAtSeconds, seconds, upstream, cache, ...rest } = nginxLineSchema.parse(value);
  const endedAtMs = endedAtSeconds * 1_000;
  const ms = seconds * 1_000;
  const startedAtMs = endedAtMs - ms;
  return {
    ...rest,
    at: new Date(startedAtMs).toISOString(),
    ms,
    complete: rest.status !== CLIENT_LEFT,
    startedAtMs,
    endedAtMs,
    upstream: upstream === '-' ? '' : upstream,
    cache: cache === '-' ? '' : cache,
  };
}
