import { describe, expect, it } from 'vitest';
import { type GivenInputs, requireInputs } from '../calculator.ts';
import { computeDemand, participants, portSeconds } from './participants.ts';

const calculate = (given: GivenInputs = {}) => participants.calculate(requireInputs(participants, given));
const levelled = (given: GivenInputs): string =>
  calculate(given)
    .notes.map(({ level, text }) => `${level}: ${text}`)
    .join('\n');

describe('computeDemand and portSeconds', () => {
  it('sum actions and polls: 750 people who act every 5 s and poll every 15 s make 200 requests per second', () => {
    expect(computeDemand({ count: 750, pauseSeconds: 5, pollSeconds: 15 })).toEqual({ actions: 150, polls: 50, demand: 200 });
    expect(computeDemand({ count: 750, pauseSeconds: 5, pollSeconds: 30 }).demand).toBe(175);
    expect(computeDemand({ count: 750, pauseSeconds: 5, pollSeconds: null }).demand).toBe(150);
  });

  it('find when ports run out if each request has a connection of its own', () => {
    expect(portSeconds(980, 28_232).runsOutAfterSeconds).toBeCloseTo(28.8, 1);
    expect(portSeconds(700, 28_232).runsOutAfterSeconds).toBeCloseTo(40.3, 1);
    expect(portSeconds(470, 28_232)).toMatchObject({ runsOutAfterSeconds: null });
    expect(portSeconds(470, 28_232).sustainablePerSecond).toBeCloseTo(470.5, 1);
  });
});

const polling = { 'poll-seconds': 30 };

describe('result for participants', () => {
  it('says for how many people a measured rate suffices', () => {
    const { sentence, table } = calculate({ 'poll-seconds': 15, 'measured-per-second': 981.73 });
    expect(sentence).toBe(
      '750 participants send 200 requests a second. The server sustained 982, 4.91 times as many: enough for 3,681 participants.',
    );
    expect(table.rows.find(({ label }) => label === 'Requests in an hour')?.values).toEqual([720_000]);
  });

  it('says by how much the measured rate is too low, and warns when little capacity is left', () => {
    expect(calculate({ ...polling, 'measured-per-second': 100 }).sentence).toContain(
      '57.1 % of them: enough for 428 participants, not for 750',
    );
    expect(levelled({ ...polling, 'measured-per-second': 100 })).toContain('problem: It is not enough.');
    expect(levelled({ ...polling, 'measured-per-second': 200 })).toContain('warning: Only 14.3 % is left in reserve');
    expect(levelled({ ...polling, 'measured-per-second': 400 })).not.toMatch(/problem|warning/);
  });

  it('makes no promise without a measurement, and warns about ports at high rates', () => {
    expect(calculate().sentence).toContain('A test has to show');
    expect(levelled({ participants: 5_000 })).toContain('warning: A proxy or a pool');
    expect(levelled({})).toContain('Demand = 750 / 5 s.');
  });
});
