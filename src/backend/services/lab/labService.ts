import { fileURLToPath } from 'node:url';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { LabServer } from '#contract/replies.ts';
import { problemSchema } from '#contract/rpc/frames.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import {
  labListingSchema,
  labSecretSchema,
  runningLabSchema,
  type GivenOptions,
  type LabListing,
  unknownLabError,
} from '#core/base/lab/listing.ts';
import type { Log } from '#backend/log.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** Maximum time between two lines of output, because the first start downloads programs. */
const MAX_LINE_MS = 180_000;
const MAX_LIST_MS = 30_000;
const MAX_REVEAL_MS = 5_000;
/** Time after which a list with missing programs is refreshed, because the programs may have been installed. */
const MAX_MISSING_AGE_MS = 10_000;
const MAX_END_MS = 5_000;

const listingsSchema = z.array(labListingSchema);
const lineSchema = z.union([z.strictObject({ progress: z.string() }), runningLabSchema, z.object({ problem: problemSchema })]);
const secretsSchema = z.strictObject({ secrets: z.array(labSecretSchema) });

type Status = Omit<LabServer, keyof LabListing>;

interface Running {
  readonly options: GivenOptions;
  status: Status;
  child: SpeakingChild | null;
}

const STOPPED: Status = {
  state: 'stopped',
  progress: null,
  urls: [],
  addresses: [],
  accounts: [],
  control: null,
  folder: null,
  hasSecrets: false,
  problem: null,
};

/** Runs practice servers, each in a child process that ends with this one. */
export class LabService {
  readonly calls: Pick<CallHandlers, 'lab.list' | 'lab.start' | 'lab.stop' | 'lab.reveal'> = {
    'lab.list': async () => (await this.all()).map((lab) => this.withStatus(lab)),
    'lab.start': async ({ name, options }) => {
      const lab = await this.find(name);
      refusePaths(lab, options);
      const now = this.running.get(name);
      // A running server with other options must restart.
      const isOther = Object.entries(options).some(([option, value]) => getOwn(now?.options, option) !== value);
      if (now?.status.state === 'running' && isOther) await this.end(name);
      const state = this.running.get(name)?.status.state;
      if (state !== 'running' && state !== 'starting') await this.begin(name, options);
      return this.withStatus(lab);
    },
    'lab.stop': async ({ name }) => {
      const lab = await this.find(name);
      await this.end(name);
      return this.withStatus(lab);
    },
    'lab.reveal': async ({ name }) => {
      const { child, status } = this.running.get(name) ?? {};
      if (!child || status?.state !== 'running')
        throw new HoldfastError({ code: 'LAB_STOPPED', message: 'This practice server does not run.', hint: 'Start it first.' });
      child.process.stdin.write('reveal\n');
      return secretsSchema.parse(JSON.parse(await child.nextLine(MAX_REVEAL_MS))).secrets;
    },
  };

  private readonly entry: string;
  private readonly log: Log;
  private readonly running = new Map<string, Running>();
  private listed: { readonly labs: Promise<LabListing[]>; readonly atMs: number } | undefined;

  constructor(labEntry: URL, log: Log) {
    this.entry = fileURLToPath(labEntry);
    this.log = log;
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((name) => this.end(name)));
  }

  private async readList(): Promise<LabListing[]> {
    const child = startChild(this.entry, ['--list']);
    try {
      return listingsSchema.parse(JSON.parse(await child.nextLine(MAX_LIST_MS)));
    } finally {
      await endChild(child.process, MAX_END_MS);
    }
  }

  private async all(): Promise<LabListing[]> {
    try {
      const known = await this.listed?.labs;
      const isOld =
        known?.some(({ missing }) => missing.length > 0) === true && performance.now() - (this.listed?.atMs ?? 0) > MAX_MISSING_AGE_MS;
      if (known && !isOld) return known;
      this.listed = { labs: this.readList(), atMs: performance.now() };
      return await this.listed.labs;
    } catch (thrown) {
      this.listed = undefined;
      this.log.failure('the practice servers could not be listed', thrown);
      return [];
    }
  }

  private async find(name: string): Promise<LabListing> {
    const labs = await this.all();
    const lab = labs.find((candidate) => candidate.name === name);
    if (lab) return lab;
    throw unknownLabError(
      name,
      labs.map((known) => known.name),
    );
  }

  private withStatus(lab: LabListing): LabServer {
    return { ...lab, ...(this.running.get(lab.name)?.status ?? STOPPED) };
  }

  private async begin(name: string, options: GivenOptions): Promise<void> {
    const child = startChild(this.entry, [name, JSON.stringify(options)]);
    const server: Running = { options, status: { ...STOPPED, state: 'starting' }, child };
    this.running.set(name, server);
    const fail = (problem: string): void => {
      server.status = { ...STOPPED, state: 'failed', problem };
      server.child = null;
    };
    try {
      for (;;) {
        const line = lineSchema.parse(JSON.parse(await child.nextLine(MAX_LINE_MS)));
        if ('problem' in line) throw new HoldfastError(line.problem);
        if ('progress' in line) {
          server.status = { ...server.status, progress: line.progress };
          continue;
        }
        server.status = { ...STOPPED, state: 'running', ...line };
        break;
      }
      child.process.once('exit', () => {
        if (server.child !== null) fail('It ended by itself. Start it again.');
      });
    } catch (thrown) {
      this.log.failure(`the practice server ${name} did not start`, thrown);
      if (server.child !== null) fail(thrown instanceof HoldfastError ? `${thrown.message} ${thrown.hint}` : String(thrown));
      await endChild(child.process, MAX_END_MS);
    }
  }

  private async end(name: string): Promise<void> {
    const server = this.running.get(name);
    this.running.delete(name);
    const child = server?.child;
    if (!server || !child) return;
    server.child = null;
    await endChild(child.process, MAX_END_MS);
  }
}

/** Throws if an option is a path, because only the command line, not a screen, may name paths of this machine. */
function refusePaths({ options: known }: LabListing, options: GivenOptions): void {
  const paths = Object.keys(options).filter((name) => getOwn(known, name)?.kind === 'path');
  if (paths.length === 0) return;
  throw new HoldfastError({
    code: 'BAD_OPTION',
    message: `The option ${paths.join(', ')} names a path. Only the command line can set paths.`,
    hint: 'To use it, start the practice server with `holdfast lab` in a terminal.',
  });
}

/** Number of characters kept from the end of a child's standard error, to explain a failure. */
const KEPT_ERROR_CHARACTERS = 2_000;

interface SpeakingChild {
  readonly process: ChildProcessWithoutNullStreams;
  /** Returns the next line. Rejects if the child ends or prints nothing for `timeoutMs`. Only one call may be pending at a time. */
  nextLine(timeoutMs: number): Promise<string>;
}

/** Runs an entry file in a child process. The child ends when its standard input closes, so it never outlives this process. */
function startChild(entry: string, args: readonly string[]): SpeakingChild {
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // In Electron, the executable is Electron's own. This variable makes it run as plain Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.stdin.on('error', () => {});
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  const lines: string[] = [];
  let ended: Error | undefined;
  let wake: () => void = () => {};
  const end = (error: Error): void => {
    ended ??= error;
    wake();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  child.once('error', end);
  child.once('close', (code) => end(new Error(`It ended with ${code ?? 'a signal'} before it was ready. ${errorOutput}`.trim())));
  const nextLine = (timeoutMs: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const silent = new Error(`It printed nothing for ${timeoutMs / 1_000} s. ${errorOutput}`.trim());
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        wake = () => {};
        act();
      };
      const timer = setTimeout(() => settle(() => reject(silent)), timeoutMs);
      wake = () => {
        const line = lines.shift();
        if (line !== undefined) settle(() => resolve(line));
        else if (ended) settle(() => reject(ended));
      };
      wake();
    });
  return { process: child, nextLine };
}

/** Asks the child to end, and kills it after `graceMs`. Resolves when the child has ended. */
function endChild(child: ChildProcessWithoutNullStreams, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin.end();
    child.kill('SIGTERM');
  });
}
