import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { addedPresetsIn, defaultDataDirectory } from '#backend/dataDirectory.ts';
import type { CliContext } from './context.ts';
import { backendFiles, entriesFor } from './entries.ts';
import { hiddenInputFrom, lineInputFrom } from './input/hiddenInput.ts';
import { outputTo } from './output/stream.ts';
import { runCli } from './runCli.ts';

const entries = entriesFor(import.meta.url);
const { version }: { readonly version: string } = JSON.parse(readFileSync(entries.packageFile, 'utf8'));
const presetsDirectory = fileURLToPath(entries.presetsDirectory);
const err = outputTo(process.stderr);
const hiddenInput = hiddenInputFrom(process.stdin, err);

const context: CliContext = {
  out: outputTo(process.stdout),
  err,
  hiddenInput,
  askLine: lineInputFrom(process.stdin, process.stderr),
  standardInput: () => text(process.stdin),
  environment: process.env,
  currentDirectory: process.cwd(),
  version,
  presetsDirectory,
  addedPresetsDirectory: addedPresetsIn(defaultDataDirectory()),
  uiDirectory: fileURLToPath(entries.uiDirectory),
  labEntry: entries.labEntry,
  agentFile: entries.agentFile,
  async openBackend(options = {}) {
    // Loaded on demand, because the backend is most of the program and many commands do not need it.
    const { startBackend } = await import('#backend/index.ts');
    return startBackend({
      ...options,
      dataDirectory: defaultDataDirectory(),
      ...backendFiles(entries),
      version,
      resolveAsk: hiddenInput,
      onNotice: (text) => void err.write(`holdfast: ${text}\n`).catch(() => {}),
    });
  },
  onInterrupt(listener) {
    process.on('SIGINT', listener).on('SIGTERM', listener);
    return () => {
      process.off('SIGINT', listener).off('SIGTERM', listener);
    };
  },
  onEnter(listener) {
    if (!process.stdin.isTTY) return () => {};
    process.stdin.on('data', listener).resume();
    return () => {
      process.stdin.off('data', listener).pause();
    };
  },
  quit: (code) => process.exit(code),
};

// The exit code is only set, so that the process ends when everything is closed. An explicit exit would cut off output that a pipe has not
// read yet.
process.exitCode = await runCli(process.argv.slice(2), context);
