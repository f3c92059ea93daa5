import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import { listen } from '#lab/listen.ts';
import { JsonLog } from '#lab/logFile.ts';
import { type Ending, type StreamLog } from '#lab/streamLog.ts';
import type { Part } from '#lab/supervisor/part.ts';

const settingsSchema = z.object({ log: z.string(), port: z.int().nullable(), pingMs: z.number(), deflates: z.boolean() });

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
  const log = await JsonLog.open(settings.log);
  const room = new ChatRoom(log);
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
  sockets.on('connection', (socket) => room.admit(socket));
  const pinging = setInterval(() => room.ping(), settings.pingMs);
  return {
    facts: { url: listening.url },
    commands: { state: () => room.state, restart: () => ({ closed: room.closeAll('restart') }) },
    async close() {
      clearInterval(pinging);
      await room.close();
      sockets.close();
      await listening.close();
      await log.close();
    },
  };
}

class ChatRoom {
  private readonly members = new Set<Member>();
  private readonly log: StreamLog;
  private admitted = 0;
  private messages = 0;

  constructor(log: StreamLog) {
    this.log = log;
  }

  get state(): { members: number; messages: number } {
    return { members: this.members.size, messages: this.messages };
  }

  admit(socket: WebSocket): void {
    this.admitted += 1;
    const openedAt = Date.now();
    const number = this.admitted;
    const member: Member = { socket, number, openedAt, sent: 0, received: 0, isAlive: true, ended: null, recent: 0, sinceMs: 0 };
    this.members.add(member);
    socket
      // A message that is too long or not valid text closes the connection, with code 1009 or 1007.
      .on('error', () => (member.ended ??= 'refused'))
      .on('pong', () => (member.isAlive = true))
      .on('message', (data, isBinary) => this.take(member, data, isBinary))
      .on('close', (code) => {
        this.members.delete(member);
        const { sent, received, ended } = member;
        const by = ended === null ? 'listener' : 'server';
        this.log.write({ kind: 'member', number, openedAt, endedAt: Date.now(), by, why: ended ?? 'left', sent, received, code });
      });
    if (this.members.size > MAX_MEMBERS) close(member, 'full');
  }

  /** Pings all members, and ends those that did not reply to the previous ping. */
  ping(): void {
    for (const member of this.members) {
      if (!member.isAlive) terminate(member, 'idle');
      member.isAlive = false;
      if (member.ended === null) member.socket.ping();
    }
  }

  /** Asks all members to leave and returns their number, without those that were asked before. */
  closeAll(reason: 'stop' | 'restart'): number {
    const open = [...this.members].filter(({ ended }) => ended === null);
    for (const member of open) close(member, reason);
    return open.length;
  }

  async close(): Promise<void> {
    const closed = Promise.all([...this.members].map(({ socket }) => once(socket, 'close')));
    this.closeAll('stop');
    await Promise.race([closed, sleep(LEAVE_WITHIN_MS)]);
    for (const { socket } of this.members) socket.terminate();
  }

  private take(member: Member, data: RawData, isBinary: boolean): void {
    if (member.ended !== null) return;
    const nowMs = performance.now();
    if (nowMs - member.sinceMs >= 1_000) Object.assign(member, { sinceMs: nowMs, recent: 0 });
    member.recent += 1;
    if (isBinary || !Buffer.isBuffer(data)) return close(member, 'binary');
    if (member.recent > MAX_MESSAGES_PER_SECOND) return close(member, 'flood');
    member.sent += 1;
    this.broadcast(member, data.toString());
  }

  private broadcast(from: Member, text: string): void {
    this.messages += 1;
    const at = Date.now();
    this.log.write({ kind: 'event', id: this.messages, name: 'message', at });
    const message = Buffer.from(JSON.stringify({ number: this.messages, at, from: from.number, text }));
    for (const member of this.members) {
      if (member.socket.readyState !== member.socket.OPEN) continue;
      if (member.socket.bufferedAmount > MAX_WAITING_BYTES) terminate(member, 'slow');
      else {
        member.received += 1;
        member.socket.send(message, { binary: false });
      }
    }
  }
}

function close(member: Member, why: keyof typeof CLOSE_CODES): void {
  const [code, reason] = CLOSE_CODES[why];
  member.ended ??= why === 'stop' || why === 'restart' ? why : 'refused';
  member.socket.close(code, reason);
}

/** Destroys the connection at once, because a member that does not read would not receive a close code either. */
function terminate(member: Member, reason: 'slow' | 'idle'): void {
  member.ended ??= reason;
  member.socket.terminate();
}
