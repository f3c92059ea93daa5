import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from './childEnvironment.ts';

export interface Wakefulness {
  /** Whether the machine is kept awake; null if no program for it is available, or if the program refused. */
  readonly isHeld: true | null;
  release(): void;
}

type Command = readonly [program: string, ...words: string[]];

const HELD_LINE = 'held';
const MAX_WAIT_MS = 1_000;
const REFUSAL_VALID_MS = 60_000;
/** Prints that the inhibition is in effect. Ends when its standard input is closed, which happens whenever this process ends. */
const WAIT_COMMAND = ['sh', '-c', `echo ${HELD_LINE}; exec cat >/dev/null`] as const;
const INHIBIT_COMMAND = ['systemd-inhibit', '--who=Holdfast', '--why=A load test is running', '--mode=block'] as const;
/** Calls SetThreadExecutionState with ES_CONTINUOUS | ES_SYSTEM_REQUIRED. */
const POWERSHELL_SCRIPT = `
$power = Add-Type -PassThru -Namespace Holdfast -Name Power -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'
if ($power::SetThreadExecutionState([uint32]2147483649) -ne 0) { '${HELD_LINE}' }
[void][Console]::In.ReadToEnd()
`;

/** Commands in order of preference. Over SSH, a user may often prevent idling, but not suspension. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly Command[]>> = {
  linux: [
    [...INHIBIT_COMMAND, '--what=sleep:idle', ...WAIT_COMMAND],
    [...INHIBIT_COMMAND, '--what=idle', ...WAIT_COMMAND],
  ],
  darwin: [['caffeinate', '-i', '-s', ...WAIT_COMMAND]],
  win32: [
    ['powershell.exe', '-NoProfile', '-NonInteractive', '-EncodedCommand', Buffer.from(POWERSHELL_SCRIPT, 'utf16le').toString('base64')],
  ],
};

/** Keeps this machine awake, if possible, until the release or the end of this process. Never rejects, and resolves within a second. */
export async function keepAwake(commands: readonly Command[] = COMMANDS[process.platform] ?? []): Promise<Wakefulness> {
  const late = performance.now() + MAX_WAIT_MS;
  for (const command of commands) {
    const release = await startInhibitor(command, late - performance.now());
    if (release !== null) return { isHeld: true, release };
  }
  return { isHeld: null, release() {} };
}

/**
 * Remembers a refusal for a minute, because asking starts several programs before each run of a series or a search. After a timeout, the
 * next call asks again.
 */
export function rememberRefusal(ask: () => Promise<Wakefulness>, nowMs = () => performance.now()): () => Promise<Wakefulness> {
  let refused: { readonly atMs: number; readonly reply: Wakefulness } | null = null;
  return async () => {
    const askedAtMs = nowMs();
    if (refused !== null && askedAtMs < refused.atMs + REFUSAL_VALID_MS) return refused.reply;
    const reply = await ask();
    refused = reply.isHeld === null && nowMs() < askedAtMs + MAX_WAIT_MS ? { atMs: nowMs(), reply } : null;
    return reply;
  };
}

/** Calls {@link keepAwake} for all runs of this process. */
export const stayAwake = rememberRefusal(() => keepAwake());

/** Runs a command that keeps the machine awake. Resolves to null if it fails. */
function startInhibitor([program, ...words]: Command, maxMs: number): Promise<(() => void) | null> {
  const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], env: childEnvironment(), windowsHide: true });
  const giveUp = (): void => {
    child.stdin.destroy();
    child.kill();
    resolve(null);
  };
  const late = setTimeout(giveUp, maxMs);
  child.on('error', giveUp);
  child.on('exit', () => resolve(null));
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.trim() === HELD_LINE) resolve(() => child.stdin.end());
  });
  // The child must not keep this process alive.
  child.unref();
  return promise.finally(() => clearTimeout(late));
}
