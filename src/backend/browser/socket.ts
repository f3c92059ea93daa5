import type { WebSocket } from 'playwright-core';
import { flatCopy } from '#core/base/text.ts';
import type { Passwords } from './passwords.ts';
import { cleanHeaders, type RecordedEntry, simpleEntry, type WebSocketMessage } from './recordedEntry.ts';

const MAX_MESSAGES = 200;
const MAX_MESSAGE_CHARACTERS = 8_192;

/** A WebSocket that a page has opened. */
export interface Socket {
  readonly url: string;
  readonly startMs: number;
  endMs: number | null;
  readonly messages: WebSocketMessage[];
  headers: { name: string; value: string }[];
}

/** Number of characters of messages that all sockets of a recording may still store. */
export interface MessageBudget {
  characters: number;
}

/** Records the messages of one socket. Each message is cleaned when it arrives. */
export function followSocket(webSocket: WebSocket, passwords: Passwords, room: MessageBudget, onChange: () => void): Socket {
  const socket: Socket = { url: webSocket.url(), startMs: Date.now(), endMs: null, messages: [], headers: [] };
  const keepMessage =
    (type: 'send' | 'receive') =>
    ({ payload }: { payload: string | Buffer }): void => {
      if (socket.messages.length >= MAX_MESSAGES || room.characters <= 0) return;
      const isText = typeof payload === 'string';
      const data = passwords.cleanSent(
        isText ? flatCopy(payload.slice(0, MAX_MESSAGE_CHARACTERS)) : payload.toString('base64', 0, (MAX_MESSAGE_CHARACTERS * 3) / 4),
      );
      room.characters -= data.length;
      socket.messages.push({ type, time: Date.now() / 1_000, opcode: isText ? 1 : 2, data });
      onChange();
    };
  webSocket.on('framesent', keepMessage('send'));
  webSocket.on('framereceived', keepMessage('receive'));
  webSocket.on('close', () => (socket.endMs = Date.now()));
  return socket;
}

/** Returns the HAR entry of a socket, without passwords. If the socket is still open, the current time is its end. */
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
    _webSocketMessages: socket.messages,
    _openSeconds: Math.round(endMs - socket.startMs) / 1_000,
  };
}
