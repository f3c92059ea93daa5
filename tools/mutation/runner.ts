// Runs tests with one change after another, as the process that started it says.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { expect } from 'vitest';
import type { Answer, CountedTest, Order } from './messages.ts';
import { newSuite, type Test } from './suite.ts';

/** Stryker's switches, in its own words; `isCounting` is ours (instrument.ts). */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { readonly static: Record<string, number>; readonly perTest: Record<string, Record<string, number>> };
  isCounting?: boolean;
}
const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });

const require = createRequire(import.meta.url);
// Values as in all runs of the tests; what failed once is noticed, whatever the smallest example of it.
require('fast-check').configureGlobal({ seed: 20_140_425, endOnFailure: true });

type Loaded = (require: (id: string) => unknown, module: { exports: unknown }, exports: unknown) => void;
let load: Loaded | undefined;

/** Every module anew: what a change left in one must not meet the next. */
function freshTests(): readonly Test[] {
  switches.activeMutant = undefined;
  const { tests, ...suite } = newSuite();
  const module = { exports: {} };
  load?.((id) => (id === 'vitest' ? { ...suite, expect } : require(id)), module, module.exports);
  return tests;
}

async function count(): Promise<Answer> {
  const coverage: NonNullable<Switches['mutantCoverage']> = { static: {}, perTest: {} };
  switches.mutantCoverage = coverage;
  switches.isCounting = true;
  const counted: CountedTest[] = [];
  for (const [index, { name, run }] of freshTests().entries()) {
    switches.currentTestId = `test ${index}`;
    const before = performance.now();
    const failure = await failureOf(run);
    counted.push({ name, ms: performance.now() - before, failure, hits: coverage.perTest[`test ${index}`] ?? {} });
    switches.currentTestId = undefined;
  }
  switches.isCounting = false;
  return { kind: 'counted', tests: counted, atLoad: Object.keys(coverage.static) };
}

async function failureOf(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
}

async function change({ id, tests: chosen, mostHits }: Extract<Order, { kind: 'change' }>): Promise<Answer> {
  const tests = freshTests();
  Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: mostHits });
  for (const index of chosen) {
    const test = tests[index];
    const failure = test === undefined ? 'there is no such test' : await failureOf(test.run);
    if (failure !== null || (switches.hitCount ?? 0) > mostHits) return { kind: 'changed', isNoticed: true };
  }
  return { kind: 'changed', isNoticed: false };
}

async function answerTo(order: Order): Promise<Answer> {
  switch (order.kind) {
    case 'load':
      load = new Script(`(function (require, module, exports) {${readFileSync(order.bundleFile, 'utf8')}\n})`).runInThisContext() as Loaded;
      return { kind: 'loaded' };
    case 'count':
      return await count();
    case 'change':
      return await change(order);
    default:
      return order satisfies never;
  }
}

process.on('message', (order: Order) => {
  void answerTo(order).then((answer) => process.send?.(answer));
});
