import { spawn } from 'node:child_process';
import { HoldfastError } from '#core/base/errors.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import type { CommandOptions, CommandResult } from '#backend/remote/ssh/connection.ts';
import type { SettingChange } from '#core/machines/checks/finding.ts';
import { settingFile } from '#core/machines/checks/host/hostCheck.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { type Replies, type Question, secretNeededError } from '#backend/remote/ssh/surroundings.ts';

/** Runs commands on a host over SSH, or on this computer. */
export interface Shell {
  readonly label: string;
  run(command: string, options?: CommandOptions): Promise<CommandResult>;
}

const LIMIT_SECONDS = 30;
const LIMIT_BYTES = 256_000;

/** The shell of this computer, with the same limits as a host's shell. Throws `NO_SHELL`, `SHELL_TIMEOUT` or `SHELL_SAYS_TOO_MUCH`. */
export const ownShell: Shell = {
  label: 'this computer',
  run(command, { input = '', limitSeconds = LIMIT_SECONDS, limitBytes = LIMIT_BYTES } = {}) {
    return new Promise((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe', detached: true, env: childEnvironment() });
      const texts = { out: '', error: '' };
      const killGroup = (): void => {
        // Kills the shell with all of its child processes.
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      };
      const timer = setTimeout(() => {
        killGroup();
        reject(problem('SHELL_TIMEOUT', `A command on this computer did not end within ${limitSeconds} s.`));
      }, limitSeconds * 1_000);
      for (const [name, stream] of [['out', child.stdout] as const, ['error', child.stderr] as const])
        stream.on('data', (chunk: Buffer) => {
          texts[name] += chunk.toString('utf8');
          if (texts.out.length + texts.error.length <= limitBytes) return;
          killGroup();
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

/** Allowed names and values of settings. They contain no characters that are special in a shell. */
const SETTING = /^(?:net|fs)(?:\.[a-z0-9_]+)+$/;
const VALUE = /^\d{1,19}(?: \d{1,19})*$/;
const ADMINISTRATORS_PATH = 'PATH="$PATH:/usr/sbin:/sbin"; export PATH';
/** The sudo command, with messages in English, because they are parsed. */
const SUDO = `${ADMINISTRATORS_PATH}; LC_ALL=C sudo`;

/**
 * Changes one kernel setting and verifies it. Users other than root need sudo: the password is asked for, passed to standard input, and
 * forgotten if sudo refuses it. Throws `SETTING_OTHER` if the value is not the one that the user has seen, `SETTING_REFUSED`,
 * `SUDO_PASSWORD_WRONG`, `HOST_SECRET_NEEDED`, and the errors of the shell.
 */
export async function changeSetting(shell: Shell, { setting, from, to }: SettingChange, replies: Replies): Promise<void> {
  if (!SETTING.test(setting) || !VALUE.test(from) || !VALUE.test(to)) throw new RangeError('Holdfast does not change this setting.');
  const before = await readSetting(shell, setting);
  if (before !== from)
    throw new HoldfastError({
      code: 'SETTING_OTHER',
      message: `${setting} of ${shell.label} is ${before ?? 'not there'}, not ${from}. It was changed meanwhile. Nothing was done.`,
      hint: 'Repeat the check, then decide.',
    });
  await write(shell, `sysctl -q -w '${setting}=${to}'`, replies);
  const after = await readSetting(shell, setting);
  if (after === to) return;
  throw changeRefused(shell, `${setting} is ${after ?? 'not there'} and not ${to}, though the command reported no failure.`);
}

/** Returns the value of a setting with single spaces, or null if the setting does not exist. Throws `SETTING_UNREADABLE`. */
export async function readSetting(shell: Shell, setting: string): Promise<string | null> {
  const { code, out, error } = await shell.run(`LC_ALL=C cat ${settingFile(setting)}`);
  if (code === 0) return out.trim().replaceAll(/\s+/g, ' ');
  if (error.includes('No such file')) return null;
  throw new HoldfastError({
    code: 'SETTING_UNREADABLE',
    message: `${setting} of ${shell.label} could not be read (status ${code})${error.trim() === '' ? '.' : `: ${plainText(error.trim())}`}`,
    hint: 'Nothing was changed. Check that the user can read /proc/sys there, and try again.',
  });
}

async function write(shell: Shell, command: string, replies: Replies): Promise<void> {
  const asRoot = await shell.run('id -u');
  if (asRoot.out.trim() === '0') {
    const { code, error } = await shell.run(`${ADMINISTRATORS_PATH}; ${command}`);
    if (code !== 0) throw changeRefused(shell, error);
    return;
  }
  const silentResult = await shell.run(`${SUDO} -n ${command}`);
  if (silentResult.code === 0) return;
  // These words in sudo's error mean that a password is missing.
  if (!/password|askpass|terminal/i.test(silentResult.error)) throw changeRefused(shell, silentResult.error);
  await writeWithPassword(shell, command, replies);
}

async function writeWithPassword(shell: Shell, command: string, replies: Replies): Promise<void> {
  const question: Question = { kind: 'password', host: shell.label, label: `password for sudo on ${shell.label}` };
  const password = await replies.ask(question);
  if (password === null) throw secretNeededError(question);
  const { code, error } = await shell.run(`${SUDO} -k -S -p '' ${command}`, { input: `${password}\n` });
  if (code === 0) return;
  replies.forget(question);
  throw /incorrect password|no password was provided/i.test(error) ? passwordWrong(shell) : changeRefused(shell, error);
}

function passwordWrong({ label }: Shell): HoldfastError {
  return new HoldfastError({
    code: 'SUDO_PASSWORD_WRONG',
    message: `sudo on ${label} refused the password. Nothing was changed.`,
    hint: 'Try again with the password of the user on that machine, not of a key. Holdfast does not keep it.',
  });
}

function changeRefused(shell: Shell, errorOutput: string): HoldfastError {
  const reason = plainText(errorOutput.trim());
  return new HoldfastError({
    code: 'SETTING_REFUSED',
    message: `${shell.label} did not change it${reason === '' ? '.' : `: ${reason}`}`,
    hint: 'The user needs permission to run sysctl with sudo. In a container, most settings belong to the host: change them there.',
  });
}
