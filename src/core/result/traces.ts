import { z } from 'zod';
import type { Sample } from '#core/work/samples/schema.ts';

/** A request whose trace the target’s own tracing may have. */
const traceSchema = z.strictObject({
  request: z.string(),
  /** Error name of core/base/errorNames.ts; null for one of the slowest successful responses. */
  failure: z.string().nullable(),
  /** Service time in milliseconds; null if the response was incomplete. */
  serviceMs: z.number().nullable(),
  traceId: z.string(),
});
export const tracesSchema = z.array(traceSchema);
export type RequestTrace = z.infer<typeof traceSchema>;

/** Number of slowest successful responses of each request. */
const MAX_SLOW = 5;

/** Returns the traced requests among the samples: those that failed, then the slowest of each request, slowest first. */
export function listTraces(samples: readonly Sample[]): RequestTrace[] {
  const traced = samples.flatMap(({ request, failure, serviceMs, traceId }) =>
    traceId === undefined ? [] : [{ request, failure, serviceMs, traceId }],
  );
  const slow = Map.groupBy(
    traced.filter(({ failure }) => failure === null),
    ({ request }) => request,
  );
  return [
    ...traced.filter(({ failure }) => failure !== null),
    ...[...slow.values()].flatMap((all) => all.toSorted((one, other) => (other.serviceMs ?? 0) - (one.serviceMs ?? 0)).slice(0, MAX_SLOW)),
  ];
}
