import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from './childEnvironment.ts';

/** A machine that is kept from going to sleep by itself, as far as that could be had. */
export interface Wakefulness {
  /** null: not known, because this machine has nothing that could be asked for it, or that refused. */
  readonly isHeld: true | null;
  release(): void;
}

type Command = readonly [program: string, ...words: string[]];

const HELD = 'held';
const LIMIT_MS = 1_000;
const REFUSAL_LASTS_MS = 60_000;
/** Says that what is before it has been granted, and ends with its standard input: with this process, however that ends. */
const WAITING = ['sh', '-c', `echo ${HELD}; exec cat >/dev/null`] as const;
const INHIBIT = ['systemd-inhibit', '--who=Holdfast', '--why=A load test is running', '--mode=block'] as const;
/** ES_CONTINUOUS | ES_SYSTEM_REQUIRED of SetThreadExecutionState. */
const WINDOWS = `
$power = Add-Type -PassThru -Namespace Holdfast -Name Power -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'
if ($power::SetThreadExecutionState([uint32]2147483649) -ne 0) { '${HELD}' }
[void][Console]::In.ReadToEnd()
`;

/** In the order in which they are tried: over SSH, a user may often keep a machine from idling, but not from being suspended. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly Command[]>> = {
  linux: [
    [...INHIBIT, '--what=sleep:idle', ...WAITING],
    [...INHIBIT, '--what=idle', ...WAITING],
  ],
  darwin: [['caffeinate', '-i', '-s', ...WAITING]],
  win32: [['powershell.exe', '-NoProfile', '-NonInteractive', '-EncodedCommand', Buffer.from(WINDOWS, 'utf16le').toString('base64')]],
};

/** Keeps this machine awake until it is released or this process ends. Never fails, and takes a second at most. */
export async function keepAwake(commands: readonly Command[] = COMMANDS[process.platform] ?? []): Promise<Wakefulness> {
  const late = performance.now() + LIMIT_MS;
  for (const command of commands) {
    const release = await hold(command, late - performance.now());
    if (release !== null) return { isHeld: true, release };
  }
  return { isHeld: null, release() {} };
}

/**
 * Does not ask a machine again that refused within the last minute: to ask starts a program for each way, before each run of a series or a search.
 * One that only took too long is asked again.
 */
export function rememberRefusal(ask: () => Promise<Wakefulness>, nowMs = () => performance.now()): () => Promise<Wakefulness> {
  let refused: { readonly atMs: number; readonly answer: Wakefulness } | null = null;
  return async () => {
    const askedAtMs = nowMs();
    if (refused !== null && askedAtMs < refused.atMs + REFUSAL_LASTS_MS) return refused.answer;
    const answer = await ask();
    refused = answer.isHeld === null && nowMs() < askedAtMs + LIMIT_MS ? { atMs: nowMs(), answer } : null;
    return answer;
  };
}

/** {@link keepAwake} for whatever runs in this process. */
export const stayAwake = rememberRefusal(() => keepAwake());

/** Runs a command that holds the machine awake; null when it cannot. */
function hold([program, ...words]: Command, limitMs: number): Promise<(() => void) | null> {
  const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], env: childEnvironment(), windowsHide: true });
  const giveUp = (): void => {
    child.stdin.destroy();
    child.kill();
    resolve(null);
  };
  const late = setTimeout(giveUp, limitMs);
  child.on('error', giveUp);
  child.on('exit', () => resolve(null));
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.trim() === HELD) resolve(() => child.stdin.end());
  });
  // It waits for us, not we for it.
  child.unref();
  return promise.finally(() => clearTimeout(late));
}
