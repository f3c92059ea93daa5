import { z } from 'zod';

/** Place of a number in an event: in its `id`, in its `data`, or at a path of JSON `data`. */
const placeShape = {
  from: z.enum(['id', 'data']),
  /** JSON path as in a capture: `at` or `score.time`. */
  path: z.string().min(1).max(500).optional(),
};

export const INSTANT_UNITS = ['seconds', 'milliseconds', 'microseconds'] as const;

const messageSchema = z.string().min(1).max(65_536);

/** Messages of the user over a WebSocket. */
const sendSchema = z.strictObject({
  /** Texts with placeholders, sent in this order when the socket is open. */
  messages: z.array(messageSchema).min(1).max(20),
  /** Interval to repeat all messages; default: sent once. */
  everySeconds: z.number().min(0.1).max(86_400).optional(),
});

/**
 * A response that lasts until the listener leaves: events from a server (`text/event-stream`), or WebSocket messages in both directions. Messages are
 * events without an id.
 */
export const streamSchema = z.strictObject({
  kind: z.enum(['events', 'websocket']).default('events'),
  send: sendSchema.optional(),
  /** WebSocket subprotocols in order of preference. */
  protocols: z
    .array(z.string().regex(/^[!#$%&'*+\-.^_`|~\w]{1,100}$/, 'A subprotocol is a word.'))
    .min(1)
    .max(10)
    .optional(),
  /** Time that the user listens; default: until the end of the load. */
  seconds: z.number().positive().max(86_400).optional(),
  /** Whether the journey continues meanwhile. The user leaves the stream at the end of the session or when this step repeats. */
  beside: z.boolean().optional(),
  /** Send time of the event since 1970. */
  sentAt: z.strictObject({ ...placeShape, unit: z.enum(INSTANT_UNITS).default('milliseconds'), isHex: z.boolean().optional() }).optional(),
  /** Consecutive number of events, to count lost ones. */
  number: z.strictObject(placeShape).optional(),
});
export type StreamStep = z.output<typeof streamSchema>;
