import { z } from 'zod';
import { type JsonLog, readJsonLog } from './logFile.ts';

const ending = {
  /** Number of the connection, counted from 1 in the order of arrival. */
  number: z.int(),
  /** Times in milliseconds since 1970. */
  openedAt: z.number(),
  endedAt: z.number(),
  /** Who ended the connection. */
  by: z.enum(['listener', 'server']),
  why: z.enum(['left', 'time', 'idle', 'slow', 'cut', 'restart', 'refused', 'stop']),
};

/** A line about the connection of an event stream, written when the connection ends. */
const listenerSchema = z.object({
  kind: z.literal('listener'),
  ...ending,
  /** The last event id that the client sent when it connected; null if it sent none. */
  lastEventId: z.number().nullable(),
  /** Number of events for this listener, including those that were lost and duplicated. */
  events: z.int(),
  /** Number of events that were sent on this connection but are older than the connection. */
  caughtUp: z.int(),
  lost: z.int(),
  doubled: z.int(),
  reloads: z.int(),
  /** Number of the first event that was written, and number of the last one; null if there was none. */
  first: z.int().nullable(),
  last: z.int().nullable(),
});
/** A line about an event or a message, written when the event or message is created. */
const eventSchema = z.object({ kind: z.literal('event'), id: z.int(), name: z.string(), at: z.number() });
/** A line about a chat member, written when the member's connection ends. */
const memberSchema = z.object({
  kind: z.literal('member'),
  ...ending,
  /** Numbers of messages from and to this member. */
  sent: z.int(),
  received: z.int(),
  /** Close code of the connection; 1006 if the connection broke. */
  code: z.int(),
});
const lineSchema = z.discriminatedUnion('kind', [listenerSchema, eventSchema, memberSchema]);

export type LoggedListener = z.infer<typeof listenerSchema>;
export type LoggedEvent = z.infer<typeof eventSchema>;
export type LoggedMember = z.infer<typeof memberSchema>;
/** Why a connection ended. */
export type Ending = LoggedListener['why'];

/**
 * The log of a server that pushes data. It has a line for each event, written when the event is created, and a line for each connection,
 * written when the connection ends.
 */
export type StreamLog = JsonLog<z.infer<typeof lineSchema>>;

export interface LoggedStreams {
  readonly events: readonly LoggedEvent[];
  readonly listeners: readonly LoggedListener[];
  readonly members: readonly LoggedMember[];
}

/** Reads a log of this kind. Returns each kind of line, in the order in which lines were written. */
export async function readStreamLog(file: string): Promise<LoggedStreams> {
  const lines = (await readJsonLog(file)).map((line) => lineSchema.parse(line));
  return {
    events: lines.filter((line) => line.kind === 'event'),
    listeners: lines.filter((line) => line.kind === 'listener'),
    members: lines.filter((line) => line.kind === 'member'),
  };
}
