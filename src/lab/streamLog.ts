import { z } from 'zod';
import { type JsonLog, readJsonLog } from './logFile.ts';

const ending = {
  /** Number of the connection, counted from 1 in the order of arrival. */
  number: z.int(),
  /** Milliseconds since 1970. */
  openedAt: z.number(),
  endedAt: z.number(),
  /** Who ended the connection. */
  by: z.enum(['listener', 'server']),
  why: z.enum(['left', 'time', 'idle', 'slow', 'cut', 'restart', 'refused', 'stop']),
};

/** A line about an event stream connection, written when it ends. */
const listenerSchema = z.object({
  kind: z.literal('listener'),
  ...ending,
  /** The last event id that the client sent when it connected; null if it sent none. */
  lastEventId: z.number().nullable(),
  /** Number of events for this listener, including lost and duplicated ones. */
  events: z.int(),
  /** Number of events from before the connection that were sent on it. */
  caughtUp: z.int(),
  lost: z.int(),
  doubled: z.int(),
  reloads: z.int(),
  /** Number of the first and of the last event that was written; null if there was none. */
  first: z.int().nullable(),
  last: z.int().nullable(),
});
/** A line about an event or a message, written when it is made. */
const eventSchema = z.object({ kind: z.literal('event'), id: z.int(), name: z.string(), at: z.number() });
/** A line about a chat member, written when its connection ends. */
const memberSchema = z.object({
  kind: z.literal('member'),
  ...ending,
  /** Messages from and to this member. */
  sent: z.int(),
  received: z.int(),
  /** Close code of the connection; 1006 if it broke. */
  code: z.int(),
});
const lineSchema = z.discriminatedUnion('kind', [listenerSchema, eventSchema, memberSchema]);

export type LoggedListener = z.infer<typeof listenerSchema>;
export type LoggedEvent = z.infer<typeof eventSchema>;
export type LoggedMember = z.infer<typeof memberSchema>;
/** Why a connection ended. */
export type Ending = LoggedListener['why'];

/** The log of a pushing server: a line for each event when it is made, and for each connection when it ends. */
export type StreamLog = JsonLog<z.infer<typeof lineSchema>>;

export interface LoggedStreams {
  readonly events: readonly LoggedEvent[];
  readonly listeners: readonly LoggedListener[];
  readonly members: readonly LoggedMember[];
}

/** Reads a log of this kind, and returns each kind of line in the order of writing. */
export async function readStreamLog(file: string): Promise<LoggedStreams> {
  const lines = (await readJsonLog(file)).map((line) => lineSchema.parse(line));
  return {
    events: lines.filter((line) => line.kind === 'event'),
    listeners: lines.filter((line) => line.kind === 'listener'),
    members: lines.filter((line) => line.kind === 'member'),
  };
}
