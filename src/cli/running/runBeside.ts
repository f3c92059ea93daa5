import { spawn } from 'node:child_process';
import { HoldfastError } from '#core/base/errors.ts';

export interface BesideFacts {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Signals end a process with 128 + their number; which one is not told apart here. */
const ENDED_BY_SIGNAL = 130;

/**
 * Runs a command of the person at the terminal, on that terminal, and resolves with its exit code. Ctrl-C reaches it by the terminal.
 * Throws `NOT_STARTED` when there is no such program.
 */
export function runBeside(command: readonly string[], { directory, environment }: BesideFacts): Promise<number> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: directory, env: { ...environment }, stdio: 'inherit' });
    child.once('error', (cause) =>
      reject(
        new HoldfastError(
          {
            code: 'NOT_STARTED',
            message: `${file} could not be started: ${cause.message}`,
            hint: 'Write the command after -- as you would write it without Holdfast, and look that it is installed.',
          },
          { cause },
        ),
      ),
    );
    child.once('exit', (code) => resolve(code ?? ENDED_BY_SIGNAL));
  });
}
