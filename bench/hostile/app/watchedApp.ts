import { agreeToEverything } from '#backend/testing/agreeing.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from '#contract/rpc/client.ts';
import type { Port } from '#contract/rpc/port.ts';
import { fromAppSchema, threadReportSchema, type FromApp, type Memory, type ToApp } from './reports.ts';

const CLOSE_WITHIN_MS = 20_000;
/** Maximum time in ms until events are reported. */
const REPORT_WITHIN_MS = 1_500;

/** The worst values of a backend since the last call of {@link WatchedApp.begin}. */
export interface WorstReadings {
  largestFrameBytes: number;
  /** Longest time in ms for which its own work blocked the main thread, and then the same for any other thread. */
  stallMs: number;
  threadStallMs: number;
  /** Longest time for which the main thread waited for anything other than a processor. */
  blockedMs: number;
  hungerMs: number;
  readonly spoilt: Set<string>;
  readonly problems: string[];
  /** How the process ended unexpectedly; null while the process runs. */
  ended: string | null;
}

/** A backend that runs in a separate process and is observed from outside. */
export class WatchedApp {
  readonly client: Client;
  readonly dataDirectory: string;
  seen: WorstReadings = emptyReadings();
  private readonly child: ChildProcess;
  private closing = false;
  private onMemory: ((memory: Memory) => void)[] = [];

  private constructor(child: ChildProcess, dataDirectory: string) {
    this.child = child;
    this.dataDirectory = dataDirectory;
    let receiveFrame: (frame: string) => void = () => {};
    const port: Port = {
      send: (text) => this.send({ type: 'frame', text }),
      onFrame: (listener) => {
        receiveFrame = listener;
      },
      onClose: (listener) => void child.once('exit', listener),
      close: () => {},
      unsentBytes: 0,
    };
    this.client = agreeToEverything(createClient(port));
    child.on('message', (raw) => this.receiveFrame(fromAppSchema.parse(raw), (text) => receiveFrame(text)));
    child.once('exit', (code, signal) => {
      if (!this.closing) this.seen.ended = signal ?? `exit code ${code ?? '?'}`;
    });
  }

  static async open(): Promise<WatchedApp> {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-hostile-'));
    const preload = new URL('watchThread.ts', import.meta.url).href;
    const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), [dataDirectory], {
      execArgv: ['--expose-gc', '--import', preload],
      serialization: 'advanced',
    });
    const app = new WatchedApp(child, dataDirectory);
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('The backend did not start.')));
      child.on('message', (raw) => fromAppSchema.parse(raw).type === 'ready' && resolve());
    });
    return app;
  }

  /** Resets the values that were observed, so that the start of the backend is not judged. */
  async begin(): Promise<void> {
    await sleep(REPORT_WITHIN_MS);
    const { ended } = this.seen;
    this.seen = { ...emptyReadings(), ended };
  }

  /** Resolves with the memory after garbage collection, or null if the process has ended. */
  memory(): Promise<Memory | null> {
    if (this.seen.ended !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.onMemory.push(resolve);
      this.child.once('exit', () => resolve(null));
      this.send({ type: 'memory' });
    });
  }

  /** Returns the total size of all files of the backend's store. */
  async storeBytes(): Promise<number> {
    const names = await readdir(this.dataDirectory);
    const sizes = await Promise.all(names.filter((name) => /\.db|sqlite/.test(name)).map((name) => stat(join(this.dataDirectory, name))));
    return sizes.reduce((sum, { size }) => sum + size, 0);
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = new Promise((resolve) => this.child.once('exit', resolve));
      const killing = setTimeout(() => this.child.kill('SIGKILL'), CLOSE_WITHIN_MS);
      this.send({ type: 'close' });
      await exited;
      clearTimeout(killing);
    }
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  private send(message: ToApp): void {
    if (this.child.connected) this.child.send(message);
  }

  private receiveFrame(message: FromApp, takeFrame: (text: string) => void): void {
    switch (message.type) {
      case 'frame':
        this.seen.largestFrameBytes = Math.max(this.seen.largestFrameBytes, Buffer.byteLength(message.text));
        takeFrame(message.text);
        return;
      case 'thread': {
        const { isMain, stallMs, blockedMs, hungerMs, spoilt, problems } = threadReportSchema.parse(JSON.parse(message.report));
        if (isMain) {
          this.seen.stallMs = Math.max(this.seen.stallMs, stallMs);
          this.seen.blockedMs = Math.max(this.seen.blockedMs, blockedMs);
        }
        if (!isMain) this.seen.threadStallMs = Math.max(this.seen.threadStallMs, stallMs);
        this.seen.hungerMs = Math.max(this.seen.hungerMs, hungerMs);
        for (const one of spoilt) this.seen.spoilt.add(one);
        this.seen.problems.push(...problems);
        return;
      }
      case 'memory':
        this.onMemory.shift()?.(message.memory);
        return;
      case 'ready':
      case 'closed':
        return;
      default:
        message satisfies never;
    }
  }
}

function emptyReadings(): WorstReadings {
  return { largestFrameBytes: 0, stallMs: 0, threadStallMs: 0, blockedMs: 0, hungerMs: 0, spoilt: new Set(), problems: [], ended: null };
}
