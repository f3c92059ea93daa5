import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The upstream's share of a request at nginx; "-" where it asked none, several values where it asked several. */
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
  /** Which server of the practice server. */
  server: z.string(),
  method: z.string(),
  /** With the query. */
  path: z.string(),
  status: z.number(),
  /** Bytes written to the socket, headers included. */
  bytes: z.number(),
  ms: z.number(),
  /** False when the client left before the response was complete. */
  complete: z.boolean(),
  /** When a worker took it up, in ms after it came, and for how long; only where there are workers. */
  workFromMs: z.number().optional(),
  workMs: z.number().optional(),
  /** Processor time that it took, where that is known. */
  cpuMs: z.number().optional(),
});
export type AccessLogEntry = z.infer<typeof ownLineSchema>;

export interface LoggedRequest extends AccessLogEntry {
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Which server behind a proxy answered; '' where it is not a proxy's line. */
  readonly upstream: string;
  /** HIT, MISS, BYPASS, EXPIRED; '' where nothing is cached. */
  readonly cache: string;
}

/** What a server of a practice server logged, in the order in which answers ended. A last line that is half written is left out. */
export async function readLog(file: string): Promise<LoggedRequest[]> {
  const text = await readFile(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map(readLine);
}

/** nginx's status for a client that left before its answer. */
const CLIENT_LEFT = 499;

function readLine(line: string): LoggedRequest {
  const value: unknown = JSON.parse(line);
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
