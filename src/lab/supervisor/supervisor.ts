import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '#core/base/errors.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import type { Surroundings } from '../lab.ts';
import { partReadySchema, partReplySchema } from './part.ts';
import { partFailed, startProgram, type Program, type ProgramOptions } from './program.ts';
import { makeRunDirectory, removeRunDirectory } from './runDirectory.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

const READY_WITHIN_MS = 30_000;
const REPLY_WITHIN_MS = 30_000;

/** A running part, as its supervisor sees it. */
export interface RunningPart {
  readonly name: string;
  readonly pid: number;
  readonly facts: Readonly<Record<string, string | number>>;
  /** Address of the part. */
  readonly url: string;
  /**
   * Sends a command and resolves with the reply. Rejects if there is no reply within `maxMs` (default 30 s). If `maxMs` is null, waits as
   * long as the part runs.
   */
  ask(command: string, maxMs?: number | null): Promise<unknown>;
}

export interface SupervisedProgram extends Omit<ProgramOptions, 'environment' | 'directory'> {
  readonly environment?: NodeJS.ProcessEnv;
  /** Returns whether it would be no error if the program ended now. */
  readonly isExpectedToEnd?: () => boolean;
}

/**
 * Starts the processes of a practice server and stops them in reverse order. All of their files are in `directory`, which is removed at the
 * end. If this process is killed, the watchdog cleans up.
 */
export class Supervisor {
  readonly directory: string;
  /** Access logs by server name. */
  readonly logs: Record<string, string> = {};
  /** Resolves with an explanation if a part ends unexpectedly or cannot do its work. */
  readonly broken: Promise<string>;
  private readonly surroundings: Surroundings;
  private readonly logDirectory: string;
  private readonly watchdog: Watchdog;
  private readonly stops: (() => Promise<void>)[] = [];
  private sayBroken: (what: string) => void = () => {};
  private stopping: Promise<void> | undefined;

  private constructor(surroundings: Surroundings, directory: string, logDirectory: string) {
    this.surroundings = surroundings;
    this.directory = directory;
    this.logDirectory = logDirectory;
    this.broken = new Promise((resolve) => {
      this.sayBroken = resolve;
    });
    this.watchdog = startWatchdog(surroundings.entry);
    this.watchdog.report({ directory });
  }

  /** Starts a supervisor. `logs` is the folder for the access logs; null puts them in `directory`. Throws `LOG_NOT_WRITABLE`. */
  static async start(surroundings: Surroundings, logs: string | null): Promise<Supervisor> {
    const directory = await makeRunDirectory();
    const logDirectory = logs === null ? join(directory, 'logs') : resolve(logs);
    try {
      await mkdir(logDirectory, { recursive: true });
    } catch (cause) {
      await removeRunDirectory(directory);
      throw new HoldfastError(
        {
          code: 'LOG_NOT_WRITABLE',
          message: `The folder ${logDirectory} for the access logs cannot be made.`,
          hint: `${cause instanceof Error ? cause.message : String(cause)}. Name a folder with write permission.`,
        },
        { cause },
      );
    }
    return new Supervisor(surroundings, directory, logDirectory);
  }

  get environment(): NodeJS.ProcessEnv {
    return this.surroundings.environment;
  }

  /** Returns the path of a server's access log. */
  logFile(server: string): string {
    const file = join(this.logDirectory, `${server}.log`);
    setOwn(this.logs, server, file);
    return file;
  }

  /** Reports that the practice server cannot continue. */
  reportBroken(what: string): void {
    this.sayBroken(what);
  }

  /** Registers an action for the stop. Actions are performed in reverse order. */
  onStop(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  /** Starts an external program without waiting until it is ready. Throws `PART_FAILED`. */
  async program({ isExpectedToEnd = () => false, ...options }: SupervisedProgram): Promise<Program> {
    const program = await startProgram({
      directory: this.directory,
      ...options,
      environment: { ...this.environment, ...options.environment },
    });
    this.watchdog.report({ pid: program.pid });
    let isReported = false;
    this.onStop(async () => {
      isReported = true;
      await program.stop();
    });
    void program.ended.then(() => {
      this.watchdog.report({ gone: program.pid });
      if (!isReported && !isExpectedToEnd())
        this.sayBroken(`${program.name} ended by itself. ${program.getOutput().trim().slice(-500)}`.trim());
    });
    return program;
  }

  /**
   * Starts one of Holdfast's own servers and waits until it responds. `within` is a command prefix for another network. Throws
   * `PART_FAILED` or the part's own error.
   */
  async part(
    kind: string,
    name: string,
    settings: Readonly<Record<string, unknown>>,
    within: readonly string[] = [],
  ): Promise<RunningPart> {
    const [file = '', ...args] = [...within, process.execPath, fileURLToPath(this.surroundings.entry), '--part', kind];
    const program = await this.program({ name, file, args, environment: { ELECTRON_RUN_AS_NODE: '1' } });
    const { stdout, stdin } = program.child;
    if (!stdout || !stdin) throw partFailed(name, 'It has no standard input and output.');
    const waiting: ((line: string) => void)[] = [];
    createInterface({ input: stdout }).on('line', (line) => waiting.shift()?.(line));
    const exchange = (text: string, maxMs: number | null): Promise<string> =>
      new Promise((done, reject) => {
        const timer =
          maxMs === null ? undefined : setTimeout(() => reject(partFailed(name, `It printed nothing for ${maxMs / 1_000} s.`)), maxMs);
        waiting.push((line) => {
          clearTimeout(timer);
          done(line);
        });
        void program.ended.then(() => {
          clearTimeout(timer);
          reject(partFailed(name, `It ended. ${program.getOutput().trim()}`));
        });
        stdin.write(`${text}\n`);
      });
    const ready = partReadySchema.parse(JSON.parse(await exchange(JSON.stringify(settings), READY_WITHIN_MS)));
    if ('problem' in ready) throw new HoldfastError(ready.problem);
    return {
      name,
      pid: program.pid,
      facts: ready.facts,
      url: String(ready.facts['url'] ?? ''),
      async ask(command, maxMs = REPLY_WITHIN_MS) {
        const response = partReplySchema.parse(JSON.parse(await exchange(command, maxMs)));
        if ('problem' in response) throw new Error(response.problem.message);
        return response.reply;
      },
    };
  }

  /** Stops everything, beginning with what was started last, and removes the directory. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    for (const stop of this.stops.toReversed()) await stop();
    await removeRunDirectory(this.directory);
    await this.watchdog.dismiss();
  }
}

/** Runs `start` with a supervisor. If `start` throws, everything that was started is stopped. */
export async function supervised<Result>(
  surroundings: Surroundings,
  logs: string | null,
  start: (supervisor: Supervisor) => Promise<Result>,
): Promise<Result> {
  const supervisor = await Supervisor.start(surroundings, logs);
  try {
    return await start(supervisor);
  } catch (thrown) {
    await supervisor.stop();
    throw thrown;
  }
}
