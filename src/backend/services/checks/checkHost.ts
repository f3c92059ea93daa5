import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type CpuInfo, cpus, freemem, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { CheckFinding, Role } from '#core/machines/checks/finding.ts';
import { CPU_PROBE, type HostFacts, MEMORY_PROBE, NODE_PROBE, OPEN_FILES_PROBE } from '#core/machines/checks/host/hostCheck.ts';
import { planLoad, type SeenResponse } from '#core/machines/checks/host/planLoad.ts';
import { judgeHost, EMPTY_OUTPUT, probeScript } from '#core/machines/checks/host/registry.ts';
import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE } from '#core/machines/checks/host/otherSystems.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { notPosix } from '#backend/remote/host/facts.ts';
import { ownShell, type Shell } from './shell.ts';

const WATCH_MS = 300;
const COMMAND_LIMIT_MS = 20_000;
/** Maximum size of the output, which may have a line for each possible socket. */
const MAX_OUTPUT_BYTES = 32_000_000;

/**
 * Returns readings that this process knows better than a shell, by the probe that they replace: its own limits and Node.js version, without
 * /proc also CPU and memory, and on Windows the ports.
 */
async function ownReadings(): Promise<ReadonlyMap<string, string>> {
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
  own.set(OTHER_PORTS_PROBE, await readOutput('netsh', ['int', 'ipv4', 'show', 'dynamicport', 'tcp']));
  own.set(OTHER_SOCKETS_PROBE, await readOutput('netstat', ['-an']));
  return own;
}

/** Returns the output of a system command, or '' if it cannot be run. */
async function readOutput(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    timeout: COMMAND_LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: childEnvironment(),
  }).catch(() => ({ stdout: '' }));
  return stdout;
}

/** Returns "Max open files" of /proc/self/limits in the format of `ulimit`, or null. See proc(5). */
function ownLimits(): string | null {
  try {
    const match = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? null : `${match[1]}\n${match[2]}\n`;
  } catch {
    return null;
  }
}

/** Formats CPU times like the first line of /proc/stat on Linux. */
function ticksLine(cores: readonly Pick<CpuInfo, 'times'>[]): string {
  const sum = (kind: keyof CpuInfo['times']): number => cores.reduce((total, { times }) => total + times[kind], 0);
  return `cpu  ${sum('user')} ${sum('nice')} ${sum('sys')} ${sum('idle')} 0 ${sum('irq')} 0 0 0 0`;
}

export interface CheckRequest {
  readonly role: Role;
  /** The plan to check for; null to check without a plan. */
  readonly plan: Plan | null;
  /** What a response of the target showed; null if no request was sent. */
  readonly seen: SeenResponse | null;
}

/** Checks this computer. Without /bin/sh (Windows), only Node's own readings are used. */
export async function checkOwn(wish: CheckRequest): Promise<CheckFinding[]> {
  const facts = collectFacts(wish, { isRemote: false, clock: null });
  const own = await ownReadings();
  const out = await ownShell.run('sh', { input: probeScript(facts) }).then(
    (result) => result.out,
    () => '',
  );
  return judgeHost(out, facts, own) ?? judgeHost(EMPTY_OUTPUT, facts, own) ?? [];
}

/** Checks a host over a connection. Throws the connection's errors, and `HOST_NOT_POSIX`. */
export async function checkRemote(shell: Shell, clock: ClockOffset | null, wish: CheckRequest): Promise<CheckFinding[]> {
  const facts = collectFacts(wish, { isRemote: true, clock });
  const { out, error } = await shell.run('sh', { input: probeScript(facts) });
  const findings = judgeHost(out, facts);
  if (findings === null) throw notPosix(shell.label, error, 'Checks are complete on Linux, partial on macOS');
  return findings.map(cleanFinding);
}

function collectFacts({ role, plan, seen }: CheckRequest, rest: Pick<HostFacts, 'isRemote' | 'clock'>): HostFacts {
  return { role, load: plan === null ? null : planLoad(plan, seen), ...rest };
}

/** Removes control characters from a host's texts. */
function cleanFinding({ title, evidence, ...finding }: CheckFinding): CheckFinding {
  return { ...finding, title: plainText(title), evidence: plainText(evidence) };
}
