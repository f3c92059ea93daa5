import { describe, expect, it } from 'vitest';
import type { ServerResult } from '#core/result/servers.ts';
import { facts, healthyStep, SLOW_AT_FIRST } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';
import type { MeasuredRun } from '../rule.ts';

function server(name: string, changes: Partial<ServerResult> = {}): ServerResult {
  return { name, responded: 20, share: 0.5, failed: 0, withoutResponse: 0, tried: 0, meanMs: 50, silent: [], ...changes };
}

interface Changes {
  readonly reported?: NonNullable<MeasuredRun['plan']['servers']>;
  readonly targets?: number;
  readonly noServer?: MeasuredRun['noServer'];
  readonly durationSeconds?: number | null;
}

function stated(rule: string, servers: readonly ServerResult[], { reported, targets = 1, ...changes }: Changes = {}) {
  const given = facts(healthyStep(), { servers: [...servers], ...changes });
  const [target] = given.plan.targets;
  if (target === undefined) throw new Error('no target');
  const plan = { ...given.plan, ...(reported && { servers: reported }), targets: Array.from({ length: targets }, () => target) };
  return findingsBy(rule, { ...given, plan });
}

const silence = (fromSecond: number, toSecond: number, longestMs: number | null = 900) => ({
  fromSecond,
  toSecond,
  lost: 80,
  failed: 80,
  longestMs,
});

describe('oneServer', () => {
  const reported = { header: 'X-Shard', expected: 4 };

  it('is reported for at least twenty responses, with the servers that never responded', () => {
    const [finding] = stated('oneServer', [server('a')], { reported });
    expect(finding?.sentence).toBe('All 20 responses came from “a”, one of 4 servers: 3 of 4 never responded.');
    expect(finding?.evidence).toHaveLength(1);
    expect(stated('oneServer', [server('a', { responded: 19 })], { reported })).toEqual([]);
    expect(stated('oneServer', [server('a')], { reported, targets: 2 })).toEqual([]);
    expect(stated('oneServer', [server('a')], { reported: { expected: 4 } })).toEqual([]);
    expect(stated('oneServer', [server('a')])).toEqual([]);
    expect(stated('oneServer', [], { reported })).toEqual([]);
  });
});

describe('missingServers', () => {
  const reported = { header: 'X-Shard', expected: 4 };

  it('are reported for at least twenty responses per expected server', () => {
    const [finding] = stated('missingServers', [server('a', { responded: 60 }), server('b')], { reported });
    expect(finding?.sentence).toBe('2 of 4 servers never responded.');
    expect(finding?.evidence).toEqual(['a: 60 responses', 'b: 20 responses']);
    expect(stated('missingServers', [server('a', { responded: 59 }), server('b')], { reported })).toEqual([]);
    expect(stated('missingServers', [server('a', { responded: 60 }), server('b')], { reported, targets: 2 })).toEqual([]);
    expect(stated('missingServers', [server('a', { responded: 80 })], { reported })).toEqual([]);
  });
});

describe('unevenServers', () => {
  it('are reported if one has at least 1.5 times an even share, and all have at least twenty responses on average', () => {
    const [finding] = stated('unevenServers', [server('a', { responded: 10 }), server('b', { responded: 30, share: 0.75 })]);
    expect(finding?.sentence).toBe('“b” sent 75 % of the responses of 2 servers; an even share is 50 %.');
    expect(finding?.evidence).toEqual(['a: 10 responses', 'b: 30 responses']);
    expect(stated('unevenServers', [server('a', { responded: 11 }), server('b', { responded: 30 })])).toEqual([]);
    expect(stated('unevenServers', [server('a', { responded: 9 }), server('b', { responded: 30 })])).toEqual([]);
    expect(stated('unevenServers', [server('a', { responded: 90 }), server('b', { responded: 0 })])).toEqual([]);
    expect(stated('unevenServers', [])).toEqual([]);
    expect(stated('unevenServers', [server('a', { responded: 30, share: 0.75 }), server('b', { responded: 10 })])[0]?.sentence).toMatch(
      /^“a”/,
    );
  });

  it('use the expected number of servers, for a single target', () => {
    const reported = { header: 'X-Shard', expected: 3 };
    const two = [server('a', { responded: 45 }), server('b', { responded: 45 })];
    expect(stated('unevenServers', two, { reported })[0]?.sentence).toContain('of 3 servers; an even share is 33.3 %');
    expect(stated('unevenServers', two, { reported, targets: 2 })).toEqual([]);
  });
});

describe('serverDown', () => {
  const down = (changes: Partial<ServerResult>, more: Changes = {}) =>
    stated('serverDown', [server('a'), server('b', { withoutResponse: 80, failed: 80, ...changes })], more)[0];

  it('says that a server came back if it responded more than a second before the end', () => {
    const ends = (toSecond: number, more: Changes = {}) => down({ silent: [silence(50, toSecond)] }, more)?.sentence;
    expect(ends(58)).toContain('and came back');
    expect(ends(59)).toContain('still away at the end');
    expect(ends(58, { durationSeconds: null })).toContain('still away at the end');
    expect(stated('serverDown', [server('b', { silent: [silence(3, 9)] })])).toEqual([]);
  });

  it('lists up to five silences with their cost', () => {
    const silent = [0, 10, 20, 30, 40, 50].map((second) => silence(second, second + 5));
    const finding = down({ tried: 14, silent });
    expect(finding?.sentence).toContain('away 6 times, 30 s in total, first in second 0');
    expect(finding?.evidence).toHaveLength(1 + 1 + 5);
    expect(finding?.evidence[1]).toContain('14 times a proxy tried it');
    expect(down({ silent: silent.slice(1, 2) })?.evidence).toEqual([
      '80 requests to it got no response, 20 did.',
      expect.stringMatching(/^No response from second 10 to 15: 80 .* and the longest response took 900 ms\.$/),
    ]);
    expect(down({ silent: [silence(10, 15, null)] })?.evidence[1]).toMatch(/80 failed in total\.$/);
  });

  it('says that a server may have been back earlier if the proxy used no server at that time', () => {
    const during = (fromSecond: number, toSecond: number) =>
      down({ silent: [silence(1, 2), silence(10, 15)] }, { noServer: { name: 'up', responses: 1, fromSecond, toSecond } })?.evidence.filter(
        (one) => one.startsWith('Until second'),
      );
    expect(during(14, 20)).toHaveLength(1);
    expect(during(8, 11)).toHaveLength(1);
    expect(during(15, 20)).toEqual([]);
    expect(during(5, 10)).toEqual([]);
  });

  it('says that a server may have hung if one of its responses took ten seconds', () => {
    const hung = (longestMs: number | null) => down({ silent: [silence(5, 6), silence(10, 30, longestMs)] })?.remedy.includes('it hung');
    expect([hung(10_000), hung(9_999), hung(null)]).toEqual([true, false, false]);
  });

  it('says that a server never responded after several attempts of a proxy', () => {
    const never = (tried: number) => down({ responded: 0, withoutResponse: 0, tried, silent: [silence(0, 60)] })?.sentence;
    expect(never(1)).toContain('tried it 1 time without success');
    expect(never(2)).toContain('tried it 2 times without success');
    expect(down({ responded: 0, withoutResponse: 1, tried: 1, silent: [silence(0, 60)] })?.sentence).toContain('one request to it failed');
    expect(down({ responded: 0, withoutResponse: 1, failed: 1, tried: 0, silent: [silence(0, 60)] })?.sentence).toContain('one request');
  });

  it('replaces slow first responses if a server was away in the first second', () => {
    const firsts = (fromSecond: number) =>
      findingsBy(
        'behaviour',
        facts(healthyStep(), { behaviour: SLOW_AT_FIRST, servers: [server('a'), server('b', { silent: [silence(fromSecond, 8)] })] }),
      );
    expect([firsts(0.9).length, firsts(1).length]).toEqual([0, 1]);
  });
});

describe('failingServer', () => {
  const failing = (failed: number, others: Partial<ServerResult>) =>
    stated('failingServer', [server('a', { responded: 990, withoutResponse: 10, failed }), server('b', others)])[0];

  it('is reported from 1 % failures on, at three times the failures of the others', () => {
    const finding = failing(10, {});
    expect(finding?.sentence).toBe('1 % of requests to “a” failed, and 0 % of those to the other servers.');
    expect(finding?.evidence).toEqual(['a: 10 of 1,000 failed', 'b: 0 of 20 failed']);
    expect(failing(9, {})).toBeUndefined();
    expect(failing(30, { responded: 100, failed: 1 })).toBeDefined();
    expect(failing(29, { responded: 100, failed: 1 })).toBeUndefined();
    expect(failing(10, { responded: 0 })).toBeDefined();
    expect(stated('failingServer', [server('a', { failed: 20 })])).toEqual([]);
  });
});

it('noServerLeft: is reported with the seconds in which the proxy had no server', () => {
  const [finding] = stated('noServerLeft', [], { noServer: { name: 'up', responses: 4, fromSecond: 12, toSecond: 12.5 } });
  expect(finding?.sentence).toContain('first in second 12 and last in second 12,');
  expect(finding).toMatchObject({ range: { fromSecond: 12, toSecond: 12.5 } });
  expect(finding?.evidence).toHaveLength(1);
  expect(stated('noServerLeft', [])).toEqual([]);
});

describe('servers with different steps', () => {
  const steps = (counts: Record<string, readonly [responded: number, failed: number]>) =>
    Object.fromEntries(Object.entries(counts).map(([name, [responded, failed]]) => [name, { responded, failed }]));

  it('are not compared at steps that only one of them serves', () => {
    const pages = server('a', { responded: 900, share: 0.9, steps: steps({ page: [900, 0] }) });
    const uploads = server('b', { responded: 100, share: 0.1, failed: 60, steps: steps({ upload: [100, 60] }) });
    expect(stated('unevenServers', [pages, uploads])).toEqual([]);
    expect(stated('failingServer', [pages, uploads])).toEqual([]);
  });

  it('are compared at the steps that they share', () => {
    const [finding] = stated('unevenServers', [
      server('a', { responded: 900, share: 0.9, steps: steps({ page: [850, 0], news: [50, 0] }) }),
      server('b', { responded: 100, share: 0.1, steps: steps({ page: [50, 0], news: [50, 0] }) }),
    ]);
    expect(finding).toMatchObject({ confidence: 'likely' });
    expect(finding?.evidence.at(-1)).toBe('It is so for “page”.');
  });

  it('are reported if one of them fails more often at the same step', () => {
    const [finding] = stated('failingServer', [
      server('a', { responded: 500, failed: 0, steps: steps({ page: [400, 0], upload: [100, 0] }) }),
      server('b', { responded: 200, failed: 60, steps: steps({ page: [100, 0], upload: [100, 60] }) }),
    ]);
    expect(finding?.sentence).toBe('30 % of requests to “b” failed, and 0 % of those to the other servers.');
  });
});
