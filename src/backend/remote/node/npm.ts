import { execFile } from 'node:child_process';

/** npm passes these settings of its current project to child processes. They do not apply here. */
const PROJECT_SETTINGS = /^npm_config_(global|prefix|workspaces?|local_prefix)$/i;
const LIMIT_MS = 600_000;
const OUTPUT_LIMIT_BYTES = 4_000_000;

/** Runs npm with the user's settings (registry, proxy, access) and returns its output. Rejects with npm's error message. */
export function npm(args: readonly string[], directory: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !PROJECT_SETTINGS.test(name)));
  return new Promise((resolve, reject) => {
    execFile(
      isWindows ? 'npm.cmd' : 'npm',
      [...args],
      { cwd: directory, env, timeout: LIMIT_MS, maxBuffer: OUTPUT_LIMIT_BYTES, shell: isWindows },
      (error, out, complaints) => {
        if (error === null) return resolve(out);
        reject(new Error(reasonIn(complaints) ?? error.message.split('\n')[0], { cause: error }));
      },
    );
  });
}

function reasonIn(complaints: string): string | null {
  const line = complaints.split('\n').find((text) => /npm (error|ERR!) (?!code|errno|syscall|A complete log)/.test(text));
  return line?.replace(/^npm (error|ERR!)\s*/, '').trim() ?? null;
}
