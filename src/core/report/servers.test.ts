import { describe, expect, it } from 'vitest';
import { emptyWindow, cellOf } from '../stats/windowFold.ts';
import type { ServerCount, Window } from '../stats/window.ts';
import { ServerTally } from './servers.ts';

function windowWith(second: number, servers: Record<string, Partial<ServerCount>>): Window {
  const window = emptyWindow(second, 1);
  for (const [name, count] of Object.entries(servers))
    cellOf(window, 0, 0).servers[name] = { answered: 0, failed: 0, unanswered: 0, serviceUs: 0, ...count };
  return window;
}

function tallied(...seconds: Record<string, Partial<ServerCount>>[]) {
  const tally = new ServerTally();
  for (const [second, servers] of seconds.entries()) tally.add(windowWith(second, servers));
  return tally.results();
}

const good = { answered: 10, serviceUs: 500_000 };
const gone = { failed: 5, unanswered: 5 };

describe('servers that share the work', () => {
  it('have their share, their failures and their mean time, in the order of their numbers', () => {
    const results = tallied({ 'shard-10': good, 'shard-2': { answered: 30, failed: 3, serviceUs: 3_000_000 } });
    expect(results).toEqual([
      { name: 'shard-2', answered: 30, share: 0.75, failed: 3, unanswered: 0, meanMs: 100, silent: [] },
      { name: 'shard-10', answered: 10, share: 0.25, failed: 0, unanswered: 0, meanMs: 50, silent: [] },
    ]);
  });

  it('are silent from the first second without an answer to the last, seconds without a question included', () => {
    const [shard] = tallied({ a: good }, { a: gone }, {}, { a: gone }, { a: good }, { a: gone });
    expect(shard?.silent).toEqual([
      { fromSecond: 1, toSecond: 4 },
      { fromSecond: 5, toSecond: 6 },
    ]);
    expect(shard).toMatchObject({ answered: 20, failed: 15, unanswered: 15 });
  });

  it('that name themselves are not away because a request or two of their target had no answer', () => {
    const lost = { failed: 1, unanswered: 1 };
    const results = tallied(
      { 'a › shard-1': good, a: lost, 'b › shard-2': good },
      { 'a › shard-1': good },
      { 'a › shard-1': good, a: lost },
    );
    expect(results).toMatchObject([
      { name: 'a › shard-1', answered: 30, failed: 2, unanswered: 2, share: 0.75, silent: [] },
      { name: 'b › shard-2', answered: 10, failed: 0, silent: [] },
    ]);
  });

  it('that name themselves are away while their target answers nothing', () => {
    const results = tallied({ 'a › shard-1': good }, { a: gone }, { a: gone }, { 'a › shard-1': good }, { a: gone });
    expect(results).toMatchObject([
      {
        name: 'a › shard-1',
        answered: 20,
        unanswered: 15,
        silent: [
          { fromSecond: 1, toSecond: 3 },
          { fromSecond: 4, toSecond: 5 },
        ],
      },
    ]);
  });

  it('of which several stand behind a target leave to it what had no answer, and are silent only together', () => {
    const [target, ...named] = tallied({ 'a › 1': good, 'a › 2': good, a: gone }, { a: gone }, { 'a › 2': good });
    expect(target).toMatchObject({ name: 'a', answered: 0, unanswered: 10, silent: [{ fromSecond: 1, toSecond: 2 }] });
    expect(named.map(({ name, silent }) => [name, silent])).toEqual([
      ['a › 1', []],
      ['a › 2', []],
    ]);
    const dead = tallied({ 'a › 1': good }, { b: gone });
    expect(dead.at(-1)).toMatchObject({ name: 'b', answered: 0, silent: [{ fromSecond: 1, toSecond: 2 }] });
  });

  it('are not silent while anything at all is answered', () => {
    expect(tallied({ a: { ...good, failed: 4, unanswered: 4 } })[0]?.silent).toEqual([]);
  });
});
