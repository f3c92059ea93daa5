// Runs tests with one change after another, as the process that started it says.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { expect } from 'vitest';
import type { Answer, CountedTest, Order } from './messages.ts';
import { newSuite, type Test } from './suite.ts';
import { IS_ACTIVE, newSwitches, REACH, type Switches } from './switches.ts';

const require = createRequire(import.meta.url);
// Values as in all runs of the tests; what failed once is noticed, whatever the smallest example of it.
require('fast-check').configureGlobal({ seed: 20_140_425, endOnFailure: true });

/** The bundle: what it calls, and what a module has. */
type Modules = (reach: Switches['reach'], isActive: Switches['isActive'], require: (id: string) => unknown, exports: object) => void;

/** The tests of a bundle, and the switches of its changes. */
class Bundle {
  private readonly modules: Modules;
  private readonly switches: Switches;
  private suite = newSuite();
  private files: readonly (() => Promise<unknown>)[] = [];

  constructor(file: string, changes: number) {
    const parameters = [REACH, IS_ACTIVE, 'require', 'exports'].join(', ');
    this.modules = new Script(`(function (${parameters}) {${readFileSync(file, 'utf8')}\n})`).runInThisContext() as Modules;
    this.switches = newSwitches(changes);
  }

  async count(): Promise<Answer> {
    const atLoad = new Set<number>();
    const tests: CountedTest[] = [];
    this.renew();
    for (const file of this.files.keys()) {
      // As for a change: what an earlier file has worked out is worked out again.
      this.renew();
      const found = await this.testsOf(file);
      for (const change of this.switches.counted().reached) atLoad.add(change);
      for (const [index, { name, run }] of found.entries()) {
        this.switches.begin(null, Infinity);
        const before = performance.now();
        const failure = await failureOf(run);
        tests.push({ file, index, name, ms: performance.now() - before, failure, ...this.switches.counted() });
      }
    }
    return { kind: 'counted', tests, atLoad: [...atLoad] };
  }

  async change({ change, file, tests: chosen, isFirst }: Extract<Order, { kind: 'change' }>): Promise<Answer> {
    if (isFirst) this.renew();
    const tests = await this.testsOf(file);
    for (const { index, mostSteps } of chosen) {
      this.switches.begin(change, mostSteps);
      const test = tests[index];
      const failure = test === undefined ? 'there is no such test' : await failureOf(test.run);
      // The code may catch what is thrown when it takes too many steps.
      if (failure !== null || this.switches.counted().steps > mostSteps) return { kind: 'changed', isNoticed: true };
    }
    return { kind: 'changed', isNoticed: false };
  }

  /** Every module anew: what a change left in one must not meet the next. */
  private renew(): void {
    this.suite = newSuite();
    const { reach, isActive } = this.switches;
    const { describe, it } = this.suite;
    const exports: { files?: Bundle['files'] } = {};
    this.modules(reach, isActive, (id) => (id === 'vitest' ? { describe, it, expect } : require(id)), exports);
    this.files = exports.files ?? [];
  }

  private async testsOf(file: number): Promise<readonly Test[]> {
    this.switches.begin(null, Infinity);
    await this.files[file]?.();
    return this.suite.take();
  }
}

async function failureOf(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
}

let bundle: Bundle | undefined;

async function answerTo(order: Order): Promise<Answer> {
  if (order.kind === 'load') {
    bundle = new Bundle(order.bundleFile, order.changes);
    return { kind: 'loaded' };
  }
  if (bundle === undefined) throw new Error('There is nothing loaded.');
  return order.kind === 'count' ? await bundle.count() : await bundle.change(order);
}

process.on('message', (order: Order) => {
  void answerTo(order).then((answer) => process.send?.(answer));
});
