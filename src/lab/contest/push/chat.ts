import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import { listen } from '#lab/listen.ts';
import { JsonLog } from '#lab/logFile.ts';
import { type Ending, type StreamLog } from '#lab/streamLog.ts';
import type { Part } from '#lab/supervisor/part.ts';

const settingsSchema = z.object({
  log: z.string(),
  port: z.int().nullable(),
  pingMs: z.number(),
  deflates: z.boolean(),
});

export const CHAT_PATH = '/chat';
/** Maximum time for the closing handshake. */
const LEAVE_WITHIN_MS = 500;
const MAX_MEMBERS = 20_000;
const MAX_MESSAGE_BYTES = 4_096;
const MAX_MESSAGES_PER_SECOND = 200;
/** Maximum amount of unsent data for a member that does not read. */
const MAX_WAITING_BYTES = 262_144;

/** Close codes from RFC 6455 and its registry, each with the reason that is sent. */
const CLOSE_CODES = {
  stop: [1001, 'The chat ends.'],
  binary: [1003, 'Send text.'],
  flood: [1008, 'Too many messages.'],
  restart: [1012, 'The chat starts again.'],
  full: [1013, 'The chat is full.'],
} as const;

interface Member {
  readonly socket: WebSocket;
  readonly number: number;
  readonly openedAt: number;
  sent: number;
  received: number;
  isAlive: boolean;
  /** Why the server closed the connection; null if it has not. */
  ended: Ending | null;
  /** Number of messages since `sinceMs`. */
  recent: number;
  sinceMs: number;
}

/** Starts a chat over WebSocket. Each message is sent to all members with its number and time. */
export async function startChat(input: unknown): Promise<Part> {
  const settings = settingsSchema.parse(input);
  const log: StreamLog = await JsonLog.open(settings.log);
  const members = new Set<Member>();
  const listening = await listen((request, response) => {
    const isChat = request.url?.split('?', 1)[0] === CHAT_PATH;
    response.writeHead(isChat ? 426 : 404, isChat ? { Upgrade: 'websocket', Connection: 'Upgrade' } : {}).end();
  }, settings.port);
  const sockets = new WebSocketServer({
    server: listening.server,
    path: CHAT_PATH,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: settings.deflates ? { threshold: 0 } : false,
  });
  let came = 0;
  let messages = 0;

  const broadcast = (from: Member, text: string): void => {
    messages += 1;
    const at = Date.now();
    log.write({ kind: 'event', id: messages, name: 'message', at });
    const message = Buffer.from(JSON.stringify({ number: messages, at, from: from.number, text }));
    for (const member of members) {
      if (member.socket.readyState !== member.socket.OPEN) continue;
      if (member.socket.bufferedAmount > MAX_WAITING_BYTES) terminate(member, 'slow');
      else {
        member.received += 1;
        member.socket.send(message, { binary: false });
      }
    }
  };
  const onMessage = (member: Member, data: RawData, isBinary: boolean): void => {
    if (member.ended !== null) return;
    const nowMs = performance.now();
    if (nowMs - member.sinceMs >= 1_000) Object.assign(member, { sinceMs: nowMs, recent: 0 });
    member.recent += 1;
    if (isBinary || !Buffer.isBuffer(data)) return close(member, 'binary');
    if (member.recent > MAX_MESSAGES_PER_SECOND) return close(member, 'flood');
    member.sent += 1;
    broadcast(member, data.toString());
  };

  sockets.on('connection', (socket) => {
    came += 1;
    const openedAt = Date.now();
    const member: Member = { socket, number: came, openedAt, sent: 0, received: 0, isAlive: true, ended: null, recent: 0, sinceMs: 0 };
    members.add(member);
    socket
      // A message that is too long or not valid text closes the connection, with code 1009 or 1007.
      .on('error', () => (member.ended ??= 'refused'))
      .on('pong', () => (member.isAlive = true))
      .on('message', (data, isBinary) => onMessage(member, data, isBinary))
      .on('close', (code) => {
        members.delete(member);
        const { number, sent, received, ended } = member;
        const by = ended === null ? 'listener' : 'server';
        log.write({ kind: 'member', number, openedAt, endedAt: Date.now(), by, why: ended ?? 'left', sent, received, code });
      });
    if (members.size > MAX_MEMBERS) close(member, 'full');
  });
  const pinging = setInterval(() => {
    for (const member of members) {
      if (!member.isAlive) terminate(member, 'idle');
      member.isAlive = false;
      if (member.ended === null) member.socket.ping();
    }
  }, settings.pingMs);
  const closeAll = (why: 'stop' | 'restart'): number => {
    // Members that were asked to leave may still be connected, but are not counted.
    const open = [...members].filter(({ ended }) => ended === null);
    for (const member of open) close(member, why);
    return open.length;
  };
  return {
    facts: { url: listening.url },
    commands: { state: () => ({ members: members.size, messages }), restart: () => ({ closed: closeAll('restart') }) },
    async close() {
      clearInterval(pinging);
      const closed = Promise.all([...members].map(({ socket }) => once(socket, 'close')));
      closeAll('stop');
      await Promise.race([closed, sleep(LEAVE_WITHIN_MS)]);
      for (const { socket } of members) socket.terminate();
      sockets.close();
      await listening.close();
      await log.close();
    },
  };
}

function close(member: Member, why: keyof typeof CLOSE_CODES): void {
  const [code, reason] = CLOSE_CODES[why];
  member.ended ??= why === 'stop' || why === 'restart' ? why : 'refused';
  member.socket.close(code, reason);
}

/** Destroys the connection at once, because a member that does not read would not receive a close code either. */
function terminate(member: Member, why: 'slow' | 'idle'): void {
  member.ended ??= why;
  member.socket.terminate();
}
