import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Answer, CountedTest, Order } from './messages.ts';
import type { Mutant } from './instrument.ts';

/**
 * `endless`: its tests came to no end in time, twice, or took all memory. `missed`: every test that reaches it passes. `unreached`: there is none.
 * `left out`: words, and what happens once when a module is loaded.
 */
export type Fate = 'noticed' | 'endless' | 'missed' | 'unreached' | 'left out';

const RUNNER = resolve(import.meta.dirname, 'runner.ts');
const PROCESSES = 2;
/** A change that is reached so many times more often than before never ends; property tests look for the smallest example. */
const MORE_HITS = 100;
/** Nor does one that takes this long, beside ten times what its tests took before. */
const LONGEST_MS = 20_000;

type Reply = Answer | { readonly kind: 'late' | 'ended' };

/** A process that runs tests; a new one where the last one ended or was stopped. */
class Process {
  private readonly bundleFile: string;
  private child: ChildProcess | undefined;

  constructor(bundleFile: string) {
    this.bundleFile = bundleFile;
  }

  async ask(order: Order, longestMs: number): Promise<Reply> {
    if (this.child === undefined) {
      this.child = fork(RUNNER, { execArgv: ['--max-old-space-size=1500'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const loaded = await this.tell({ kind: 'load', bundleFile: this.bundleFile }, 10 * LONGEST_MS);
      // Without its tests, it would have every change for a noticed one.
      if (loaded.kind !== 'loaded') throw new Error('A process could not load the tests.');
    }
    return await this.tell(order, longestMs);
  }

  private async tell(order: Order, longestMs: number): Promise<Reply> {
    const { child } = this;
    if (child === undefined) return { kind: 'ended' };
    const settled = new AbortController();
    const { signal } = settled;
    const late = setTimeout(() => settled.abort(), longestMs);
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

/** What becomes of each change, by its id. Throws where a test fails without any. */
export async function play(
  bundleFile: string,
  mutants: readonly Mutant[],
  tell: (done: number, all: number) => void,
): Promise<Map<string, Fate>> {
  const processes = Array.from({ length: PROCESSES }, () => new Process(bundleFile));
  try {
    const counted = await processes[0]?.ask({ kind: 'count' }, 60 * LONGEST_MS);
    if (counted?.kind !== 'counted') throw new Error('The tests did not come to an end without a change.');
    const failing = counted.tests.find(({ failure }) => failure !== null);
    if (failing !== undefined) throw new Error(`A test fails without a change: ${failing.name}\n${failing.failure}`);
    const fates = new Map<string, Fate>();
    const left: { readonly id: string; readonly reached: readonly number[] }[] = [];
    const atLoad = new Set(counted.atLoad);
    for (const { id, status } of mutants) {
      const reached = testsThatReach(id, counted.tests);
      if (status !== undefined) fates.set(id, 'left out');
      else if (reached.length > 0) left.push({ id, reached });
      else fates.set(id, atLoad.has(id) ? 'left out' : 'unreached');
    }
    const all = left.length;
    await Promise.all(
      processes.map(async (process) => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          fates.set(next.id, await fateOf(process, next, counted.tests));
          tell(all - left.length, all);
        }
      }),
    );
    return fates;
  } finally {
    for (const process of processes) process.end();
  }
}

/** The quickest first: most changes are noticed by several. */
function testsThatReach(id: string, tests: readonly CountedTest[]): number[] {
  return tests
    .flatMap(({ hits, ms }, index) => (hits[id] === undefined ? [] : [{ index, ms }]))
    .toSorted((one, other) => one.ms - other.ms)
    .map(({ index }) => index);
}

async function fateOf(
  process: Process,
  { id, reached }: { readonly id: string; readonly reached: readonly number[] },
  tests: readonly CountedTest[],
): Promise<Fate> {
  const sum = (of: (test: CountedTest) => number): number =>
    reached.reduce((total, index) => total + (tests[index] === undefined ? 0 : of(tests[index])), 0);
  const mostHits = MORE_HITS * sum(({ hits }) => hits[id] ?? 0);
  const longestMs = LONGEST_MS + 10 * sum(({ ms }) => ms);
  const ask = async (): Promise<Reply> => await process.ask({ kind: 'change', id, tests: reached, mostHits }, longestMs);
  let reply = await ask();
  // A machine that is busy with something else is late too.
  if (reply.kind === 'late') reply = await ask();
  if (reply.kind !== 'changed') return 'endless';
  return reply.isNoticed ? 'noticed' : 'missed';
}
