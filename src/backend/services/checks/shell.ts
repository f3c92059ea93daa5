import { spawn } from 'node:child_process';
import { HoldfastError } from '#core/base/errors.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import type { CommandOptions, CommandResult } from '#backend/remote/ssh/connection.ts';

/** Runs commands on a host over SSH, or on this computer. */
export interface Shell {
  /** Name of the machine in messages. */
  readonly label: string;
  run(command: string, options?: CommandOptions): Promise<CommandResult>;
}

const LIMIT_SECONDS = 30;
const LIMIT_BYTES = 256_000;

/** The shell of this computer, with the same limits as that of a host. Throws `NO_SHELL` or `SHELL_TIMEOUT`. */
export const ownShell: Shell = {
  label: 'this computer',
  run(command, { input = '', limitSeconds = LIMIT_SECONDS, limitBytes = LIMIT_BYTES } = {}) {
    return new Promise((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe', detached: true, env: childEnvironment() });
      const texts = { out: '', error: '' };
      const end = (): void => {
        // Kills the whole process group.
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      };
      const timer = setTimeout(() => {
        end();
        reject(problem('SHELL_TIMEOUT', `A command on this computer did not end within ${limitSeconds} s.`));
      }, limitSeconds * 1_000);
      for (const [name, stream] of [['out', child.stdout] as const, ['error', child.stderr] as const])
        stream.on('data', (chunk: Buffer) => {
          texts[name] += chunk.toString('utf8');
          if (texts.out.length + texts.error.length <= limitBytes) return;
          end();
          reject(problem('SHELL_SAYS_TOO_MUCH', `A command on this computer wrote more than ${limitBytes} bytes.`));
        });
      child.once('error', (cause) => {
        clearTimeout(timer);
        reject(problem('NO_SHELL', `No shell on this computer: ${cause.message}`));
      });
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ code, ...texts });
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  },
};

function problem(code: string, message: string): HoldfastError {
  return new HoldfastError({ code, message, hint: 'Checks use the tools of the system, through /bin/sh.' });
}
