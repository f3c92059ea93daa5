import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buildRequest } from '#workers/requestBytes.ts';
import { DEFAULT_MESSAGE_LIMITS, FrameReader } from '../frames.ts';
import { type HandshakeFault, judgeUpgrade, type UpgradeResult, type UpgradeOptions, upgradeRequest } from '../handshake.ts';
import { Inflater } from '../permessageDeflate.ts';
import { FrameWriter } from '../writeFrames.ts';
import { MessageLog } from './serverFrames.ts';

const READ_BUFFER = Buffer.alloc(65_536);

/** A client over a real socket. It logs the calls that it receives, and replies to pings and close frames. */
export class OpenWebSocket {
  readonly log = new MessageLog();
  readonly writer = new FrameWriter();
  readonly socket: Socket;
  readonly upgraded: UpgradeResult;
  private readonly reader: FrameReader;
  private waiting: () => void = () => {};

  constructor(socket: Socket, upgraded: UpgradeResult) {
    this.socket = socket;
    this.upgraded = upgraded;
    const { log } = this;
    const { maxMessageBytes } = DEFAULT_MESSAGE_LIMITS;
    this.reader = new FrameReader(log, upgraded.windowBits === null ? null : new Inflater(upgraded.windowBits, maxMessageBytes));
    const reportPing = log.onPing.bind(log);
    log.onPing = (buffer, start, end) => {
      this.write(this.writer.pong(buffer.subarray(start, end)));
      reportPing(buffer, start, end);
    };
    log.onReported = () => this.waiting();
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  read(bytes: Buffer): void {
    bytes.copy(READ_BUFFER);
    this.reader.feed(READ_BUFFER, 0, bytes.length);
  }

  /** Returns the log once it has `count` lines. */
  async reported(count: number): Promise<readonly string[]> {
    while (this.log.reported.length < count) {
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
    return this.log.reported;
  }
}

/** Opens a WebSocket. Returns the error if the handshake fails. */
export async function openWebSocket(url: string, options: UpgradeOptions): Promise<OpenWebSocket | HandshakeFault> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const request = upgradeRequest(options, randomBytes);
  socket.write(buildRequest({ method: 'GET', targetUrl: url, path: '', headers: [request.headers], body: null }).bytes);
  let head = Buffer.alloc(0);
  while (!head.includes('\r\n\r\n')) {
    const [bytes] = await once(socket, 'data');
    head = Buffer.concat([head, bytes]);
  }
  const headBytes = head.indexOf('\r\n\r\n') + 4;
  const lines = head.toString('latin1', 0, headBytes).split('\r\n');
  const valueOf = (name: string): string | undefined => {
    const values = lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
    return values.length === 0 ? undefined : values.join('\n');
  };
  const judged = judgeUpgrade(request, {
    status: Number(lines[0]?.split(' ')[1]),
    upgrade: valueOf('upgrade'),
    connection: valueOf('connection'),
    accept: valueOf('sec-websocket-accept'),
    protocol: valueOf('sec-websocket-protocol'),
    extensions: valueOf('sec-websocket-extensions'),
  });
  if (judged.fault !== null) {
    socket.destroy();
    return judged.fault;
  }
  const opened = new OpenWebSocket(socket, judged);
  socket.on('data', (bytes: Buffer) => opened.read(bytes));
  if (head.length > headBytes) opened.read(head.subarray(headBytes));
  return opened;
}
