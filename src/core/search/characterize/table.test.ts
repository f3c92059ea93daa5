import { expect, it } from 'vitest';
import { describeCharacter } from './conclusion.ts';
import type { CharacterConclusion } from './schema.ts';
import { characterTable } from './table.ts';

const rowOf = (changes: Partial<CharacterConclusion>): string[] =>
  characterTable({ ...describeCharacter([], null), ...changes }, 'http://web1/').row;

it('characterFacts: returns the same properties in the same order for each server, or “unknown”', () => {
  const { columns, row } = characterTable(describeCharacter([], null), 'http://web1/');
  expect(columns.map(({ name }) => name)).toEqual([
    'Server',
    'Kind',
    'Time of a response',
    'Workers',
    'Queue',
    'Time-out',
    'Idle connections',
  ]);
  expect(columns.flatMap(({ name, numeric }) => (numeric ? [name] : []))).toEqual(['Time of a response', 'Workers', 'Queue']);
  expect(row).toEqual(['http://web1/', ...Array.from({ length: 6 }, () => 'unknown')]);
});

it('characterFacts: returns intervals, and limits that were not found', () => {
  const keepAlive = { reuses: true, closedAfterSeconds: 5, openForSeconds: null, statedSeconds: null };
  expect(
    rowOf({
      server: 'synchronous',
      serviceMs: { value: 801, low: 799, high: 803 },
      workers: { value: 17, low: 17, high: 17 },
      queueAtLeast: 47,
      longestMs: 3_100,
      keepAlive,
    }).slice(1),
  ).toEqual(['synchronous', '801 ms (799 ms to 803 ms)', '17', 'at least 47', 'not within 3.1 s', 'closed after 5 s']);
  expect(
    rowOf({
      server: 'asynchronous',
      queueLength: { value: 10, low: 9, high: 11 },
      timeoutMs: 6_000,
      keepAlive: { ...keepAlive, closedAfterSeconds: null, openForSeconds: 10 },
    }).slice(3),
  ).toEqual(['no limit found', '10 (9 to 11)', 'after 6 s', 'open for 10 s or more']);
  expect(rowOf({ keepAlive: { ...keepAlive, reuses: false } }).at(-1)).toBe('closed after each response');
});
