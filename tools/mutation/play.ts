import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type Group, inOrder } from './inOrder.ts';
import type { Mutant } from './instrument.ts';
import type { Answer, Order } from './messages.ts';

/**
 * `endless`: its tests exceeded the time limit twice, or ran out of memory. `missed`: every test that reaches it passes. `unreached`: no
 * test reaches it. `left out`: a text, or code that runs once when a module is loaded.
 */
export type Fate = 'noticed' | 'endless' | 'missed' | 'unreached' | 'left out';

const RUNNER = resolve(import.meta.dirname, 'runner.ts');
const PROCESSES = 2;
/** Code that takes this many times the previous steps, plus a million, counts as endless. */
const STEPS_RATIO = 100;
const MAX_STEPS = 1_000_000;
/** The same for this time per test file, plus ten times the previous time. */
const MAX_MS = 20_000;

type Reply = Answer | { readonly kind: 'late' | 'ended' };

/** The bundled tests, their files, and the number of changes. */
export interface Bundle {
  readonly bundleFile: string;
  readonly files: readonly string[];
  readonly changes: number;
}

/** A process that runs tests; restarted when it ends or is stopped. */
class Process {
  private readonly bundle: Bundle;
  private child: ChildProcess | undefined;

  constructor(bundle: Bundle) {
    this.bundle = bundle;
  }

  async ask(order: Order, limitMs: number): Promise<Reply> {
    if (this.child === undefined) {
      this.child = fork(RUNNER, { execArgv: ['--max-old-space-size=1500'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const { bundleFile, changes } = this.bundle;
      const loaded = await this.tell({ kind: 'load', bundleFile, changes }, 10 * MAX_MS);
      // Without tests, the process would count every change as detected.
      if (loaded.kind !== 'loaded') throw new Error('A process could not load the tests.');
    }
    return await this.tell(order, limitMs);
  }

  private async tell(order: Order, limitMs: number): Promise<Reply> {
    const { child } = this;
    if (child === undefined) return { kind: 'ended' };
    const settled = new AbortController();
    const { signal } = settled;
    const late = setTimeout(() => settled.abort(), limitMs);
    child.send(order);
    try {
      const [answer] = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(() => Promise.reject(new Error('it ended'))),
      ]);
      return answer as Answer;
    } catch {
      this.end();
      return { kind: signal.aborted ? 'late' : 'ended' };
    } finally {
      clearTimeout(late);
      settled.abort();
    }
  }

  end(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

/** Returns the fate of each change in these files, by its id. Throws if a test fails without a change. */
export async function play(
  bundle: Bundle,
  mutants: readonly Mutant[],
  tell: (done: number, all: number) => void,
): Promise<Map<string, Fate>> {
  const processes = Array.from({ length: PROCESSES }, () => new Process(bundle));
  try {
    const counted = await processes[0]?.ask({ kind: 'count' }, 60 * MAX_MS);
    if (counted?.kind !== 'counted') throw new Error('The tests did not come to an end without a change.');
    const failing = counted.tests.find(({ failure }) => failure !== null);
    if (failing !== undefined) throw new Error(`A test fails without a change: ${failing.name}\n${failing.failure}`);
    const fates = new Map<string, Fate>();
    const left: { readonly id: string; readonly groups: readonly Group[] }[] = [];
    const reached = counted.tests.map((test) => new Set(test.reached));
    const atLoad = new Set(counted.atLoad);
    for (const { id, status, fileName } of mutants) {
      const change = Number(id);
      const groups = inOrder(
        fileName,
        counted.tests.filter((_test, index) => reached[index]?.has(change)),
        bundle.files,
      );
      if (status !== undefined) fates.set(id, 'left out');
      else if (groups.length > 0) left.push({ id, groups });
      else fates.set(id, atLoad.has(change) ? 'left out' : 'unreached');
    }
    const all = left.length;
    await Promise.all(
      processes.map(async (process) => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          fates.set(next.id, await fateOf(process, Number(next.id), next.groups));
          tell(all - left.length, all);
        }
      }),
    );
    return fates;
  } finally {
    for (const process of processes) process.end();
  }
}

async function fateOf(process: Process, change: number, groups: readonly Group[]): Promise<Fate> {
  for (const [index, { file, tests }] of groups.entries()) {
    const limitMs = MAX_MS + 10 * tests.reduce((sum, { ms }) => sum + ms, 0);
    const bounded = tests.map((test) => ({ index: test.index, maxSteps: STEPS_RATIO * test.steps + MAX_STEPS }));
    const order = { kind: 'change', change, file, tests: bounded, isFirst: index === 0 } as const;
    let reply = await process.ask(order, limitMs);
    // A busy machine may exceed the limit too, so a new process tries again.
    if (reply.kind === 'late') reply = await process.ask({ ...order, isFirst: true }, limitMs);
    if (reply.kind !== 'changed') return 'endless';
    if (reply.isNoticed) return 'noticed';
  }
  return 'missed';
}
