import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, freemem, totalmem, type CpuInfo } from 'node:os';
import { promisify } from 'node:util';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE } from '#core/machines/checks/host/otherSystems.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { CPU_PROBE, MEMORY_PROBE, NODE_PROBE, OPEN_FILES_PROBE } from '#core/machines/checks/host/ownProbes.ts';

const WATCH_MS = 300;
const COMMAND_LIMIT_MS = 20_000;
/** A line for each of all sockets that there can be. */
const MOST_PRINTED_BYTES = 32_000_000;

/**
 * What this process knows better than a shell beside it: its own limit and its own Node.js; and on systems without /proc, the processor and the memory, and on
 * Windows its ports. By the probes whose print they stand for.
 */
export async function ownReadings(): Promise<ReadonlyMap<string, string>> {
  const own = new Map([[NODE_PROBE, `${process.version}\nlooked\n`]]);
  const limits = ownLimits();
  if (limits !== null) own.set(OPEN_FILES_PROBE, limits);
  if (process.platform === 'linux') return own;
  const before = cpus();
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  const after = cpus();
  own.set(CPU_PROBE, `${ticksLine(before)}\n${ticksLine(after)}\n${after.length}\n`);
  own.set(MEMORY_PROBE, `MemTotal: ${Math.floor(totalmem() / 1_024)} kB\nMemAvailable: ${Math.floor(freemem() / 1_024)} kB\n`);
  if (process.platform !== 'win32') return own;
  own.set(OTHER_PORTS_PROBE, await printed('netsh', ['int', 'ipv4', 'show', 'dynamicport', 'tcp']));
  own.set(OTHER_SOCKETS_PROBE, await printed('netstat', ['-an']));
  return own;
}

/** What a command of the system prints; empty when it cannot be run. */
async function printed(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    timeout: COMMAND_LIMIT_MS,
    maxBuffer: MOST_PRINTED_BYTES,
    env: childEnvironment(),
  }).catch(() => ({ stdout: '' }));
  return stdout;
}

/** "Max open files" of /proc/self/limits as `ulimit` prints it; null where there is none. See proc(5). */
function ownLimits(): string | null {
  try {
    const match = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? null : `${match[1]}\n${match[2]}\n`;
  } catch {
    return null;
  }
}

/** As the first line of Linux' /proc/stat. */
function ticksLine(cores: readonly Pick<CpuInfo, 'times'>[]): string {
  const sum = (kind: keyof CpuInfo['times']): number => cores.reduce((total, { times }) => total + times[kind], 0);
  return `cpu  ${sum('user')} ${sum('nice')} ${sum('sys')} ${sum('idle')} 0 ${sum('irq')} 0 0 0 0`;
}
