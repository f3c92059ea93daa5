import { randomBytes } from 'node:crypto';
import { DEFAULT_MESSAGE_LIMITS, FrameReader, type MessageListener } from './websocket/frames.ts';
import { judgeUpgrade, type UpgradeResponse, upgradeRequest, type UpgradeRequest } from './websocket/handshake.ts';
import { Inflater } from './websocket/permessageDeflate.ts';
import { FrameWriter } from './websocket/writeFrames.ts';
import type { EventListener } from './eventParser.ts';
import type { StreamReading } from './eventReader.ts';

/** Headers that are needed to judge a WebSocket handshake. */
export const UPGRADE_HEADERS = ['upgrade', 'sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'] as const;

/** Maximum number of bytes of pongs that the server has not read. A server that exceeds it is probably malicious. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Close code of a normal closure: the user leaves. */
const NORMAL_CLOSURE = 1000;
/** Close code if the server sends floods of pings without reading the pongs. */
const POLICY_VIOLATION = 1008;

/** The one writer for all sockets of the thread. */
const writer = new FrameWriter();

/** Reads the messages of a WebSocket as events without an id. It replies to pings and close frames as browsers do. */
export class SocketReading implements StreamReading, MessageListener {
  readonly lastId = '';
  readonly retryMs = null;
  private readonly listener: EventListener;
  private readonly push: (bytes: Buffer) => number;
  private readonly wantsData: boolean;
  private readonly protocols: readonly string[];
  private request: UpgradeRequest | null = null;
  private windowBits: number | null = null;
  private reader: FrameReader | null = null;
  private isBroken = false;
  private closeCode = NORMAL_CLOSURE;

  /** `push` sends bytes on the connection and returns the number of bytes that still wait to be sent. */
  constructor(listener: EventListener, push: (bytes: Buffer) => number, wantsData: boolean, protocols: readonly string[]) {
    this.listener = listener;
    this.push = push;
    this.wantsData = wantsData;
    this.protocols = protocols;
  }

  /** Returns the headers of the next request, with a new key. */
  headers(origin: string): Readonly<Record<string, string>> {
    this.request = upgradeRequest({ origin, protocols: this.protocols }, randomBytes);
    return this.request.headers;
  }

  /** Returns why the response opens no WebSocket, as an error code, or null. */
  findFault(response: UpgradeResponse): string | null {
    if (this.request === null) return 'WS_NOT_UPGRADED';
    const judged = judgeUpgrade(this.request, response);
    this.request = null;
    if (judged.fault !== null) return judged.fault;
    this.windowBits = judged.windowBits;
    return null;
  }

  begin(): void {
    const { windowBits } = this;
    this.isBroken = false;
    this.closeCode = NORMAL_CLOSURE;
    this.reader = new FrameReader(this, windowBits === null ? null : new Inflater(windowBits, DEFAULT_MESSAGE_LIMITS.maxMessageBytes));
  }

  feed(buffer: Buffer, start: number, end: number): boolean {
    this.reader?.feed(buffer, start, end);
    return !this.isBroken;
  }

  onMessage(isText: boolean, buffer: Buffer, start: number, end: number): void {
    this.listener.event('', this.wantsData && isText ? buffer.toString('utf8', start, end) : '');
  }

  onPing(buffer: Buffer, start: number, end: number): void {
    if (this.isBroken) return;
    if (this.push(writer.pong(buffer.subarray(start, end))) > MAX_UNREAD_BYTES) this.break(POLICY_VIOLATION);
  }

  onPong(): void {}

  /** Replies with a close frame; the server then closes the connection. */
  onClose(code: number): void {
    this.push(code === 1005 ? writer.close() : writer.close(code));
  }

  onBroken(_fault: string, closeCode: number): void {
    this.break(closeCode);
  }

  private break(closeCode: number): void {
    this.isBroken = true;
    this.closeCode = closeCode;
  }

  message(text: string): Buffer {
    return writer.text(text);
  }

  /** Returns the close frame for leaving or for a protocol error. */
  farewell(): Buffer {
    return writer.close(this.closeCode);
  }
}
