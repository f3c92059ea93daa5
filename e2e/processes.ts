import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const startLimitMs = 30_000;
const endLimitMs = 15_000;

/** A command of the built `holdfast` that serves until it is stopped. */
export interface ServingProcess {
  /** The addresses that the command has printed, in order. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
  /** Ends the command like `kill -9`. */
  kill(): Promise<void>;
}

/** A command of the built `holdfast` that ends by itself. */
export interface Running {
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  kill(): Promise<void>;
}

/** Starts `holdfast …` from the build, and waits until the command has printed an address. */
export async function startHoldfast(args: readonly string[], home: string, environment: NodeJS.ProcessEnv = {}): Promise<ServingProcess> {
  const child = spawnHoldfast(args, home, environment);
  try {
    const urls = await firstAddresses(child, args.join(' '));
    return { urls, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
  } catch (error) {
    await end(child, 'SIGTERM');
    throw error;
  }
}

/** Returns which programs of a practice server are missing, with their install commands; null if none is missing. */
export async function missingPrograms(lab: string, home: string): Promise<string | null> {
  const { output } = await runHoldfast(['lab', '--list'], home).ended;
  const listed = output.slice(output.indexOf(`${lab}:`));
  const needs = listed.slice(0, listed.indexOf('Options:')).matchAll(/^ {2}Needs (.+), which is not here\. .*Install it with: (.+)$/gm);
  const missing = [...needs].map(([, what, install]) => `${what} is missing (${install})`);
  return missing.length === 0 ? null : missing.join(', ');
}

/** Starts `holdfast …` from the build without waiting for it. */
export function runHoldfast(args: readonly string[], home: string, environment: NodeJS.ProcessEnv = {}): Running {
  const child = spawnHoldfast(args, home, environment);
  let output = '';
  const read = (text: unknown): void => {
    output += String(text);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return { ended, kill: () => end(child, 'SIGKILL') };
}

function spawnHoldfast(args: readonly string[], home: string, environment: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [resolve(root, 'dist', 'node', 'cli.mjs'), ...args], {
    env: { ...process.env, ...environment, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function firstAddresses(child: ChildProcess, name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`holdfast ${name} printed no address:\n${output}`)), startLimitMs);
    const read = (text: unknown): void => {
      output += String(text);
      const urls = output.match(/https?:\/\/[^\s"',]+(?=[\s"',])/g);
      if (!urls) return;
      clearTimeout(timer);
      resolve(urls);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`holdfast ${name} ended with ${code}:\n${output}`));
    });
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), endLimitMs);
  await ended;
  clearTimeout(timer);
}
