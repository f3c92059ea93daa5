import { describe, expect, it, vi } from 'vitest';
import type { SelfTestCheck, SelfTestFact, SelfTestReport } from '#core/measurement/selfTest/report.ts';
import { selfTestReportWith } from '#core/testing/selfTests.ts';
import { resultSchema } from '#core/result/schema.ts';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';
import { checkText, selfTestText } from './selftest.ts';

const RIGHT_FACTS: SelfTestFact[] = [
  { name: 'bytes sent', kind: 'count', unit: 'bytes', measured: 30_492, known: 30_492, tolerance: 0, passed: true },
  { name: 'service time p50', kind: 'time', unit: 'ms', measured: 50.02, known: 49.5, tolerance: 1, passed: true },
];
const LATE_FACT: SelfTestFact = {
  name: 'service time p90',
  kind: 'time',
  unit: 'ms',
  measured: 54.4,
  known: 51.3,
  tolerance: 1.03,
  passed: false,
};
const LOST_FACT: SelfTestFact = { name: 'requests sent', kind: 'count', unit: '', measured: 308, known: 310, tolerance: 0, passed: false };

function checkWith(facts: SelfTestFact[], changes: Partial<SelfTestCheck> = {}): SelfTestCheck {
  return {
    id: 'fixedDelay',
    title: 'Fixed 50 ms',
    story: 'Every request gets a response after 50 ms.',
    engine: 'native',
    engineVersion: '1',
    facts,
    passed: facts.every(({ passed }) => passed),
    repeats: 0,
    steal: 0,
    processorUse: 0.5,
    overloadedBy: [],
    problem: null,
    ...changes,
  };
}

function buildReport(...checks: SelfTestCheck[]): SelfTestReport {
  return selfTestReportWith({ checks, passed: checks.every(({ passed }) => passed) });
}

describe('the self-test on the terminal', () => {
  it("shows each figure next to the server's count, which is equal to the byte", () => {
    expect(checkText(checkWith([...RIGHT_FACTS, LOST_FACT]))).toBe(`FAILED  Fixed 50 ms (native): Every request gets a response after 50 ms.
  equal     bytes sent        measured 30,492 B  the server knows 30,492 B
  within    service time p50  measured 50 ms     the server knows 49.5 ms, ± 1 ms
  WRONG     requests sent     measured 308       the server knows 310
`);
  });

  it('reports repeated time measurements and skipped checks', () => {
    expect(checkText(checkWith(RIGHT_FACTS, { repeats: 2, steal: 0.04 }))).toContain('measured 3 times');
    expect(checkText(checkWith([], { passed: false, problem: 'It does not respond.' }))).toContain('  It does not respond.\n');
  });

  it('distinguishes a busy computer from a wrong count', () => {
    expect(selfTestText(buildReport(checkWith(RIGHT_FACTS)))).toContain('passed: 1 of 1 checks in 25 s\n');
    expect(selfTestText(buildReport(checkWith(RIGHT_FACTS), checkWith([...RIGHT_FACTS, LATE_FACT])))).toMatch(
      /FAILED: Fixed 50 ms \(native\) in 25 s\nEvery count is right/,
    );
    expect(selfTestText(buildReport(checkWith([...RIGHT_FACTS, LATE_FACT], { steal: 0.03 })))).toMatch(
      /not: the host of this virtual machine/,
    );
    expect(selfTestText(buildReport(checkWith([...RIGHT_FACTS, LATE_FACT, LOST_FACT])))).not.toContain('Every count is right');
  });

  it('shows the limits, or that they are unknown', () => {
    const text = selfTestText(buildReport(checkWith(RIGHT_FACTS)));
    expect(text).toMatch(/Requests per second +74,800\/s/);
    expect(text).toMatch(/Arrivals per second, lag p99 below 5 ms +not measured/);
  });
});

describe('selftest', () => {
  it('stops on Ctrl-C and saves nothing', async () => {
    const cli = await startHarness();
    const runningCommand = cli.start('selftest');
    await vi.waitFor(() => expect(runningCommand.out.text).toMatch(/passed|FAILED/), 20_000);
    runningCommand.interrupt();
    expect(await runningCommand.done).toMatchObject({ code: 130, err: expect.stringContaining('Nothing of this self-test is kept') });
    const target = await startTarget();
    const { out } = await cli.run('quick', target.url, '-n', '10', '--json', '-');
    expect(makeGenerator(out)?.selfTest).toBeNull();
  });
});

function makeGenerator(json: string) {
  return resultSchema.parse(JSON.parse(json)).generators[0];
}
