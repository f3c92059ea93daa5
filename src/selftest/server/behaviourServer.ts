import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { toProblem } from '#core/base/errors.ts';
import { type Act, type Behaviour, Dice } from '../behaviours/behaviour.ts';
import { findBehaviour } from '../behaviours/registry.ts';
import { commandSchema, type Command, type Reply } from '../serverProcess.ts';
import { TruthLog, type TruthRecord } from './truth.ts';

type Response = Extract<Act, { kind: 'response' }>;

const STATUS_TEXTS: Readonly<Record<number, string>> = { 200: 'OK', 503: 'Service Unavailable' };
const HEAD_END = Buffer.from('\r\n\r\n');
const CLOSE_HEADER = Buffer.from('Connection: close');

/** Caches responses as bytes. Each response is created only once. */
class Wire {
  private readonly made = new Map<string, Buffer>();

  bytesOf(response: Response, close: boolean): Buffer {
    const { status, bodyBytes, cutBytes, version } = response;
    const key = `${version} ${status} ${bodyBytes} ${cutBytes} ${close}`;
    const known = this.made.get(key);
    if (known) return known;
    const lines = [`HTTP/${version} ${status} ${STATUS_TEXTS[status] ?? 'Answer'}`, 'Server: holdfast-selftest'];
    // Before HTTP/1.1, a body usually ended with the connection.
    if (version === '1.1') lines.push(`Content-Length: ${bodyBytes}`, ...(close && cutBytes === 0 ? ['Connection: close'] : []));
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
    const bytes = Buffer.concat([head, Buffer.alloc(bodyBytes - cutBytes, 'x')]);
    this.made.set(key, bytes);
    return bytes;
  }
}

/** Splits the data of a connection into request headers; the self-test's requests have no bodies. */
class HeadReader {
  private rest: Buffer | null = null;

  /** Calls `onHead` for each complete request. `closes` states whether the request asks to close the connection. */
  feed(chunk: Buffer, onHead: (closes: boolean) => void): void {
    let bytes = this.rest === null ? chunk : Buffer.concat([this.rest, chunk]);
    for (let end = bytes.indexOf(HEAD_END); end >= 0; end = bytes.indexOf(HEAD_END)) {
      onHead(bytes.subarray(0, end).includes(CLOSE_HEADER));
      bytes = bytes.subarray(end + HEAD_END.length);
    }
    this.rest = bytes.length === 0 ? null : bytes;
  }
}

/** Faults for tests in which the self-test must fail. */
interface ServerFaults {
  /** Returns how many ms longer than logged a response takes. */
  hiddenDelayMs?(loggedUs: number): number;
}

const SEED = 20_140_501;
const IDLE_WITHIN_MS = 5_000;

/** One behaviour on one port of 127.0.0.1 with its log. Uses plain sockets, because it also does what an HTTP server never does. */
class BehaviourServer {
  private readonly behaviour: Behaviour;
  private readonly faults: ServerFaults;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly truth = new TruthLog();
  private readonly wire = new Wire();
  private readonly dice = new Dice(SEED);
  private originUs: number | null = null;
  private outstanding = 0;
  private onIdle: () => void = () => {};

  constructor(behaviour: Behaviour, faults: ServerFaults) {
    this.behaviour = behaviour;
    this.faults = faults;
    this.server = createServer({ noDelay: true }, (socket) => this.accept(socket));
  }

  /** Resolves with the port when connections are accepted. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 }, resolve);
    });
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return address.port;
  }

  /** Waits until every response has been written (at most 5 s), ends all connections, and returns the log. */
  async close(): Promise<TruthRecord> {
    if (this.outstanding > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, IDLE_WITHIN_MS);
        this.onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    return this.truth.record();
  }

  private accept(socket: Socket): void {
    const reader = new HeadReader();
    let acceptedUs: number | null = microseconds();
    this.truth.connections += 1;
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk) => {
      this.truth.bytesReceived += chunk.length;
      reader.feed(chunk, (closes) => {
        const nowUs = microseconds();
        this.take(socket, closes, nowUs, acceptedUs ?? nowUs);
        acceptedUs = null;
      });
    });
  }

  /** Handles a request. Its time starts at `sinceUs`: for the first request at its connection, because the engine includes connecting. */
  private take(socket: Socket, closes: boolean, nowUs: number, sinceUs: number): void {
    this.originUs ??= nowUs;
    const act = this.behaviour.act({ index: this.truth.requests, atUs: nowUs - this.originUs }, this.dice);
    this.truth.requests += 1;
    switch (act.kind) {
      case 'response':
        this.response(socket, act, sinceUs, closes);
        return;
      case 'reset':
        this.truth.resets += 1;
        socket.resetAndDestroy();
        return;
      case 'silence':
        this.truth.silences += 1;
        return;
      default:
        act satisfies never;
    }
  }

  private response(socket: Socket, act: Extract<Act, { kind: 'response' }>, sinceUs: number, closes: boolean): void {
    const close = act.close || closes;
    const bytes = this.wire.bytesOf(act, close);
    const ahead = act.sendsAhead ? bytes.length - 1 : 0;
    this.outstanding += 1;
    if (ahead > 0) this.send(socket, bytes.subarray(0, ahead));
    const finish = (): void => this.finish(socket, act, bytes.subarray(ahead), sinceUs, close);
    const waitMs = (act.dueUs + (this.originUs ?? 0) - microseconds()) / 1_000;
    if (waitMs > 0) setTimeout(finish, waitMs);
    else finish();
  }

  private finish(socket: Socket, act: Extract<Act, { kind: 'response' }>, bytes: Buffer, sinceUs: number, close: boolean): void {
    if (socket.destroyed) {
      this.truth.left += 1;
      this.countResponseDone();
      return;
    }
    if (act.cutBytes > 0) this.truth.cuts += 1;
    else this.truth.responded(act.status, act.bodyBytes);
    const log = (): void => {
      if (act.cutBytes === 0) this.truth.took(microseconds() - sinceUs);
      this.countResponseDone();
    };
    const hiddenMs = this.faults.hiddenDelayMs?.(microseconds() - sinceUs) ?? 0;
    if (hiddenMs > 0) {
      log();
      setTimeout(() => this.send(socket, bytes, close), hiddenMs);
    } else this.send(socket, bytes, close, log, act.version === '1.0');
  }

  /** Sends bytes. `endsByClosing` states whether the response ends with the connection instead of with its last byte. */
  private send(socket: Socket, bytes: Buffer, close = false, onSent: () => void = () => {}, endsByClosing = false): void {
    this.truth.bytesSent += bytes.length;
    socket.write(bytes, endsByClosing ? undefined : onSent);
    if (endsByClosing) socket.once('finish', onSent);
    if (close) socket.end();
  }

  private countResponseDone(): void {
    this.outstanding -= 1;
    if (this.outstanding === 0) this.onIdle();
  }
}

function microseconds(): number {
  return performance.now() * 1_000;
}

/** Executes commands from standard input, one line of JSON each. The process ends with its input, so it never outlives its parent. */
export function serveCommands(faults: ServerFaults = {}): void {
  const open = new Map<number, BehaviourServer>();

  async function obey(command: Command): Promise<Reply> {
    switch (command.command) {
      case 'open': {
        const server = new BehaviourServer(findBehaviour(command.behaviour), faults);
        const port = await server.listen();
        open.set(port, server);
        return { id: command.id, port };
      }
      case 'close': {
        const server = open.get(command.port);
        if (!server) throw new Error(`Nothing listens on port ${command.port}.`);
        open.delete(command.port);
        return { id: command.id, truth: await server.close() };
      }
      default:
        return command satisfies never;
    }
  }
  const say = (reply: Reply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`);
  const take = (line: string): void => {
    const command = commandSchema.parse(JSON.parse(line));
    obey(command).then(say, (thrown: unknown) => say({ id: command.id, problem: toProblem(thrown) }));
  };

  process.stdout.on('error', () => process.exit(1));
  createInterface({ input: process.stdin })
    .on('line', take)
    .once('close', () => process.exit(0));
}
