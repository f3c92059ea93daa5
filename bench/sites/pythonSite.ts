import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#lab/freePort.ts';
import { perform } from './programs.ts';

const START_WITHIN_MS = 60_000;
/** Packages that serve a Python application and its files. */
const SERVER_PACKAGES = ['gunicorn==23.0.0', 'whitenoise==6.11.0'];

/** Installs PyPI packages into a separate folder. Resolves with its Python. */
export async function installPython(folder: string, packages: readonly string[]): Promise<string> {
  const python = join(folder, 'venv', 'bin', 'python');
  if (existsSync(python)) return python;
  await perform('python3', ['-m', 'venv', join(folder, 'venv')]);
  await perform(python, ['-m', 'pip', 'install', '--quiet', ...packages, ...SERVER_PACKAGES]);
  return python;
}

export interface PythonSite {
  readonly python: string;
  /** Folder of the application. */
  readonly project: string;
  /** Module and name of the application. */
  readonly application: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Serves a Python application as in production: several processes with several threads each. */
export async function startPython({
  python,
  project,
  application,
  environment,
}: PythonSite): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort();
  const workers = ['--workers', '2', '--threads', '4', '--timeout', '120', '--keep-alive', '75'];
  const child = spawn(python, ['-m', 'gunicorn', '--bind', `127.0.0.1:${port}`, ...workers, '--chdir', project, application], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  const url = `http://127.0.0.1:${port}/`;
  const giveUpAtMs = performance.now() + START_WITHIN_MS;
  const responds = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await responds())) {
    if (child.exitCode !== null || performance.now() > giveUpAtMs) {
      await close();
      throw new Error(`${application} did not start.`);
    }
    await delay(100);
  }
  return { url, close };
}

/** Returns the first number that a query of an SQLite database finds. */
export async function askSqlite(python: string, database: string, query: string): Promise<number> {
  const script = `import sqlite3; print(sqlite3.connect(${JSON.stringify(database)}, timeout=30).execute(${JSON.stringify(query)}).fetchone()[0])`;
  return Number(await perform(python, ['-c', script]));
}
