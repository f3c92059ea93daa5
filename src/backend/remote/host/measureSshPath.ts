import { MAX_SSH_MEGABITS, PATH_LIMITS, type PathReading } from '#core/machines/checks/path/schema.ts';
import { type Arrival, computeThroughput } from '#core/machines/checks/path/judgePath.ts';
import { plainText } from '../ssh/problems.ts';
import type { SshConnection } from '../ssh/connection.ts';

const BLOCK_BYTES = 65_536;
/** A line of the sent data. Lines let awk on the host count the data and report progress; bytes in local send buffers do not count. */
const LINE = `${'-'.repeat(1_023)}\n`;
const REPORT_BYTES = 16_384;
const SINK = `exec awk '{ count += length($0) + 1 } count >= ${REPORT_BYTES} { print count; fflush(); count = 0 }'`;

/** Measures a lower bound of the rate from a host over its connection, limited by {@link PATH_LIMITS}. Throws `HOST_LOST`. */
export async function measureFromHost(connection: SshConnection): Promise<PathReading> {
  return transfer(connection, `head -c ${PATH_LIMITS.bytes} /dev/zero`, {
    bytesIn: (chunk) => chunk.length,
    feed: (channel) => channel.end(),
  });
}

/** Measures a lower bound of the rate to a host over its connection, limited by {@link PATH_LIMITS}. Throws `HOST_LOST`. */
export async function measureToHost(connection: SshConnection): Promise<PathReading> {
  const block = Buffer.from(LINE.repeat(BLOCK_BYTES / LINE.length));
  let rest = '';
  return transfer(connection, SINK, {
    bytesIn(chunk) {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      return lines.reduce((sum, line) => sum + (/^\s*\d{1,6}\s*$/.test(line) ? Number(line) : 0), 0);
    },
    feed(channel) {
      let written = 0;
      const write = (): void => {
        while (written + BLOCK_BYTES <= PATH_LIMITS.bytes && channel.writable) {
          written += BLOCK_BYTES;
          if (!channel.write(block)) return;
        }
        channel.end();
      };
      channel.on('drain', write);
      write();
    },
  });
}

type Channel = Awaited<ReturnType<SshConnection['start']>>;

interface TransferWay {
  /** Returns the number of transferred bytes that a chunk of the command's output represents. */
  bytesIn(chunk: Buffer): number;
  feed(channel: Channel): void;
}

async function transfer(connection: SshConnection, command: string, { bytesIn, feed }: TransferWay): Promise<PathReading> {
  const channel = await connection.start(command);
  const arrivals: Arrival[] = [];
  let bytes = 0;
  let errorOutput = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  channel.on('data', (chunk: Buffer) => {
    const came = bytesIn(chunk);
    if (came === 0) return;
    arrivals.push({ atMs: performance.now(), bytes: came });
    bytes += came;
    if (bytes >= PATH_LIMITS.bytes) resolve();
  });
  channel.stderr.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString('utf8')).slice(-300);
  });
  channel.on('error', () => {});
  channel.on('close', () => resolve());
  const forget = connection.addLostListener(reject);
  const timer = setTimeout(resolve, PATH_LIMITS.seconds * 1_000);
  try {
    feed(channel);
    await promise;
  } finally {
    clearTimeout(timer);
    forget();
    channel.destroy();
  }
  const reportedThroughput = computeThroughput(arrivals, [], MAX_SSH_MEGABITS);
  return {
    megabits: reportedThroughput?.megabits ?? null,
    // The time includes work of SSH and the command for each block, so the line itself may be faster.
    isFull: false,
    seconds: reportedThroughput?.seconds ?? 0,
    bytes,
    respondedBytes: 0,
    responses: 0,
    failure: bytes === 0 && errorOutput !== '' ? plainText(errorOutput) : null,
  };
}
