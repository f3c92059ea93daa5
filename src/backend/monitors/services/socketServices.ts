import type { Duplex } from 'node:stream';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { HAPROXY_CATALOGUE, parseHaproxy } from '#core/machines/monitors/services/proxies.ts';
import { parseRedis, REDIS_CATALOGUE } from '#core/machines/monitors/services/databases.ts';
import {
  RESPONSE_TIMEOUT_MS,
  noResponseInTime,
  tooLongResponse,
  type MonitorWay,
  type OpenMonitor,
  createPolledSource,
  unexpectedProtocol,
  unreachable,
  accessRefused,
  OTHER_CREDENTIALS,
} from '../source.ts';
import { askPage } from './httpServices.ts';

const MAX_BYTES = 4_000_000;

/** Collects bytes in a buffer that doubles, because a server may send single bytes. */
class Received {
  private room = Buffer.alloc(4_096);
  private length = 0;

  add(piece: Buffer): Buffer {
    const length = this.length + piece.length;
    if (length > this.room.length) {
      const room = Buffer.alloc(2 * length);
      this.room.copy(room, 0, 0, this.length);
      this.room = room;
    }
    piece.copy(this.room, this.length);
    this.length = length;
    return this.bytes;
  }

  get bytes(): Buffer {
    return this.room.subarray(0, this.length);
  }
}

/**
 * Sends a question and collects the response until `isWhole` returns true or the other side closes. `isWhole` is called for each chunk, so
 * it must not scan all bytes each time. Throws on a time-out or if the other side closes before the response is complete. Also throws what
 * `isWhole` throws.
 */
export function exchange(
  stream: Duplex,
  question: string,
  isWhole: (response: Buffer) => boolean | 'at the end',
  limitBytes = MAX_BYTES,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = new Received();
    const settle = (failure: Error | null): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', settle);
      if (failure === null) resolve(received.bytes);
      else {
        // Bytes that arrive later would be mistaken for the response to the next question.
        stream.on('error', () => {});
        stream.destroy();
        reject(failure);
      }
    };
    const timer = setTimeout(() => settle(noResponseInTime()), RESPONSE_TIMEOUT_MS);
    // Errors are caught, because an error thrown in a listener would end the process.
    const guardListener = (listen: () => void): void => {
      try {
        listen();
      } catch (thrown) {
        settle(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    };
    const onData = (piece: Buffer): void =>
      guardListener(() => {
        const response = received.add(piece);
        if (response.length > limitBytes) settle(tooLongResponse(limitBytes));
        else if (isWhole(response) === true) settle(null);
      });
    const onEnd = (): void =>
      guardListener(() => settle(isWhole(received.bytes) === 'at the end' ? null : new Error('it closed the connection')));
    stream.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', settle);
    stream.write(question);
  });
}

const HINT =
  'Enter the address of its page (`stats enable`, `stats uri /stats`) or of its socket (`stats socket /run/haproxy/admin.sock`).';

/** Reads the statistics of HAProxy from its page with `;csv`, or with `show stat` from its socket. */
export const openHaproxy: OpenMonitor<MonitorOf<'haproxy'>> = ({ address, user, password }, way) => {
  const ask = /^https?:/.test(address)
    ? () => askPage({ what: 'HAProxy', url: getCsv(address), way, headers: basicAuthorization(way, user, password) })
    : () => askSocket(address, way);
  return createPolledSource(
    HAPROXY_CATALOGUE,
    async () => {
      const reading = parseHaproxy(await ask());
      if (reading === null) throw unexpectedProtocol('the statistics of HAProxy', address, HINT);
      return reading;
    },
    { secrets: password === undefined ? [] : [way.secret(password)] },
  );
};

function getCsv(address: string): URL {
  const url = new URL(address);
  if (!url.pathname.endsWith(';csv')) url.pathname += ';csv';
  return url;
}

function basicAuthorization(way: MonitorWay, user = '', password: MonitorOf<'haproxy'>['password'] = ''): Record<string, string> {
  const secret = way.secret(password);
  return user === '' && secret === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` };
}

async function askSocket(address: string, way: MonitorWay): Promise<string> {
  try {
    const stream = await way.connect(address);
    try {
      return (await exchange(stream, 'show stat\n', () => 'at the end')).toString('utf8');
    } finally {
      stream.destroy();
    }
  } catch (thrown) {
    throw unreachable('HAProxy', address, thrown);
  }
}

/** Maximum size of INFO. It has a few thousand bytes and is read every second. */
const MAX_INFO_BYTES = 262_144;
/** Maximum length of the first line of a reply. Errors are one sentence. */
const MAX_LINE_BYTES = 1_024;

/** Reads INFO from Redis over one connection that stays open, because Redis would count new connections among its clients. */
export const openRedis: OpenMonitor<MonitorOf<'redis'>> = ({ address, user, password }, way) => {
  let kept: Duplex | null = null;

  async function ensureConnected(): Promise<Duplex> {
    if (kept !== null && !kept.destroyed && kept.writable) return kept;
    const stream = await way.connect(address);
    // No other listener exists between two readings. The next reading notices that the stream is destroyed.
    stream.on('error', () => {});
    kept = stream;
    if (password !== undefined) await ask(stream, ['AUTH', ...(user === undefined ? [] : [user]), way.secret(password)]);
    return stream;
  }

  async function ask(stream: Duplex, words: readonly string[]): Promise<string> {
    const response = await exchange(stream, command(words), (bytes) => parseReply(bytes) !== null, MAX_INFO_BYTES);
    const reply = parseReply(response);
    if (reply === null || reply.error === null) return reply?.text ?? '';
    stream.destroy();
    throw accessRefused('Redis', address, reply.error, hintFor(reply.error));
  }

  async function read() {
    let info: string;
    try {
      info = await ask(await ensureConnected(), ['INFO']);
    } catch (thrown) {
      throw unreachable('Redis', address, thrown);
    }
    const reading = parseRedis(info);
    if (reading === null) throw unexpectedProtocol('Redis', address, 'Check the port. By default it listens on 6379.');
    return reading;
  }

  return createPolledSource(REDIS_CATALOGUE, read, {
    close: () => kept?.destroy(),
    secrets: password === undefined ? [] : [way.secret(password)],
  });
};

/** Encodes a command as Redis bulk strings with byte lengths, so any text is safe. */
function command(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

interface Reply {
  readonly text: string;
  /** Error text from Redis; null if there is no error. */
  readonly error: string | null;
}

/**
 * Parses the first reply: a line, an error or a bulk string with its length. Returns null while the reply is incomplete. Throws if its
 * first line is too long.
 */
export function parseReply(bytes: Buffer): Reply | null {
  const end = bytes.subarray(0, MAX_LINE_BYTES).indexOf('\r\n');
  if (end < 0 && bytes.length >= MAX_LINE_BYTES) throw new Error(`its response starts with a line of more than ${MAX_LINE_BYTES} bytes`);
  if (end < 0) return null;
  const [kind, line] = [String.fromCodePoint(bytes[0] ?? 0), bytes.toString('utf8', 1, end)];
  if (kind === '-') return { text: '', error: line };
  if (kind !== '$' && kind !== '=') return { text: line, error: null };
  const length = Number(line);
  return bytes.length < end + 2 + length + 2 ? null : { text: bytes.toString('utf8', end + 2, end + 2 + length), error: null };
}

function hintFor(error: string): string {
  if (error.startsWith('NOAUTH')) return 'It needs a password: set “password”, such as { secret: env:REDIS_PASSWORD }.';
  if (error.startsWith('WRONGPASS') || error.includes('invalid password')) return OTHER_CREDENTIALS;
  if (error.startsWith('NOPERM')) return 'The user lacks permission: grant it with `ACL SETUSER … +info`.';
  return 'Run `redis-cli INFO` there to see why.';
}
