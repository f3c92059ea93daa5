import { addedPresetsIn } from '#backend/dataDirectory.ts';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startBackend, type BackendOptions } from '#backend/index.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { agentProgram, labEntry, loadWorkerEntry, resultThreadEntry, selfTestEntry } from '#tools/testing/threads.ts';
import type { CliContext } from '../context.ts';
import { entriesFor } from '../entries.ts';
import { runCli } from '../runCli.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { memoryOutput, type MemoryOutput } from './memoryOutput.ts';

const entries = entriesFor(new URL('../main.ts', import.meta.url).href);

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs several command lines on the same data. Each has its own real backend, like a separate process. */
export interface Harness {
  readonly home: string;
  readonly directory: string;
  readonly environment: Record<string, string>;
  /** How the user at the terminal replies to a request for consent; `nobody` if there is no terminal. */
  agrees: 'yes' | 'no' | 'nobody';
  run(...args: string[]): Promise<Finished>;
  /** Starts a command without waiting for its end. The result's `interrupt` simulates Ctrl-C. */
  start(...args: string[]): RunningCommand;
}

export interface RunningCommand {
  readonly done: Promise<Finished>;
  readonly out: MemoryOutput;
  readonly err: MemoryOutput;
  interrupt(): void;
  /** Simulates Enter at the terminal. */
  enter(): void;
  /** Exit codes with which an immediate exit was requested. */
  readonly quits: readonly number[];
}

export interface HarnessOptions {
  readonly hiddenInput?: (label: string) => Promise<string>;
  /** Lines that the user types. Without this option, there is no terminal. */
  readonly lines?: string[];
  readonly terminal?: boolean;
  readonly uiDirectory?: string;
  /** Data directory; default: a new one. */
  readonly home?: string;
  readonly standardInput?: string;
  /** Opens the browser of a recording. */
  readonly openRecorder?: BackendOptions['openRecorder'];
  /** Locations of the user's SSH files. */
  readonly ssh?: BackendOptions['ssh'];
}

async function replyToPrompt(label: string, agrees: Harness['agrees'], hiddenInput: HarnessOptions['hiddenInput']): Promise<string> {
  if (label.startsWith('Agree to all of it')) {
    if (agrees !== 'nobody') return agrees;
    throw new HoldfastError({ code: 'NO_TERMINAL', message: 'There is no terminal.', hint: '' });
  }
  if (hiddenInput !== undefined) return hiddenInput(label);
  throw new Error('nobody was to be asked');
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const home = options.home ?? temporaryDirectory();
  const directory = temporaryDirectory();
  const environment: Record<string, string> = {};
  const harnessSsh = options.ssh;
  const start = (...args: string[]): RunningCommand => {
    const interruptListeners = new Set<() => void>();
    const enterListeners = new Set<() => void>();
    const quits: number[] = [];
    const isTerminal = options.terminal === true;
    const out = memoryOutput({ isTerminal });
    const err = memoryOutput({ isTerminal, columns: 120 });
    const hiddenInput = (label: string): Promise<string> => replyToPrompt(label, harness.agrees, options.hiddenInput);
    const presetsDirectory = fileURLToPath(entries.presetsDirectory);
    const context: CliContext = {
      out,
      err,
      hiddenInput,
      askLine: () => Promise.resolve(options.lines?.shift() ?? null),
      standardInput: () => Promise.resolve(options.standardInput ?? ''),
      environment,
      currentDirectory: directory,
      version: '0.0.0-test',
      presetsDirectory,
      addedPresetsDirectory: addedPresetsIn(home),
      uiDirectory: options.uiDirectory ?? fileURLToPath(entries.uiDirectory),
      labEntry,
      agentFile: pathToFileURL(agentProgram),
      openBackend: (wanted = {}) =>
        startBackend({
          ...wanted,
          openRecorder: options.openRecorder,
          dataDirectory: home,
          workerEntry: loadWorkerEntry,
          resultEntry: resultThreadEntry,
          labEntry,
          selfTestEntry,
          agentFile: entries.agentFile,
          presetsDirectory,
          version: '0.0.0-test',
          resolveAsk: hiddenInput,
          ssh: harnessSsh,
        }),
      onInterrupt(listener) {
        interruptListeners.add(listener);
        return () => interruptListeners.delete(listener);
      },
      onEnter(listener) {
        enterListeners.add(listener);
        return () => enterListeners.delete(listener);
      },
      quit: (code) => quits.push(code),
    };
    const done = runCli(args, context).then((code) => ({ code, out: out.text, err: err.text }));
    return {
      done,
      out,
      err,
      quits,
      interrupt: () => interruptListeners.forEach((listener) => listener()),
      enter: () => enterListeners.forEach((listener) => listener()),
    };
  };
  const harness: Harness = { home, directory, environment, agrees: 'yes', start, run: (...args) => start(...args).done };
  return harness;
}
