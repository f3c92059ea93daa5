import { randomBytes } from 'node:crypto';
import { DEFAULT_MESSAGE_LIMITS, FrameReader, type MessageListener } from './websocket/frames.ts';
import { judgeUpgrade, type UpgradeAnswer, upgradeRequest, type UpgradeRequest } from './websocket/handshake.ts';
import { type AgreedDeflate, Inflater, LEAN_OFFER } from './websocket/permessageDeflate.ts';
import { FrameWriter } from './websocket/writeFrames.ts';
import type { EventListener } from './eventParser.ts';
import type { StreamReading } from './streamReading.ts';

/** What has to be known of an answer that opens a WebSocket. */
export const UPGRADE_HEADERS = ['upgrade', 'sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'] as const;

/** Of pongs that the server does not read: whoever makes us write that much of them is up to something. */
const MOST_UNREAD_BYTES = 1_048_576;

/** Closes normally: the user leaves. */
const LEAVES = 1000;
/** A server that makes us write without end, and reads nothing of it. */
const POLICY_VIOLATION = 1008;

/** One for all sockets of the thread. */
const writer = new FrameWriter();

/** The messages of a WebSocket, as events without an id. It answers pings and the end, as browsers do. */
export class SocketReading implements StreamReading, MessageListener {
  readonly lastId = '';
  readonly retryMs = null;
  private readonly listener: EventListener;
  private readonly push: (bytes: Buffer) => number;
  private readonly wantsData: boolean;
  private readonly protocols: readonly string[];
  private request: UpgradeRequest | null = null;
  private agreed: AgreedDeflate | null = null;
  private reader: FrameReader | null = null;
  private isBroken = false;
  private closeCode = LEAVES;

  /** `push`: sends bytes over the connection, and says how many wait to be sent. */
  constructor(listener: EventListener, push: (bytes: Buffer) => number, wantsData: boolean, protocols: readonly string[]) {
    this.listener = listener;
    this.push = push;
    this.wantsData = wantsData;
    this.protocols = protocols;
  }

  /** Headers of the next request: each has a key of its own. Compressed messages refer to none before, or ten thousand sockets would hold 32 kB each. */
  headers(origin: string): Readonly<Record<string, string>> {
    this.request = upgradeRequest({ origin, protocols: this.protocols, deflate: LEAN_OFFER }, randomBytes);
    return this.request.headers;
  }

  /** Why the answer opens no socket, as a code; null when it does. */
  faultOf(answer: UpgradeAnswer): string | null {
    if (this.request === null) return 'WS_NOT_UPGRADED';
    const judged = judgeUpgrade(this.request, answer);
    this.request = null;
    if (judged.fault !== null) return judged.fault;
    this.agreed = judged.deflate;
    return null;
  }

  begin(): void {
    const { agreed } = this;
    this.isBroken = false;
    this.closeCode = LEAVES;
    this.reader = new FrameReader(this, agreed === null ? null : new Inflater(agreed, DEFAULT_MESSAGE_LIMITS.maxMessageBytes));
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
    if (this.push(writer.pong(buffer.subarray(start, end))) > MOST_UNREAD_BYTES) this.break(POLICY_VIOLATION);
  }

  onPong(): void {}

  /** The server ends the connection when it has the answer. */
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

  /** A message as it is sent. */
  message(text: string): Buffer {
    return writer.text(text);
  }

  /** What is sent by who leaves, or breaks off. */
  farewell(): Buffer {
    return writer.close(this.closeCode);
  }
}
