import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Dice } from '../conclusions/dice.ts';
import { killerFor, type KillPoint } from './killPoint.ts';
import type { LoggingTarget } from './target.ts';

const root = new URL('../../', import.meta.url);
const CLI = fileURLToPath(new URL('dist/node/cli.mjs', root));
/** Environment variable that marks every process that belongs to a trial. */
const MARK = 'HOLDFAST_TRIAL';
const MAX_OUTPUT_CHARACTERS = 20_000;

export const LOAD: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 100, seconds: 2 }] };

/** A process that a trial kills. */
export interface Victim {
  readonly child: ChildProcess;
  readonly getOutput: () => string;
  /** Resolves with true when the process has ended, or with false if the process took too long and was killed. */
  ended(withinMs: number): Promise<boolean>;
  /** Returns whether kill -9 ended the process. Otherwise, the process had already completed. */
  wasKilled(): boolean;
}

interface Command {
  readonly kill?: KillPoint;
  readonly environment?: NodeJS.ProcessEnv;
  /** Command prefix such as nsenter. */
  readonly prefix?: readonly string[];
}

/** One kill with its own folders, so that trials can run in parallel and all of their processes can be found. */
export class Trial {
  readonly name: string;
  readonly dice: Dice;
  readonly target: LoggingTarget;
  readonly folder: string;
  readonly home: string;
  readonly temporary: string;

  private constructor(name: string, dice: Dice, target: LoggingTarget, folder: string) {
    this.name = name;
    this.dice = dice;
    this.target = target;
    this.folder = folder;
    this.home = join(folder, 'home');
    this.temporary = join(folder, 'tmp');
  }

  static async open(name: string, dice: Dice, target: LoggingTarget): Promise<Trial> {
    const trial = new Trial(name, dice, target, await mkdtemp(join(tmpdir(), 'holdfast-kills-')));
    await Promise.all([trial.home, trial.temporary].map((path) => mkdir(path, { mode: 0o700 })));
    return trial;
  }

  get url(): string {
    return this.target.urlOf(this.name);
  }

  plan(changes: Partial<PlanInput> = {}): PlanInput {
    return { holdfast: 1, name: 'kills', targets: [{ url: this.url }], journey: [{ name: 'page' }], load: LOAD, ...changes };
  }

  /** Writes a plan and returns its path. */
  async writePlan(changes: Partial<PlanInput> = {}): Promise<string> {
    const path = join(this.folder, 'plan.json');
    await writeFile(path, JSON.stringify(this.plan(changes)));
    return path;
  }

  /** Starts the built command line. */
  cli(parameters: readonly string[], command: Command = {}): Victim {
    return this.start([CLI, ...parameters], command);
  }

  /** Starts a script from the bench with these settings. */
  script(script: URL, settings: object, command: Command = {}): Victim {
    return this.start([fileURLToPath(script), JSON.stringify(settings)], command);
  }

  private start(parameters: readonly string[], { kill, environment, prefix = [] }: Command): Victim {
    const killer = kill === undefined ? [] : ['--import', killerFor(kill)];
    const [program = process.execPath, ...words] = [...prefix, process.execPath, '--no-warnings', ...killer, ...parameters];
    const child = spawn(program, words, {
      // Standard input stays open, because some programs end when it is closed.
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...environment, ...this.ownEnvironment() },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS);
      });
    const exited = once(child, 'close');
    return {
      child,
      getOutput: () => output,
      wasKilled: () => child.signalCode === 'SIGKILL',
      async ended(withinMs) {
        const inTime = await Promise.race([exited.then(() => true), sleep(withinMs, false, { ref: false })]);
        if (!inTime) child.kill('SIGKILL');
        return inTime;
      },
    };
  }

  private ownEnvironment(): NodeJS.ProcessEnv {
    return { HOLDFAST_HOME: this.home, TMPDIR: this.temporary, [MARK]: this.name };
  }

  /** Returns the processes of this trial that are running. */
  async processes(): Promise<readonly { readonly pid: number; readonly command: string }[]> {
    const found = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const [environment, command] = await Promise.all(
            ['environ', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
          );
          // nginx empties its environment, but its command line contains the trial's folder.
          const isOurs =
            environment?.split('\0').includes(`${MARK}=${this.name}`) === true || command?.includes(`${this.folder}/`) === true;
          return isOurs ? { pid: Number(name), command: (command ?? '').replaceAll('\0', ' ').trim() } : null;
        }),
    );
    return found.flatMap((one) => one ?? []);
  }

  async close(): Promise<void> {
    for (const { pid } of await this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended in the meantime.
      }
    }
    this.target.forget(this.name);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
