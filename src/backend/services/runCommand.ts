import { spawn, type ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { formatSeconds } from '#core/base/units.ts';
import type { CellCommand } from '#core/plan/schema/series.ts';
import type { RunEvent } from '#core/result/schema.ts';
import type { CommandRecord } from '#core/series/result.ts';
import { HoldfastError } from '#core/base/errors.ts';

/** Maximum number of characters that are kept from the end of a command's output. */
const KEPT_CHARACTERS = 8_000;

export interface CommandFacts {
  readonly when: CommandRecord['when'];
  /** Additional environment variables, for example with the cell of a series. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Number of characters kept from the end of the output; default: KEPT_CHARACTERS. */
  readonly keptCharacters?: number;
  /** Removes secrets from the command's output. */
  readonly clean: (text: string) => string;
}

/** Describes a command before a load as an event of its run. */
export function commandEvent({ run, exitCode, seconds, output, problem }: CommandRecord): RunEvent {
  const ended = problem ?? `It ended with code ${exitCode} after ${seconds.toFixed(1)} s.`;
  return { second: 0, kind: 'command', text: `Before the load: ${run}. ${ended}`, data: { output } };
}

/** Returns why a step was not run after its command failed. */
export function commandFailure({ run, problem }: CommandRecord): string {
  return `The command “${run}” failed. ${problem ?? ''}`.trim();
}

/** Runs a line in this computer's shell, until it ends or reaches its time limit. Never throws: errors are in `problem`. */
export async function runCommand({ run, timeoutSeconds }: CellCommand, facts: CommandFacts): Promise<CommandRecord> {
  const startedMs = performance.now();
  const ended = await execute(run, timeoutSeconds, facts);
  return {
    when: facts.when,
    run: facts.clean(run),
    exitCode: ended.exitCode,
    seconds: (performance.now() - startedMs) / 1_000,
    output: facts.clean(ended.output),
    problem: ended.problem === null ? null : facts.clean(ended.problem),
  };
}

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
  readonly problem: string | null;
}

/** Maximum wait for the last output, because a background process may keep the output open. */
const MAX_LAST_OUTPUT_MS = 500;

function execute(
  run: string,
  timeoutSeconds: number,
  { environment, signal, keptCharacters = KEPT_CHARACTERS }: CommandFacts,
): Promise<Ended> {
  return new Promise((resolve) => {
    let output = '';
    let killedBecause: string | null = null;
    const child = spawnShell(run, { ...process.env, ...environment });
    const read = (text: unknown): void => {
      output = (output + String(text)).slice(-keptCharacters);
    };
    const kill = (reason: string): void => {
      killedBecause ??= reason;
      killGroup(child);
    };
    let timer = setTimeout(() => kill(`It did not end within ${formatSeconds(timeoutSeconds)} and was killed.`), timeoutSeconds * 1_000);
    const onAbort = (): void => kill('It was killed because the test was stopped.');
    // Kills the command when this process exits.
    const onExit = (): void => killGroup(child);
    process.once('exit', onExit);
    const settle = (exitCode: number | null, problem: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      process.off('exit', onExit);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ exitCode, output, problem });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => settle(null, `It could not be started: ${error.message}`));
    child.once('exit', (code, killedBy) => {
      const end = (): void => settle(killedBecause === null ? code : null, killedBecause ?? problemOfExit(code, killedBy));
      // The last output may not have arrived yet, so the end waits for the close event.
      child.once('close', end);
      clearTimeout(timer);
      timer = setTimeout(end, MAX_LAST_OUTPUT_MS);
    });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

function problemOfExit(code: number | null, killedBy: NodeJS.Signals | null): string | null {
  if (code === 0) return null;
  return code === null ? `It was ended by ${killedBy ?? 'a signal'}.` : `It ended with code ${code}.`;
}

/** Reads the line from descriptor 3 and closes the descriptor before the line runs. Standard input is unchanged. */
const LINE_READER = 'eval "$(cat <&3)" 3<&-';

/**
 * Starts the shell in its own process group, so that its child processes can be killed too. The shell reads the line from a pipe, because
 * the line may contain a secret and all users of this computer can see arguments.
 */
function spawnShell(run: string, env: NodeJS.ProcessEnv): ChildProcess {
  if (process.platform === 'win32') return spawn(run, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const child = spawn('/bin/sh', ['-c', LINE_READER], { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true });
  const line = child.stdio[3];
  // If the shell did not start or has ended, its own events report this.
  if (line instanceof Writable) line.on('error', () => {}).end(run);
  return child;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {}
}

/**
 * Throws `COMMANDS_NOT_ALLOWED` if commands are never run here, because a web page cannot prove that a person has read them. `owner` is the
 * subject of the message: what would run the commands.
 */
export function mayRunCommands(commands: readonly string[], areAllowed: boolean, owner: string): void {
  if (commands.length === 0 || areAllowed) return;
  throw new HoldfastError({
    code: 'COMMANDS_NOT_ALLOWED',
    message: `${owner} runs commands on this computer. Only the command line can do that.`,
    hint: 'Run it there. It shows the commands before it runs them.',
    data: { commands },
  });
}
