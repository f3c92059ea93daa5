import { Duplex } from 'node:stream';
import { HoldfastError } from '#core/base/errors.ts';
import { hostAndPort } from '#core/base/hostAndPort.ts';
import { RESPONSE_TIMEOUT_MS, tooLongResponse } from '../source.ts';

/** Maximum size of a response. A reading takes some kilobytes, but a query of the plan may list many values. */
const MAX_RESPONSE_BYTES = 16_000_000;
const MAX_UNREAD_BYTES = 1_000_000;

/**
 * A connected stream that replaces the TCP socket that database clients expect to connect themselves. These clients buffer a response until
 * it is complete, so the stream closes if a server sends more than MAX_RESPONSE_BYTES within the time limit for one response.
 */
export class DatabaseStream extends Duplex {
  private readonly source: Duplex;
  private received = { bytes: 0, fromMs: 0 };

  constructor(source: Duplex) {
    // The client waits for the close event, so the stream closes when the server ends the connection.
    super({ allowHalfOpen: false });
    this.source = source;
    source.on('data', (piece: Buffer) => this.receive(piece));
    source.once('end', () => this.push(null));
    // Data that arrived before the end is still read.
    source.once('close', () => source.readableEnded || this.destroy());
    source.on('error', (thrown) => this.destroy(thrown));
    source.pause();
  }

  connect(): this {
    setImmediate(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.source.resume();
  }

  override _write(piece: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A hostile server may request passwords repeatedly without reading the replies, so the amount of unread data is limited.
    if (this.writableLength > MAX_UNREAD_BYTES) this.destroy(new Error('it does not read what it asked for'));
    else this.source.write(piece, encoding, done);
  }

  override _final(done: () => void): void {
    this.source.end();
    done();
  }

  override _destroy(thrown: Error | null, done: (error?: Error | null) => void): void {
    this.source.destroy();
    done(thrown);
  }

  private receive(piece: Buffer): void {
    const nowMs = performance.now();
    if (nowMs - this.received.fromMs > RESPONSE_TIMEOUT_MS) this.received = { bytes: 0, fromMs: nowMs };
    this.received.bytes += piece.length;
    if (this.received.bytes > MAX_RESPONSE_BYTES) this.destroy(tooLongResponse(MAX_RESPONSE_BYTES));
    else if (!this.push(piece)) this.source.pause();
  }
}

const READS = /^[\s(]*(select|with|values|table|show|explain)\b/i;
/** MySQL statements that begin like reading ones but write files on the server. */
const WRITES_FILES = /\binto\s+(outfile|dumpfile)\b/i;

/**
 * Throws `SQL_NOT_READING` unless the statement only reads. The transaction is read-only as well. Functions with side effects remain
 * possible, so the user sees the statement in the list of what a plan asks for.
 */
export function requireReading(sql: string): void {
  // Comments are searched too, because MySQL executes some of them.
  const plain = sql.replaceAll(/--[^\n]*|#[^\n]*/g, ' ').replaceAll(/\/\*!?\d*|\*\//g, ' ');
  const first = sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  if (READS.test(first) && !WRITES_FILES.test(plain)) return;
  throw new HoldfastError({
    code: 'SQL_NOT_READING',
    message: 'The SQL of “stored” does more than read.',
    hint: 'Write one SELECT whose first value is the number. It runs in a read-only transaction.',
  });
}

export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Name of the database; empty for the server's default database. */
  readonly database: string;
  /** TLS mode in the terms of the database's own programs; null if the connection string states none. */
  readonly tls: string | null;
}

export interface ConnectionScheme {
  readonly what: string;
  readonly protocols: readonly string[];
  readonly port: number;
  /** Whether a user name is required. Without one, the client would send the local user's name. */
  readonly needsUser?: boolean;
  /** The option for the TLS mode, and its possible values. */
  readonly tls: { readonly option: string; readonly values: readonly string[] };
}

/** Reads `scheme://user:password@host:port/database?option=value`. Throws `MONITOR_CONNECTION`, which repeats no part of the text. */
export function readConnection(text: string, { what, protocols, port, needsUser = false, tls }: ConnectionScheme): DatabaseAddress {
  const [first = ''] = protocols;
  const connectionError = (message: string): HoldfastError =>
    new HoldfastError({
      code: 'MONITOR_CONNECTION',
      message: `The connection string of ${what} ${message}.`,
      hint: `Use ${first}//user:password@host:${port}/database. In the password, write @ : / # as %40 %3A %2F %23.`,
    });
  if (!URL.canParse(text)) throw connectionError('cannot be read');
  const url = new URL(text);
  if (!protocols.includes(url.protocol))
    throw connectionError(`does not begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  if (url.hostname === '') throw connectionError('names no host');
  if (needsUser && url.username === '') throw connectionError('names no user');
  const mode = url.searchParams.get(tls.option)?.toLowerCase() ?? null;
  // A typing error must not turn TLS off.
  if (mode !== null && !tls.values.includes(mode))
    throw connectionError(`has an unknown ${tls.option}: use one of ${tls.values.join(', ')}`);
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? port : Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      tls: mode,
    };
  } catch {
    throw connectionError('has a % without two hexadecimal digits');
  }
}

/** Returns the address in the form that `MonitorWay.connect` accepts. */
export function addressText({ host, port }: DatabaseAddress): string {
  return hostAndPort(host, port);
}
