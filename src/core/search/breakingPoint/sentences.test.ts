import { describe, expect, it } from 'vitest';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { conclude } from './conclusion.ts';
import { searchFacts } from './facts.ts';
import type { LevelReading, ProbeReading, RecoveryReading } from './reading.ts';
import { breakingPointSettingsSchema, type BreakingPointConclusion } from './schema.ts';
import { failedLevel, passedLevel, probe, readRun, recovered } from './testing/levelReadings.ts';

const open = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const closed = planWith({ load: stages({ connections: 40, seconds: 10 }) });
const slow: ProbeReading = { ...probe, p50Ms: 5_000, p90Ms: 9_000 };
type Reading = LevelReading | ProbeReading | RecoveryReading;

const makeRun = (reading: Reading, position: number): SearchRun => readRun(reading, position, { spentSeconds: 2 });

function conclusion(readings: readonly Reading[], plan = open, changes: object = {}): BreakingPointConclusion {
  const settings = breakingPointSettingsSchema.parse({ from: 40, ...changes });
  return conclude(searchFacts(plan, settings, [probe, ...readings].map(makeRun)));
}
const found = [passedLevel(40), failedLevel(42)];

describe('sentence about a breaking point', () => {
  it.each<readonly [string, readonly Reading[], object]>([
    ['No level has been measured.', [], {}],
    ['Sustains 40 requests/s; the breaking point was not reached.', [passedLevel(40)], {}],
    ['Passed at 40 requests/s, the highest level tested.', [passedLevel(40)], { to: 40 }],
    ['Failed at 40 requests/s, and no lower level passed.', [failedLevel(40)], {}],
    ['Sustains 40 requests/s and fails at 42 requests/s.', found, {}],
    ['Sustains 40 requests/s and fails at 80 requests/s. A longer search would narrow this down.', [passedLevel(40), failedLevel(80)], {}],
    [
      'Inconclusive: the failures at 80 requests/s have nothing to do with load. A page is missing.',
      [passedLevel(40), passedLevel(80, { outcome: 'unclear', because: 'wrongPlace', text: 'A page is missing.' })],
      {},
    ],
    [
      'Inconclusive: at 80 requests/s this computer was the limit. No port was left. It sustains at least 40 requests/s.',
      [passedLevel(40), passedLevel(80, { outcome: 'unclear', because: 'generator', text: 'No port was left.' })],
      {},
    ],
    [
      'Inconclusive: 40 requests/s gave no clear result. It was stopped.',
      [passedLevel(40, { outcome: 'unclear', because: 'cutOff', text: 'It was stopped.' })],
      {},
    ],
  ])('%s', (sentence, readings, changes) => expect(conclusion(readings, open, changes).sentence).toBe(sentence));

  it('does not suggest a longer search for whole levels', () => {
    expect(conclusion([passedLevel(40), failedLevel(80)], closed).sentence).toBe('Sustains 40 connections and fails at 80 connections.');
  });

  it('says that the server did not recover within the longest wait', () => {
    const waiting = (looks: number) =>
      conclusion([passedLevel(40), failedLevel(80), ...Array.from({ length: looks }, () => slow)]).sentence;
    expect(waiting(149)).not.toContain('recovered');
    expect(waiting(150)).toContain('The server has not recovered since 80 requests/s: for 5 min, a single user');
  });
});

describe('result of a search', () => {
  it('estimates the geometric mean, and is known if a level passed and none was unclear', () => {
    expect(conclusion([passedLevel(40), failedLevel(90)])).toMatchObject({
      sustained: 40,
      breakingPoint: 90,
      estimate: 60,
      isKnown: true,
      unit: 'arrivalsPerSecond',
    });
    expect(conclusion([failedLevel(90)])).toMatchObject({ sustained: null, estimate: null, isKnown: false });
    expect(conclusion([passedLevel(40)])).toMatchObject({ breakingPoint: null, estimate: null, isKnown: true });
    expect(conclusion([passedLevel(40), passedLevel(80, { outcome: 'unclear', because: 'nothing' })])).toMatchObject({ isKnown: false });
    expect(conclusion([passedLevel(40)], closed).unit).toBe('connections');
  });

  it('gives the ranges of time-outs and failures below the lowest level with them', () => {
    const levels = [
      passedLevel(10),
      passedLevel(20),
      passedLevel(30, { failed: 2 }),
      passedLevel(25),
      failedLevel(40, { failed: 5, timeouts: 3 }),
      passedLevel(35, { sent: 0 }),
    ];
    expect(conclusion(levels)).toMatchObject({ withoutError: { upTo: 25, from: 30 }, withoutTimeout: { upTo: 30, from: 40 } });
    expect(conclusion([passedLevel(10, { failed: 1 })])).toMatchObject({
      withoutError: { upTo: null, from: 10 },
      withoutTimeout: { upTo: 10, from: null },
    });
  });
});

describe('reasons for a result', () => {
  const reasons = (readings: readonly Reading[], plan = open, changes: object = {}): string =>
    conclusion(readings, plan, changes).reasons.join('\n');

  it('are the two levels, the ranges and the formula', () => {
    expect(conclusion(found).reasons.slice(0, 2)).toEqual([
      'At 40 requests/s: All pass criteria passed, and no queue grew.',
      'At 42 requests/s: A queue grew.',
    ]);
    expect(reasons(found)).toContain('No time-out at any level, up to 42 requests/s.\nNo failure at any level, up to 42 requests/s.');
    expect(reasons([passedLevel(40), failedLevel(42, { failed: 3 })])).toContain(
      'No failure up to 40 requests/s; the first at 42 requests/s.',
    );
    expect(reasons([passedLevel(40, { failed: 3 })])).toContain('There were failures at every level, 40 requests/s the lowest.');
    expect(reasons([])).toBe('');
  });

  it('use the counted runs, and are absent if nothing was sent', () => {
    const mixed = [failedLevel(40), passedLevel(40), passedLevel(40), failedLevel(80), failedLevel(80)];
    expect(conclusion(mixed, open, { repeats: 3 }).reasons[0]).toBe('At 40 requests/s: All pass criteria passed, and no queue grew.');
    expect(reasons([passedLevel(40, { sent: 0 })])).not.toContain('time-out');
  });

  it('explain a formula that is off by more than 10 %', () => {
    const reported = reasons([passedLevel(40, { meanMs: 100 }), failedLevel(42, { okPerSecond: 40 })]);
    expect(reported).toContain('By the queueing formula: 40 responses/s × 100 ms each = 4');
    expect(reported).not.toContain('The formula predicts');
    const off = (okPerSecond: number) => reasons([passedLevel(40, { meanMs: 1_000, okPerSecond: 40 }), failedLevel(42, { okPerSecond })]);
    expect(off(46)).toContain(
      'The formula predicts 46 requests/s, but 41 requests/s was measured: a pass criterion fails before every worker is busy.',
    );
    expect(off(45)).not.toContain('The formula predicts');
    expect(off(36)).toContain('but 41 requests/s was measured: the server does more at once than the formula assumes');
    expect(off(37)).not.toContain('The formula predicts');
  });

  it('report the recovery: how long it took, that it took longer, or why it is unknown', () => {
    const after = (changes: Partial<RecoveryReading>) => reasons([...found, { ...recovered, ...changes }]);
    const what = 'After 10 s of 60 requests/s, back at 20 requests/s';
    expect(after({})).toContain(`${what}, it recovered after 8 s ± 0.5 s (p90 50 ms before, 900 ms at worst).`);
    expect(after({ seconds: null, worstMs: null })).toContain(`${what}, it did not recover within 30 s.`);
    expect(after({ beforeMs: null })).toContain(`${what}, it recovered after 8 s ± 0.5 s.`);
    expect(after({ seconds: null, reason: 'Too few responses.' })).toContain(`${what}: time to recover unknown. Too few responses.`);
  });

  it('say that closed loads leave no queue, if the recovery was to be tested', () => {
    const words = 'clients that wait for each response leave no queue behind';
    expect(reasons(found, closed)).toContain(words);
    expect(reasons(found, open)).not.toContain(words);
    expect(reasons(found, closed, { recovery: false })).not.toContain(words);
    expect(reasons([passedLevel(40)], closed)).not.toContain(words);
    expect(reasons([...found, slow, probe], closed), 'it was seen').not.toContain(words);
  });

  it('report how long the server took to recover after a level', () => {
    expect(reasons([passedLevel(40), failedLevel(80), slow, slow, probe])).toContain(
      'Time to recover after 80 requests/s (4 s): a single user',
    );
    expect(reasons([passedLevel(40), failedLevel(80), slow])).toContain('Time to recover after 80 requests/s (not within 2 s): a');
    expect(reasons([passedLevel(40), failedLevel(80), probe])).not.toContain('Time to recover after');
  });

  it('report mixed, uncertain and overloaded levels, and a shared machine', () => {
    const mixed = [passedLevel(40), passedLevel(40), failedLevel(40), failedLevel(80)];
    expect(reasons(mixed, open, { repeats: 3 })).toContain('40 requests/s: some runs passed and some failed. The majority counts.');
    expect(reasons(found)).not.toContain('some runs passed');
    expect(reasons([passedLevel(40, { isSure: false }), failedLevel(80)])).toContain(
      '1 of 2 runs are inconclusive by themselves and count by what they measured',
    );
    expect(reasons(found)).not.toContain('too few responses to prove');
    expect(
      reasons([
        passedLevel(40, { overloadedSeconds: 1 }),
        passedLevel(40, { overloadedSeconds: 1 }),
        failedLevel(80, { overloadedSeconds: 2 }),
      ]),
    ).toContain('overloaded in some seconds at 40 requests/s, 80 requests/s.');
    expect(reasons(found)).not.toContain('overloaded in some seconds');
  });

  it('name steps that the server refuses at any load', () => {
    const refuses = (level: number, refused: number) =>
      failedLevel(level, {
        refused: [
          { step: 'login', refused, complete: 10 * level },
          { step: 'page', refused: 0, complete: 10 * level },
        ],
      });
    expect(reasons([refuses(40, 40), refuses(80, 82)], closed)).toContain(
      '10.2 % of requests of “login” are refused at any load: 10 % at 40 connections, 10.3 % at 80 connections. Load is not the cause.',
    );
    expect(reasons([refuses(40, 4), refuses(80, 300)], closed)).not.toContain('refused at any load');
    expect(reasons([passedLevel(40), refuses(80, 80)], closed)).not.toContain('refused at any load');
  });

  it('give the interval', () => {
    const share = (low: number, high: number) => ({ growthShare: { low, high } });
    const sure = [passedLevel(40, { ...share(-0.01, 0.01), isSure: true }), failedLevel(42, { ...share(0.04, 0.06), isSure: true })];
    expect(reasons(sure)).toContain('With 95 % confidence the breaking point is between 39.6 requests/s and 42 requests/s.');
    expect(reasons([passedLevel(40), failedLevel(42, { because: 'criterion', isSure: false })])).toContain(
      'With 95 % confidence the breaking point is above 40 requests/s; how far above is unknown.',
    );
    expect(reasons([passedLevel(40, { isSure: false }), failedLevel(42)])).toContain(
      'With 95 % confidence the breaking point is below 42 requests/s.',
    );
    expect([reasons([passedLevel(40)]), reasons([failedLevel(40)])].join('\n')).not.toContain('95 % confidence');
    expect(reasons([passedLevel(40, { isSure: false }), failedLevel(42, { isSure: false })])).toContain(
      'Too few responses to name a level with 95 % confidence.',
    );
  });
});
