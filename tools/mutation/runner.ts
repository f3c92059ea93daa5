// Runs tests with one change after the other, as the parent process requests.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { expect } from 'vitest';
import type { Answer, CountedTest, Order } from './messages.ts';
import { newSuite, type Test } from './suite.ts';
import { ACTIVE_FUNCTION, newSwitches, REACH_FUNCTION, type Switches } from './switches.ts';

const require = createRequire(import.meta.url);
// The same seed as in all test runs. A single failure detects a change, so shrinking is off.
require('fast-check').configureGlobal({ seed: 20_140_425, endOnFailure: true });

/** The bundle: the functions that it calls, and its exports. */
type Modules = (reach: Switches['reach'], isActive: Switches['isActive'], require: (id: string) => unknown, exports: object) => void;

/** The tests of a bundle, and the switches of its changes. */
class Bundle {
  private readonly modules: Modules;
  private readonly switches: Switches;
  private suite = newSuite();
  private files: readonly (() => Promise<unknown>)[] = [];

  constructor(file: string, changes: number) {
    const parameters = [REACH_FUNCTION, ACTIVE_FUNCTION, 'require', 'exports'].join(', ');
    this.modules = new Script(`(function (${parameters}) {${readFileSync(file, 'utf8')}\n})`).runInThisContext() as Modules;
    this.switches = newSwitches(changes);
  }

  async count(): Promise<Answer> {
    const atLoad = new Set<number>();
    const tests: CountedTest[] = [];
    this.renew();
    for (const file of this.files.keys()) {
      // Like for a change: cached results of an earlier file are computed again.
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
    for (const { index, maxSteps } of chosen) {
      this.switches.begin(change, maxSteps);
      const test = tests[index];
      const failure = test === undefined ? 'there is no such test' : await failureOf(test.run);
      // The code may catch the error for too many steps.
      if (failure !== null || this.switches.counted().steps > maxSteps) return { kind: 'changed', isNoticed: true };
    }
    return { kind: 'changed', isNoticed: false };
  }

  /** Creates every module anew, so the effect of one change cannot reach the next. */
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
