import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { unknownReading } from '#core/result/readings.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { facts, generatorThatReads, healthyStep } from '../testing/facts.ts';
import { played, findingsBy } from '../testing/found.ts';
import { RULES } from '../diagnose.ts';
import type { MeasuredRun } from '../rule.ts';

const web1: MeasuredRun['generators'][number] = {
  ...generatorThatReads([]),
  name: 'web1',
  overloadedSeconds: 60,
  readings: [{ ...unknownReading(1), stoodStillMs: 900, overloadedBy: ['threadCpu', 'noPort'] }],
};
const busy = (given: MeasuredRun): MeasuredRun => ({
  ...given,
  windows: given.windows.map((one) => ({ ...one, overloadedBy: ['threadCpu'] })),
});
const failing = (outcome: 'noPort' | 'noFile') =>
  facts(healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 6_010, ok: 6_000, [outcome]: 10 } }));

it.each([
  ['portsExhausted.generator', failing('noPort')],
  ['portsExhausted.files', failing('noFile')],
  [
    'growingQueue',
    busy(played(planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 30 }]) }), { workers: 1, serviceMs: () => 100 })),
  ],
  [
    'windowTooShort',
    busy(
      played(
        planWith({ load: users([{ users: 160, seconds: 3 }], { kind: 'fixed', seconds: 1 }), drainSeconds: 1 }),
        { workers: 8, serviceMs: () => 400 },
        4_000,
      ),
    ),
  ],
  ['generatorLimited', busy(facts())],
  ['standstill', facts()],
] satisfies readonly (readonly [string, MeasuredRun])[])('finding %s names the machine that made the load', (id, given) => {
  const [finding] = findingsBy(id, { ...given, generators: [web1] });
  expect(finding).toBeDefined();
  const stated = [
    finding?.sentence,
    ...(finding?.evidence ?? []),
    finding?.remedy,
    ...(finding?.figures ?? []).map(({ what }) => what),
  ].join(' ');
  expect(stated).toContain('web1');
  expect(stated).not.toMatch(/this computer/i);
});

it('rules: none contains the words “this computer”, because any host may generate load', async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  let rules = 0;
  for (const file of files) {
    const source = await readFile(`${import.meta.dirname}/${file}`, 'utf8');
    rules += source.match(/^export const \w+ = (?:rule|ruleForEachStream|ruleForAlikePages)[(<]/gm)?.length ?? 0;
    expect(source.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, ''), file).not.toMatch(/this computer/i);
  }
  expect(rules).toBe(RULES.length);
});
