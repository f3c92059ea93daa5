import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMachine } from '#backend/monitors/openMachine.ts';
import type { MonitorSource } from '#backend/monitors/source.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { startSshServer } from '#backend/remote/testing/sshServer.ts';

/*
 * Measures the processor time that it takes to monitor a machine: node bench/monitorCost.ts [seconds] [sockets]. It needs Linux, root and
 * sshd. The results hardly depend on other load on the machine. They are printed as shares of one core. `sockets` is the number of open TCP
 * sockets.
 */

const seconds = Number(process.argv[2] ?? 30);
const sockets = Number(process.argv[3] ?? 0);
const TICKS_PER_SECOND = 100;
const SPEC = { processes: ['sshd'], containers: 'cgroup' as const };

/**
 * Returns the processor time, in ticks, of these processes and of the children for which they have waited. A process that has ended counts
 * as 0.
 */
function getTicks(pids: readonly (number | 'self')[], withOwn = true): number {
  return pids.reduce<number>((sum, pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number);
      const own = withOwn ? (fields[11] ?? 0) + (fields[12] ?? 0) : 0;
      return sum + own + (fields[13] ?? 0) + (fields[14] ?? 0);
    } catch {
      return sum;
    }
  }, 0);
}

/** Reads the monitor once a second, as a run does. Returns the processor time that this process used, in seconds. */
async function watch(source: MonitorSource): Promise<number> {
  const ticksBefore = process.cpuUsage();
  for (let second = 0; second < seconds; second += 1) {
    await source.read();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const { user, system } = process.cpuUsage(ticksBefore);
  return (user + system) / 1e6;
}

const percent = (used: number): string => `${((100 * used) / seconds).toFixed(2)} %`;

/** Opens TCP connections. Both ends of each connection are on this computer. */
async function openSockets(count: number): Promise<() => void> {
  const listener = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1', 4_096);
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const ends: Socket[] = [];
  for (let opened = 0; opened < count / 2; opened += 1) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    ends.push(socket);
  }
  return () => {
    for (const socket of ends) socket.resetAndDestroy();
    listener.close();
  };
}

const closeSockets = await openSockets(sockets);
const children = getTicks(['self'], false);
const localMonitor = await openMachine(SPEC, null);
const localCpuShare = await watch(localMonitor);
localMonitor.close();
await new Promise((resolve) => setTimeout(resolve, 200));
const localShellShare = (getTicks(['self'], false) - children) / TICKS_PER_SECOND;
console.log(
  `this computer, watching itself: ${percent(localCpuShare + localShellShare)} of a core (Holdfast ${percent(localCpuShare)}, shell ${percent(localShellShare)})`,
);

const directory = mkdtempSync(join(tmpdir(), 'holdfast-cost-'));
const server = await startSshServer();
const connection = await connectTo(server, directory);
const remoteMonitor = await openMachine(SPEC, connection);
const pids = [...new Set([...server.pidsOf('sshd'), ...server.pidsOf('holdfast monitor')])];
const ticksBefore = getTicks(pids);
const remoteCpuShare = await watch(remoteMonitor);
const target = (getTicks(pids) - ticksBefore) / TICKS_PER_SECOND;
console.log(`a host over SSH: ${percent(target)} of a core there (sshd and shell), ${percent(remoteCpuShare)} here`);
remoteMonitor.close();
connection.close();
await server.stop();
rmSync(directory, { recursive: true });
closeSockets();
