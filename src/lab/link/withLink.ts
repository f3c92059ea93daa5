import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HoldfastError } from '#core/base/errors.ts';
import type { GivenOptions, Missing } from '#core/base/lab/listing.ts';
import { readOptions } from '#core/base/lab/readOptions.ts';
import { commonOptions, type Lab, numberOption, type RunningLab, type Surroundings } from '../lab.ts';
import { listenError } from '../listen.ts';
import { findProgram, refuseWithout } from '../programs/find.ts';
import { supervised, type Supervisor } from '../supervisor/supervisor.ts';
import { forward, type Forward } from './forward.ts';

/** The option for a line whose limited bandwidth all responses share. */
const bandwidthOption = numberOption('Bandwidth of the line', null, [0.1, 1_000], {
  help: 'All addresses share one line with this many million bits a second.',
  whole: false,
  unit: 'Mbit/s',
  unset: 'the computer’s own',
  fault: true,
});

const runFile = promisify(execFile);
const TRY_WITHIN_MS = 10_000;

/**
 * Packet size of a real line. The loopback normally carries packets of 64 kB, and each of them would be larger than the burst of the limit.
 */
const MTU_BYTES = 1_500;
/**
 * Burst of the limit. It is larger than one packet, because otherwise nothing would pass, but small enough to keep the rate constant within
 * tens of milliseconds.
 */
const BURST_BYTES = 32_768;
/** Maximum queueing time before packets are dropped, as in the queue of a switch. */
const QUEUE_MS = 100;

/**
 * Returns a command prefix that runs a program in its own network namespace. The loopback of the namespace carries `megabits` per second
 * (10^6 bit/s).
 */
function inOwnNetwork(megabits: number, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const rate = `${Math.round(megabits * 1_000_000)}bit`;
  const script = `ip link set lo mtu ${MTU_BYTES} up && tc qdisc add dev lo root tbf rate ${rate} burst ${BURST_BYTES} latency ${QUEUE_MS}ms && exec "$@"`;
  return networkCommand(script, environment);
}

/** Returns a command prefix that joins the network namespace of the process `pid`. */
async function joinNetwork(pid: number, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const nsenter = await findProgram('nsenter', environment);
  if (nsenter === null) return null;
  return [nsenter, `--target=${pid}`, ...(isRoot() ? [] : ['--user', '--preserve-credentials']), '--net', '--'];
}

async function networkCommand(script: string, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const unshare = await findProgram('unshare', environment);
  if (unshare === null) return null;
  // A user namespace gives users other than root the rights over their own network namespace.
  const rights = isRoot() ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const path = await pathWithTools(environment);
  return path === null ? null : [unshare, ...rights, '--net', '/bin/sh', '-c', `PATH="${path}:$PATH"; ${script}`, 'holdfast-link'];
}

/** Returns PATH with the folders of administrator tools, which a user's PATH often lacks; null if a tool is missing. */
async function pathWithTools(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const folders: string[] = [];
  for (const tool of ['ip', 'tc']) {
    const file = await findProgram(tool, environment);
    if (file === null) return null;
    folders.push(file.slice(0, file.lastIndexOf('/')));
  }
  return folders.join(':');
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Tries to create a limited line. Returns what this machine lacks for it and how to install that; empty if the line works. */
export async function missingForLink(environment: NodeJS.ProcessEnv): Promise<Missing[]> {
  const missingLine = (why: string, install: string): Missing[] => [
    { what: 'a limited line', why: `Without it, --bandwidth is not available: ${why}`, install, needed: false },
  ];
  if (process.platform !== 'linux')
    return missingLine('only Linux has network namespaces.', 'use a Linux machine, or install one in a virtual machine');
  const command = await inOwnNetwork(1, environment);
  if (command === null) return missingLine('unshare, ip and tc are needed.', 'sudo apt-get install --yes util-linux iproute2');
  const [file = '', ...args] = command;
  try {
    await runFile(file, [...args, 'true'], { timeout: TRY_WITHIN_MS });
    return [];
  } catch (thrown) {
    const firstLine = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr).trim().split('\n')[0] : '';
    const because = firstLine === undefined || firstLine === '' ? '' : ` (${firstLine})`;
    return missingLine(
      `this machine does not allow you a network namespace${because}.`,
      'sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=1000 (installs nothing, only allows it), or run Holdfast as root',
    );
  }
}

/** Adds an option to a practice server that puts all addresses of the practice server behind a line of limited bandwidth. */
export function withLink(lab: Lab): Lab {
  return {
    ...lab,
    options: { ...lab.options, bandwidth: bandwidthOption },
    missing: async (environment) => [...(await lab.missing(environment)), ...(await missingForLink(environment))],
    async start(givenOptions, surroundings) {
      const { bandwidth, ...others } = givenOptions;
      const { bandwidth: megabits } = readOptions({ bandwidth: bandwidthOption }, bandwidth === undefined ? {} : { bandwidth });
      if (megabits === null) return lab.start(others, surroundings);
      const lacking = await missingForLink(surroundings.environment);
      refuseWithout(
        `${lab.title} behind a line of ${megabits} Mbit/s`,
        lacking.map((one) => ({ ...one, needed: true })),
      );
      return startBehindLink(lab, others, megabits, surroundings);
    },
  };
}

/** Starts a practice server behind a line. The practice server itself uses free ports, because the requested ports belong to the line. */
async function startBehindLink(lab: Lab, givenOptions: GivenOptions, megabits: number, surroundings: Surroundings): Promise<RunningLab> {
  const { port: givenPort, ...others } = givenOptions;
  const { port } = readOptions({ port: commonOptions.port }, givenPort === undefined ? {} : { port: givenPort });
  const runningLab = await lab.start(others, surroundings);
  try {
    return await supervised(surroundings, null, (supervisor) => addLimitedLine(runningLab, supervisor, surroundings, megabits, port));
  } catch (thrown) {
    await runningLab.stop();
    throw thrown;
  }
}

/** Adds the line. `port` is the first port; null chooses free ports. */
async function addLimitedLine(
  runningLab: RunningLab,
  supervisor: Supervisor,
  { environment }: Surroundings,
  megabits: number,
  port: number | null,
): Promise<RunningLab> {
  const origins = [...new Set([...runningLab.urls, ...runningLab.addresses.map(({ url }) => url)].filter(isHttp).map(originOf))];
  const lines: { readonly origin: string; readonly port: number; readonly entry: string; readonly exit: string }[] = [];
  const stopLater = (one: Forward): Forward => {
    supervisor.onStop(() => one.close());
    return one;
  };
  for (const [index, origin] of origins.entries()) {
    const entry = join(supervisor.directory, `entry-${index}`);
    const exit = join(supervisor.directory, `exit-${index}`);
    stopLater(await forward({ path: exit }, placeOf(origin)));
    const wanted = port === null ? 0 : port + index;
    const near = stopLater(await forward({ host: '127.0.0.1', port: wanted }, { path: entry }).catch((cause) => refusePort(cause, wanted)));
    lines.push({ origin, port: near.port, entry, exit });
  }
  // In the line's network, the same address leads to the control server, so that commands there can read logs.
  const control = {
    port: Number(new URL(runningLab.control).port),
    entry: join(supervisor.directory, 'entry-c'),
    exit: join(supervisor.directory, 'exit-c'),
  };
  stopLater(await forward({ path: control.exit }, placeOf(runningLab.control)));
  const within = (await inOwnNetwork(megabits, environment)) ?? [];
  const link = await supervisor.part('link', 'the line', { ports: [...lines, control] }, within);
  const replaceOrigin = (url: string): string => {
    const line = isHttp(url) ? lines.find(({ origin }) => origin === originOf(url)) : undefined;
    return line === undefined ? url : url.replace(new URL(url).host, `127.0.0.1:${line.port}`);
  };
  return {
    ...runningLab,
    urls: runningLab.urls.map(replaceOrigin),
    addresses: runningLab.addresses.map((address) => ({ ...address, url: replaceOrigin(address.url) })),
    broken: Promise.race([runningLab.broken, supervisor.broken]),
    within: (await joinNetwork(link.pid, environment)) ?? [],
    async stop() {
      await supervisor.stop();
      await runningLab.stop();
    },
  };
}

/** Returns whether an address is for HTTP or a WebSocket, without TLS. */
function isHttp(url: string): boolean {
  return url.startsWith('http://') || url.startsWith('ws://');
}

function originOf(url: string): string {
  return `http://${new URL(url).host}`;
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? 80 : port) };
}

function refusePort(cause: unknown, port: number): never {
  throw cause instanceof Error ? listenError(cause, port) : new HoldfastError({ code: 'LISTEN_FAILED', message: String(cause), hint: '' });
}
