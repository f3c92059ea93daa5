import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';

/** Returns the environment with the folder `directory` first in PATH. */
export function withPath(directory, environment = process.env) {
  // On Windows, the variable may be spelled "Path", and only one spelling may be passed on.
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...environment, [name]: [directory, environment[name]].filter(Boolean).join(path.delimiter) };
}

/** Returns the command that starts npm: the npm script that started this process if there is one, otherwise the name `npm`. */
export function npmCommand(environment = process.env, platform = process.platform) {
  const { npm_execpath: script } = environment;
  if (script && script.endsWith('npm-cli.js')) return { command: process.execPath, before: [script], shell: false };
  return { command: 'npm', before: [], shell: platform === 'win32' };
}

/**
 * Runs a program and returns its exit code (a signal counts as 128 + n, as in a shell). Signals that stop this process are passed on, so
 * that the program does not keep running. Rejects if the program cannot be started.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forwardSignal = (signal) => {
      // A terminal sends Ctrl-C to both processes. Passing it on would send it twice.
      if (signal !== 'SIGINT' || !atTerminal()) child.kill(signal);
    };
    for (const signal of forwardedSignals) process.on(signal, forwardSignal);
    const stopForwarding = () => {
      for (const signal of forwardedSignals) process.off(signal, forwardSignal);
    };
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const atTerminal = () => [0, 1, 2].some((descriptor) => isatty(descriptor));

/**
 * Works like {@link run}, but also returns the program's output: `{ code, output }`. `priority` (a nice value) can only make the
 * priority lower.
 */
export async function capture(command, args, options = {}) {
  let output = '';
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  if (options.priority !== undefined && child.pid !== undefined) setPriority(child.pid, Math.max(getPriority(), options.priority));
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise((resolve) => {
    const settle = (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(127);
    });
    child.once('close', (code) => settle(code ?? 1));
  });
}

/** Prints one short line from the launcher to standard error, because standard output belongs to the program that is launched. */
export function print(line) {
  process.stderr.write(`holdfast: ${line}\n`);
}
