import { describe, expect, it } from 'vitest';
import { type GivenInputs, requireInputs } from '../calculator.ts';
import { connectionLimits, connections, connectionsNeeded, memoryForLimit } from './connections.ts';

const calculate = (given: GivenInputs = {}) => connections.calculate(requireInputs(connections, given));
const levelled = (given: GivenInputs): string =>
  calculate(given)
    .notes.map(({ level, text }) => `${level}: ${text}`)
    .join('\n');

describe('connection limits of a database', () => {
  it.each([
    [4, 341, 450],
    [244, 20_821, 5_000],
  ])('follow from a memory of %d GiB', (gibibytes, mysql, postgresql) => {
    expect(connectionLimits(gibibytes)).toEqual({ mysql, postgresql });
  });

  it('can be converted back to the memory that they follow from', () => {
    const { mysql, postgresql } = memoryForLimit(291);
    expect([mysql.toFixed(2), postgresql?.toFixed(2), Math.round((100 * mysql) / 4)]).toEqual(['3.41', '2.58', 85]);
    expect(memoryForLimit(19_000).mysql).toBeCloseTo(222.7, 1);
    expect(memoryForLimit(5_000).postgresql).toBeNull();
  });

  it('must cover the pool and the overflow of every process', () => {
    expect(
      [
        [20, 0],
        [30, 0],
        [5, 0],
        [5, 10],
      ].map(([pool = 0, overflow = 0]) => connectionsNeeded(64, pool, overflow)),
    ).toEqual([1_280, 1_920, 320, 960]);
  });
});

describe('result for connections', () => {
  it('judges both engines if the limit is unknown, and mentions the memory that is available', () => {
    const { sentence, notes } = calculate();
    expect(sentence).toContain('960 connections');
    expect(notes.filter(({ level }) => level === 'problem')).toHaveLength(2);
    expect(levelled({})).toMatch(/less than what the machine is sold with/);
    expect(levelled({ overflow: 0, pool: 1 })).not.toContain('problem');
  });

  it('judges the observed limit and names the matching engine', () => {
    expect(levelled({ 'limit-seen': 291, overflow: 0 })).toMatch(
      /problem: The database has 288 connections .* 32 too few[\s\S]*info: A limit of 291 .*fits MySQL\./,
    );
    expect(levelled({ 'limit-seen': 450 })).toMatch(/fits PostgreSQL/);
    expect(levelled({ 'limit-seen': 5_000, 'memory-gib': 244 })).toMatch(/highest limit for PostgreSQL.*fits PostgreSQL/);
    expect(levelled({ 'limit-seen': 100 })).toMatch(/warning: .*Neither fits/);
  });

  it('reports a problem from one connection too many on', () => {
    const exact = { 'limit-seen': 100, reserved: 3, pool: 1, overflow: 0 };
    expect(levelled({ ...exact, processes: 97 })).not.toContain('problem');
    expect(levelled({ ...exact, processes: 98 })).toMatch(/problem: .* 1 too few/);
  });
});
