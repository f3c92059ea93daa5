import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { PathReading } from '#core/machines/checks/path/schema.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { measureFromHost, measureToHost } from '../host/measureSshPath.ts';
import { connectTo } from './connectTo.ts';
import { startSshServer } from './sshServer.ts';

/** The JSON that the program prints. */
export interface NarrowLine {
  readonly down: PathReading;
  readonly up: PathReading;
}

/**
 * When run as a program in its own network namespace, connects to an SSH server over a rate-limited loopback and prints the measured path.
 * Argument: bits per second.
 */
if (process.argv[1] === import.meta.filename) {
  execFileSync('ip', ['link', 'set', 'lo', 'mtu', '1500', 'up']);
  // The queue is short, because reports in one direction share it with data in the other direction.
  execFileSync('tc', `qdisc add dev lo root tbf rate ${Number(process.argv[2])}bit burst 8192 latency 25ms`.split(' '));
  const server = await startSshServer();
  const directory = temporaryDirectory();
  try {
    const connection = await connectTo(server, directory);
    const fromHost = await measureFromHost(connection);
    const toHost = await measureToHost(connection);
    connection.close();
    process.stdout.write(JSON.stringify({ down: fromHost, up: toHost } satisfies NarrowLine));
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
}
