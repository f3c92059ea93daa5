import type { Duplex } from 'node:stream';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { parseRedis, REDIS_CATALOGUE } from '#core/machines/monitors/services/databases.ts';
import { type OpenMonitor, asked, notSuch, refused, unreachable, OTHER_CREDENTIALS } from '../source.ts';
import { exchange } from './lineService.ts';

/** INFO has a few thousand bytes, and is read every second. */
const MAX_BYTES = 262_144;
/** Maximum length of the first line of a reply. Errors are one sentence. */
const MAX_LINE_BYTES = 1_024;

/** Reads INFO from Redis over one connection that stays open: new connections would count among its clients. */
export const openRedis: OpenMonitor<MonitorOf<'redis'>> = ({ address, user, password }, way) => {
  let kept: Duplex | null = null;

  async function connected(): Promise<Duplex> {
    if (kept !== null && !kept.destroyed && kept.writable) return kept;
    const stream = await way.connect(address);
    // No other listener exists between two readings. The next reading finds the stream destroyed.
    stream.on('error', () => {});
    kept = stream;
    if (password !== undefined) await ask(stream, ['AUTH', ...(user === undefined ? [] : [user]), way.secret(password)]);
    return stream;
  }

  async function ask(stream: Duplex, words: readonly string[]): Promise<string> {
    const response = await exchange(stream, command(words), (bytes) => parseReply(bytes) !== null, MAX_BYTES);
    const reply = parseReply(response);
    if (reply === null || reply.error === null) return reply?.text ?? '';
    stream.destroy();
    throw refused('Redis', address, reply.error, hintFor(reply.error));
  }

  async function read() {
    let info: string;
    try {
      info = await ask(await connected(), ['INFO']);
    } catch (thrown) {
      throw unreachable('Redis', address, thrown);
    }
    const reading = parseRedis(info);
    if (reading === null) throw notSuch('Redis', address, 'Check the port. By default it listens on 6379.');
    return reading;
  }

  return asked(REDIS_CATALOGUE, read, {
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
  /** The error text of Redis, or null. */
  readonly error: string | null;
}

/**
 * Parses the first reply: a line, an error or a bulk string with its length. Returns null while it is incomplete. Throws if its line is too
 * long.
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
