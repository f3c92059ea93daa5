import type { WebSocket } from 'playwright-core';
import type { Passwords } from './passwords.ts';
import { cleanHeaders, type RecordedEntry, simpleEntry, type WebSocketMessage } from './recordedEntry.ts';

const MOST_MESSAGES = 200;
const LONGEST_MESSAGE = 8_192;

/** A WebSocket that a page has opened. */
export interface Socket {
  readonly url: string;
  readonly startMs: number;
  endMs: number | null;
  readonly messages: WebSocketMessage[];
  headers: { name: string; value: string }[];
}

/** Follows the messages of one. */
export function followSocket(webSocket: WebSocket, onChange: () => void): Socket {
  const socket: Socket = { url: webSocket.url(), startMs: Date.now(), endMs: null, messages: [], headers: [] };
  const keep =
    (type: 'send' | 'receive') =>
    ({ payload }: { payload: string | Buffer }): void => {
      if (socket.messages.length >= MOST_MESSAGES) return;
      const isText = typeof payload === 'string';
      const data = isText ? payload : payload.toString('base64');
      socket.messages.push({ type, time: Date.now() / 1_000, opcode: isText ? 1 : 2, data: data.slice(0, LONGEST_MESSAGE) });
      onChange();
    };
  webSocket.on('framesent', keep('send'));
  webSocket.on('framereceived', keep('receive'));
  webSocket.on('close', () => (socket.endMs = Date.now()));
  return socket;
}

/** What was said over it, without passwords. One that is still open ends now. */
export function socketEntry(socket: Socket, tab: number, passwords: Passwords): RecordedEntry {
  const endMs = socket.endMs ?? Date.now();
  return {
    ...simpleEntry({
      url: passwords.cleanSent(socket.url),
      tab,
      startMs: socket.startMs,
      endMs,
      status: 101,
      headers: cleanHeaders(socket.headers, passwords),
    }),
    _resourceType: 'websocket',
    _webSocketMessages: socket.messages.map((message) => ({ ...message, data: passwords.cleanSent(message.data) })),
    _openSeconds: Math.round(endMs - socket.startMs) / 1_000,
  };
}
