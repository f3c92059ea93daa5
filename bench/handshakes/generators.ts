import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Command } from '../running/pinned.ts';
import { runCommand } from '../running/runCommand.ts';
import type { Certificate } from './certificate.ts';
import type { Kind, Tool } from './judge.ts';

export interface HandshakeLoad {
  readonly url: string;
  readonly certificate: Certificate;
  readonly kind: Kind;
  /** Number of connections in parallel. */
  readonly clients: number;
  readonly seconds: number;
}

const SCRIPT = fileURLToPath(new URL('../scripts/engineRun.ts', import.meta.url));

/**
 * Opens a connection for each request until the time is over. The engine does so in one process, and s_time in several processes that each
 * open one connection at a time. Both verify the certificate. Returns the number of busy cores, or null if unknown.
 */
export async function makeHandshakes(tool: Tool, load: HandshakeLoad, core: number | null, signal: AbortSignal): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-handshakes-'));
  try {
    const commands = tool === 's_time' ? timers(load) : [await engine(load, join(folder, 'plan.json'))];
    const limits = { core, timeoutSeconds: load.seconds + 60, signal };
    const finished = await Promise.all(commands.map((command) => runCommand(command, limits)));
    return finished.reduce<number | null>((sum, { midRunCores }) => (sum === null || midRunCores === null ? null : sum + midRunCores), 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function engine({ url, certificate, kind, clients, seconds }: HandshakeLoad, file: string): Promise<Command> {
  const plan: PlanInput = {
    holdfast: 1,
    name: 'handshakes',
    engine: 'native',
    threads: 1,
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: clients, seconds }] },
    connections: { reuse: 'never' },
    tls: { ca: certificate.text, resume: kind === 'resumed' ? 1 : 0 },
  };
  await writeFile(file, JSON.stringify(plan));
  return { program: process.execPath, parameters: [SCRIPT, file] };
}

/**
 * Returns the commands of s_time. In TLS 1.3, the session ticket is sent after the handshake, so s_time receives the ticket only if it
 * reads a page.
 */
function timers({ url, certificate, kind, clients, seconds }: HandshakeLoad): Command[] {
  const how = kind === 'resumed' ? '-reuse' : '-new';
  const checks = ['-CAfile', certificate.file, '-verify', '1'];
  const parameters = ['s_time', '-connect', new URL(url).host, '-www', '/', how, '-time', String(seconds), ...checks];
  return Array.from({ length: clients }, () => ({ program: 'openssl', parameters }));
}
