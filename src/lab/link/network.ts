import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Missing } from '#core/base/lab/listing.ts';
import { findProgram } from '../programs/find.ts';

const run = promisify(execFile);
const TRY_WITHIN_MS = 10_000;

/** A loopback that carries whole packets of 64 kB would let each pass the limit at once; as on a real line, they have 1,500 bytes. */
const MTU_BYTES = 1_500;
/** More than one packet, or nothing would pass; little enough that the rate is kept within tens of milliseconds. */
const BURST_BYTES = 32_768;
/** How long packets may wait for the line before they are dropped: as the queue of a switch. */
const QUEUE_MS = 100;

/** A command that is run with what follows it, in a network of its own whose loopback carries `megabits` a second (10^6 bit/s). */
export function inOwnNetwork(megabits: number, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const rate = `${Math.round(megabits * 1_000_000)}bit`;
  const script = `ip link set lo mtu ${MTU_BYTES} up && tc qdisc add dev lo root tbf rate ${rate} burst ${BURST_BYTES} latency ${QUEUE_MS}ms && exec "$@"`;
  return inNetworkAnd(script, environment);
}

/** A command that joins the network of a process that was started so. */
export async function joinNetwork(pid: number, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const nsenter = await findProgram('nsenter', environment);
  if (nsenter === null) return null;
  return [nsenter, `--target=${pid}`, ...(isRoot() ? [] : ['--user', '--preserve-credentials']), '--net', '--'];
}

async function inNetworkAnd(script: string, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const unshare = await findProgram('unshare', environment);
  if (unshare === null) return null;
  // Who is not root gets the right over a network of their own, and nothing else, by a user namespace.
  const rights = isRoot() ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const path = await pathWithTools(environment);
  return path === null ? null : [unshare, ...rights, '--net', '/bin/sh', '-c', `PATH="${path}:$PATH"; ${script}`, 'holdfast-link'];
}

/** The folders of the administrator's tools, which a user's PATH often lacks; null when one is not there. */
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

/** Why a line with a limit cannot be had on this machine, and what to do: nothing when it can. Found out by making one. */
export async function missingForLink(environment: NodeJS.ProcessEnv): Promise<Missing[]> {
  const lacks = (why: string, install: string): Missing[] => [
    { what: 'a line with a limit', why: `Without it --bandwidth is not available: ${why}`, install, needed: false },
  ];
  if (process.platform !== 'linux')
    return lacks('only Linux has networks of a process’s own.', 'use a Linux machine, or install one in a virtual machine');
  const command = await inOwnNetwork(1, environment);
  if (command === null) return lacks('unshare, ip and tc are needed.', 'sudo apt-get install --yes util-linux iproute2');
  const [file = '', ...args] = command;
  try {
    await run(file, [...args, 'true'], { timeout: TRY_WITHIN_MS });
    return [];
  } catch (thrown) {
    const said = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr).trim().split('\n')[0] : '';
    const because = said === undefined || said === '' ? '' : ` (${said})`;
    return lacks(
      `this machine does not let you make a network of your own${because}.`,
      'sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=1000 (installs nothing: it allows it), or run Holdfast as root',
    );
  }
}
