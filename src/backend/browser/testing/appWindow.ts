// Imitates Chromium in the desktop app: rejects what Electron rejects, saves files itself, and sends several messages in one chunk, as
// happens on a busy computer.
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';

const REFUSED_METHODS = new Set(['Target.createTarget', 'Target.createBrowserContext', 'Browser.setDownloadBehavior']);
const FIRST_OWN_ID = 1_000_000_000;
const CHUNK_MS = 20;

const args = process.argv.slice(2);
const profile = args.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length) ?? '';
const program = installedBrowser() ?? (await import('@playwright/test')).chromium.executablePath();
const child = spawn(program, ['--headless', ...browserFlags, ...args, 'about:blank'], {
  stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
});
child.on('exit', () => process.exit());
const [, , , commands, replies] = child.stdio as unknown as Duplex[];
const [input, output] = [createReadStream('', { fd: 3 }), createWriteStream('', { fd: 4 })];

const downloadBehavior = { behavior: 'allow', downloadPath: join(profile, 'saved') };
commands?.write(`${JSON.stringify({ id: FIRST_OWN_ID, method: 'Browser.setDownloadBehavior', params: downloadBehavior })}\0`);

/** Forwards the messages of a time span in one chunk, except those that the filter handles. */
function forwardMessages(
  from: NodeJS.ReadableStream,
  to: NodeJS.WritableStream,
  gatheredMs: number,
  isTaken: (message: { id?: number; method?: string }) => boolean,
): void {
  let rest = '';
  let gathered = '';
  const write = (): void => {
    to.write(gathered);
    gathered = '';
  };
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      if (isTaken(JSON.parse(message) as { id?: number; method?: string })) continue;
      if (gathered === '') setTimeout(write, gatheredMs);
      gathered += `${message}\0`;
    }
  });
  from.on('end', () => setTimeout(() => to.end(), gatheredMs + 1));
  from.on('error', () => to.end());
  to.on('error', () => {});
}

if (commands && replies) {
  forwardMessages(input, commands, 0, ({ id, method = '' }) => {
    const isRefused = REFUSED_METHODS.has(method);
    if (isRefused) output.write(`${JSON.stringify({ id, error: { code: -32_000, message: 'Not supported' } })}\0`);
    return isRefused;
  });
  forwardMessages(replies, output, CHUNK_MS, ({ id }) => id === FIRST_OWN_ID);
}
