import { clockOffset, type ClockReading } from '#core/plan/hosts/generatorNames.ts';
import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { connectionLost } from '../ssh/problems.ts';

/** Command that replies to the line `t` with the time, and echoes any other line. */
const COMMAND = `sh -c 'while read -r line; do if [ "$line" = t ]; then date "+%s %N"; else echo "$line"; fi; done'`;
const ROUNDS = 9;
const LIMIT_MS = 5_000;

export interface ClockReport {
  /** Clock offset; null if the clock shows only whole seconds. */
  readonly offset: ClockOffset | null;
  /** The shortest of several round trips. */
  readonly roundTripMs: number;
}

/** Measures the clock offset of a host and the round-trip time over one channel. Throws `HOST_LOST`. */
export async function measureClock(connection: SshConnection): Promise<ClockReport> {
  const channel = await connection.start(COMMAND);
  channel.on('error', () => {});
  let waiting: ((line: string) => void) | null = null;
  let text = '';
  channel.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('latin1')).slice(-4_096);
    const end = text.lastIndexOf('\n');
    if (end < 0) return;
    const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
    text = text.slice(end + 1);
    waiting?.(line);
  });
  const askTime = (question: string): Promise<{ line: string; askedMs: number; repliedMs: number }> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(connectionLost(connection.label, new Error('it does not respond'))), LIMIT_MS);
      const askedMs = performance.timeOrigin + performance.now();
      waiting = (line) => {
        clearTimeout(late);
        resolve({ line, askedMs, repliedMs: performance.timeOrigin + performance.now() });
      };
      channel.write(`${question}\n`);
    });
  try {
    // The first reply includes the start of the shell.
    await askTime('ready');
    const trips: number[] = [];
    const readings: ClockReading[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const echo = await askTime(`${round}`);
      trips.push(echo.repliedMs - echo.askedMs);
      const { line, askedMs, repliedMs } = await askTime('t');
      const thereMs = parseClockTime(line);
      if (thereMs !== null) readings.push({ askedMs, repliedMs, thereMs });
    }
    return { offset: clockOffset(readings), roundTripMs: Math.min(...trips) };
  } finally {
    channel.destroy();
  }
}

/** Converts "1763700000 123456789" to milliseconds. Returns null if `date` prints no fractions of a second. */
export function parseClockTime(line: string): number | null {
  const match = /^(\d{9,11}) (\d{9})$/.exec(line.trim());
  return match === null ? null : Number(match[1]) * 1_000 + Number(match[2]) / 1_000_000;
}

/** Quotes any text as one literal word for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
