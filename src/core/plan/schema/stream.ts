import { z } from 'zod';

/** Where a number stands in an event: in its `id`, in its `data`, or at a path of its `data`, which is JSON then. */
const placeShape = {
  from: z.enum(['id', 'data']),
  /** As of a capture: `at` or `score.time`. */
  path: z.string().min(1).max(500).optional(),
};

export const INSTANT_UNITS = ['seconds', 'milliseconds', 'microseconds'] as const;

const messageSchema = z.string().min(1).max(65_536);

/** What is said over a WebSocket. */
const sendSchema = z.strictObject({
  /** Texts in which placeholders are filled in, sent in this order when the socket is open. */
  messages: z.array(messageSchema).min(1).max(20),
  /** All of them again at this interval; left out, once. */
  everySeconds: z.number().min(0.1).max(86_400).optional(),
});

/**
 * An answer that goes on for as long as the listener stays: a server sends events over it (`text/event-stream`), or both sides send messages (WebSocket). Messages are
 * events without an id.
 */
export const streamSchema = z.strictObject({
  kind: z.enum(['events', 'websocket']).default('events'),
  send: sendSchema.optional(),
  /** Subprotocols of a WebSocket, the favourite first. */
  protocols: z
    .array(z.string().regex(/^[!#$%&'*+\-.^_`|~\w]{1,100}$/, 'A subprotocol is a word.'))
    .min(1)
    .max(10)
    .optional(),
  /** How long the user stays with it; left out, to the end of the load. */
  seconds: z.number().positive().max(86_400).optional(),
  /** The journey goes on meanwhile: the user leaves the stream when they go, or when they come to this step again. */
  beside: z.boolean().optional(),
  /** When the event was sent, since 1970. */
  sentAt: z.strictObject({ ...placeShape, unit: z.enum(INSTANT_UNITS).default('milliseconds'), isHex: z.boolean().optional() }).optional(),
  /** Events are numbered, each one higher than the one before: what is missing was lost. */
  number: z.strictObject(placeShape).optional(),
});
export type StreamStep = z.output<typeof streamSchema>;
