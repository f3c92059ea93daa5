import { z } from 'zod';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * Limits of a bandwidth test, which ends when one of them is reached. The user sees them before the test, because it sends traffic to a
 * server that may belong to somebody else.
 */
export const PATH_LIMITS = { seconds: 2, bytes: 8_000_000, connections: 8, responses: 400 } as const;

/** Maximum rate measured over HTTP. Above it, 8 MB take less than 0.1 s, so the result is only a lower bound. */
export const MAX_HTTP_MEGABITS = 1_000;
/** Maximum rate measured over SSH. Above it, encryption on one core per end is the limit, not the network. */
export const MAX_SSH_MEGABITS = 300;

/**
 * Returns the URL for measuring the path to the first target: the URL of its first GET step without variables, or else the URL of the
 * target. Returns null for a Unix socket.
 */
export function pathUrl({ targets, journey, connections }: Pick<Plan, 'targets' | 'journey' | 'connections'>): string | null {
  const [target] = targets;
  if (target === undefined || connections.socketPath !== undefined) return null;
  for (const { method, path, query } of journey) {
    const values = `${path}${JSON.stringify(query ?? {})}`;
    if (method !== 'GET' || values.includes('{{') || !URL.canParse(path, target.url)) continue;
    const url = new URL(path, target.url);
    if (url.origin !== new URL(target.url).origin) continue;
    const fields = Object.entries(query ?? {}).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return fields.length === 0 ? url.href : `${url.href}${url.search === '' ? '?' : '&'}${fields.join('&')}`;
  }
  return target.url;
}

/** Result of a bandwidth test. */
export const pathReadingSchema = z.strictObject({
  /** Payload in 10^6 bit/s; null if too little arrived. */
  megabits: z.number().nullable(),
  /** Whether the line was the limit. If not, `megabits` is a lower bound. */
  isFull: z.boolean(),
  /** Duration of the measured part in seconds. */
  seconds: z.number(),
  /** Number of bytes received, without response headers. */
  bytes: z.int(),
  /** Number of bytes in complete responses. */
  respondedBytes: z.int(),
  responses: z.int(),
  /** Error message; null if the test succeeded. */
  failure: z.string().nullable(),
});
export type PathReading = z.infer<typeof pathReadingSchema>;

/** A network interface. `megabits` is the speed that it reports; null if it reports none. */
const pathLinkSchema = z.strictObject({ name: z.string(), megabits: z.number().nullable(), isVirtual: z.boolean() });
export type PathLink = z.infer<typeof pathLinkSchema>;

/** A measured path, stored until the next measurement and recorded in runs that use it. */
export const measuredPathSchema = z.strictObject({
  /** Name of the generator. */
  from: z.string(),
  /** Origin of the target: `https://example.org`. */
  to: z.string(),
  megabits: z.number(),
  isFull: z.boolean(),
  /** Outgoing interface; null if unknown. */
  link: pathLinkSchema.nullable(),
  measuredAt: z.iso.datetime(),
});
export type MeasuredPath = z.infer<typeof measuredPathSchema>;

/** Kind of the run event that records the bandwidth of its paths. */
export const PATH_EVENT = 'path';
