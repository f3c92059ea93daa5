import { connect, type Socket, type TcpNetConnectOpts as ConnectOpts } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Opened, SocketSettings } from './plainSockets.ts';

// Types and flags of frames, and the length of a frame header: RFC 9113, sections 4 and 6.
const [DATA, HEADERS, SETTINGS, WINDOW_UPDATE] = [0x0, 0x1, 0x4, 0x8];
const [END_STREAM, ACK, END_HEADERS] = [0x1, 0x1, 0x4];
const HEAD_BYTES = 9;
/** The index of `:status: 200` in the static table: RFC 7541, appendix A. */
const STATUS_200 = 0x88;
const MAX_WINDOW_BYTES = 2 ** 31 - 1;
const FIRST_WINDOW = 65_535;

function frame(type: number, flags: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  return Buffer.concat([head, payload]);
}

/**
 * Encodes a header whose name is in the static table and that is not added to the dynamic table. The value must have fewer than 127 bytes.
 */
const literal = (name: number, value: string): number[] => [name, value.length, ...Buffer.from(value, 'latin1')];

/** Returns the preface and first frames of a connection, and a request whose stream number is filled in later. */
function prepareFrames({ protocol, host, pathname }: URL): { opening: Buffer; request: Buffer } {
  const fields = [0x82, protocol === 'https:' ? 0x87 : 0x86, ...literal(0x04, pathname), ...literal(0x01, host)];
  const request = frame(HEADERS, END_STREAM | END_HEADERS, Uint8Array.from(fields));
  const window = Buffer.alloc(4);
  window.writeUInt32BE(MAX_WINDOW_BYTES - FIRST_WINDOW);
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
  const opening = Buffer.concat([preface, frame(SETTINGS, 0), frame(WINDOW_UPDATE, 0, window)]);
  return { opening, request };
}

function openSocket({ protocol, hostname, port }: URL, onread: NonNullable<ConnectOpts['onread']>, onOpen: () => void): Socket {
  const options = { host: hostname, port: Number(port), noDelay: true, onread };
  return protocol === 'https:'
    ? connectSecurely({ ...options, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, onOpen)
    : connect(options, onOpen);
}

/**
 * Sends requests over HTTP/2 as fast as Node's sockets allow. Frames are prepared in advance, ends of streams are counted, and of the
 * headers, only status 200 is read. The server must send less than 2 GiB per connection, and no PING.
 */
export function openStreams({ url, connections, streams }: SocketSettings): Opened {
  const { opening, request } = prepareFrames(url);
  const buffer = Buffer.allocUnsafe(65_536);
  const counts = { responses: 0, others: 0 };
  let due: Connection[] = [];

  class Connection {
    readonly socket: Socket;
    private stream = 1;
    private ended = 0;
    private readonly head = Buffer.alloc(HEAD_BYTES);
    private headBytes = 0;
    private payloadBytes = 0;
    private isBegun = false;

    constructor() {
      this.socket = openSocket(url, { buffer, callback: (length: number) => this.read(length) }, () => {
        this.socket.write(opening);
        this.ask(streams);
      });
    }

    goOn(): void {
      this.ask(this.ended);
      this.ended = 0;
    }

    private ask(count: number): void {
      const requests = Buffer.allocUnsafe(request.length * count);
      for (let at = 0; at < requests.length; at += request.length) {
        request.copy(requests, at);
        requests.writeUInt32BE(this.stream, at + 5);
        this.stream += 2;
      }
      this.socket.write(requests);
    }

    private read(length: number): true {
      let at = 0;
      while (at < length) {
        if (this.payloadBytes > 0) {
          if (!this.isBegun && this.head[3] === HEADERS && buffer[at] !== STATUS_200) counts.others += 1;
          this.isBegun = true;
          const taken = Math.min(this.payloadBytes, length - at);
          this.payloadBytes -= taken;
          at += taken;
        } else {
          const taken = buffer.copy(this.head, this.headBytes, at, Math.min(length, at + HEAD_BYTES - this.headBytes));
          this.headBytes += taken;
          at += taken;
          if (this.headBytes === HEAD_BYTES) this.begin();
        }
      }
      return true;
    }

    /** Parses a frame header. A response is counted when its last frame begins. */
    private begin(): void {
      const [type, flags = 0] = this.head.subarray(3, 5);
      this.headBytes = 0;
      this.payloadBytes = this.head.readUIntBE(0, 3);
      this.isBegun = false;
      if (type === SETTINGS && (flags & ACK) === 0) this.socket.write(frame(SETTINGS, ACK));
      if ((type !== DATA && type !== HEADERS) || (flags & END_STREAM) === 0) return;
      counts.responses += 1;
      this.ended += 1;
      if (this.ended === 1 && due.push(this) === 1) setImmediate(proceed);
    }
  }

  /** Sends the due requests. This happens after everything that has arrived was read, as in the driver. */
  function proceed(): void {
    const now = due;
    due = [];
    for (const connection of now) connection.goOn();
  }

  return { counts, sockets: Array.from({ length: connections }, () => new Connection().socket) };
}
