import { describe, expect, it } from 'vitest';
import type { MeasuredRun } from '../rule.ts';
import type { ServerResult } from '#core/result/servers.ts';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep, SLOW_AT_FIRST } from '../testing/facts.ts';

function server(name: string, changes: Partial<ServerResult> = {}): ServerResult {
  return { name, responded: 500, share: 0.5, failed: 0, withoutResponse: 0, tried: 0, meanMs: 50, silent: [], ...changes };
}

/** Returns a time without a response in which 80 requests were lost. */
function silence(fromSecond: number, toSecond: number): ServerResult['silent'][number] {
  return { fromSecond, toSecond, lost: 80, failed: 80, longestMs: 900 };
}

function found(servers: readonly ServerResult[], reported?: NonNullable<MeasuredRun['plan']['servers']>) {
  const given = facts(healthyStep(), { servers: [...servers] });
  return diagnose(reported === undefined ? given : { ...given, plan: { ...given.plan, servers: reported } });
}

describe('servers that share the work', () => {
  it('are not reported if they share the work evenly', () => {
    expect(found([server('a'), server('b', { responded: 520 })], { header: 'X-Shard', expected: 2 })).toEqual([]);
    expect(found([server('a')])).toEqual([]);
  });

  it('are a problem if only one works and more were expected, and a remark if no number was expected', () => {
    const [problem] = found([server('shard-3')], { header: 'X-Shard', expected: 4 });
    expect(problem).toMatchObject({ id: 'oneServer', level: 'problem' });
    expect(problem?.sentence).toContain('“shard-3”, one of 4 servers');
    expect(problem?.remedy).toContain('$remote_addr');
    expect(found([server('shard-3')], { header: 'X-Shard' })).toMatchObject([{ id: 'oneServer', level: 'info' }]);
    expect(found([server('shard-3')], { header: 'X-Shard', expected: 1 })).toEqual([]);
  });

  it('lead to a warning if they share the work unevenly', () => {
    const [finding] = found([server('a', { responded: 900, share: 0.9 }), server('b', { responded: 100, share: 0.1 })]);
    expect(finding).toMatchObject({ id: 'unevenServers', level: 'warning' });
    expect(finding?.sentence).toContain('90 %');
  });

  it('lead to a finding if one of them never responds, comes back, or is away at the end', () => {
    const gone = { withoutResponse: 80, failed: 80 };
    const dead = found([server('a'), server('b', { ...gone, responded: 0, silent: [silence(0, 60)] })]);
    expect(dead.map(({ sentence }) => sentence)).toEqual(['“b” never responded: 80 requests to it failed.']);
    const outstanding = found([server('a'), server('b', { responded: 0, silent: [{ ...silence(0, 60), lost: 0, failed: 0 }] })]);
    expect(outstanding.map(({ sentence }) => sentence)).toEqual(['“b” never responded: its requests were outstanding at the end.']);
    const back = found([server('a'), server('b', { ...gone, silent: [silence(20, 25)] })]);
    expect(back).toMatchObject([{ id: 'serverDown.b', level: 'problem', range: { fromSecond: 20, toSecond: 25 } }]);
    expect(back[0]?.sentence).toContain('away once, 5 s in total, first in second 20, and came back');
    const away = found([server('a'), server('b', { ...gone, silent: [silence(50, 60)] })]);
    expect(away[0]?.sentence).toContain('still away at the end');
  });

  it('lead to a finding about a server that hangs, and to none about slow first responses if it hangs from the start', () => {
    const ids = (fromSecond: number) =>
      diagnose(
        facts(healthyStep(), {
          behaviour: SLOW_AT_FIRST,
          servers: [server('a'), server('b', { silent: [{ ...silence(fromSecond, 8), lost: 0, failed: 0 }] })],
        }),
      ).map(({ id }) => id);
    expect(ids(0)).toEqual(['serverDown.b']);
    expect(ids(3)).toEqual(['serverDown.b', 'behaviour.first.page']);
  });

  it('are reported by their own names, and their target does not count as dead or failing', () => {
    const named = [server('a › 1'), server('a › 2')];
    const lost = server('a', { responded: 0, failed: 2, withoutResponse: 2, meanMs: null });
    expect(found([...named, lost])).toEqual([]);
    const [away] = found([...named, { ...lost, silent: [silence(20, 25)] }]);
    expect(away?.sentence).toContain('“a” was away once, 5 s in total, first in second 20, and came back');
    expect(away?.evidence[0]).toBe('2 requests to it got no response, 1,000 did.');
    const [dead] = found([server('b'), server('c', { responded: 0, failed: 1, withoutResponse: 1, silent: [silence(3, 4)] })]);
    expect(dead?.sentence).toBe('“c” never responded: one request to it failed.');
  });

  it("are compared with the plan's number of servers", () => {
    const reported = { header: 'X-Shard', expected: 3 };
    const dead = server('c', { responded: 0, tried: 14, silent: [silence(0, 60)] });
    const findings = found([server('a'), server('b'), dead], reported);
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      '1 of 3 servers never responded, including “c”.',
      '“c” never responded: a proxy tried it 14 times without success.',
    ]);
    expect(found([server('a'), server('b', { responded: 490 })], { ...reported, expected: 2 })).toEqual([]);
  });

  it('count as having stood still if no request was lost', () => {
    const still = { fromSecond: 20, toSecond: 28, lost: 0, failed: 0, longestMs: 8_100 };
    const [finding] = found([server('a'), server('b', { silent: [still] })]);
    expect(finding?.sentence).toBe(
      '“b” stood still once, 8 s in total, first in second 20, and continued: its outstanding requests got responses then.',
    );
    // One timed-out request at another time is no silence.
    expect(found([server('a'), server('b', { withoutResponse: 1, failed: 1, silent: [still] })])[0]?.sentence).toContain(
      'stood still once',
    );
    expect(finding?.evidence).toContain(
      'No response from second 20 to 28: 0 requests to it got none, 0 failed in total, and the longest response took 8.1 s.',
    );
  });

  it('are reported as all unavailable, by the name that the proxy uses', () => {
    const noServer = { name: 'cws_turn', responses: 40, fromSecond: 12, toSecond: 22 };
    const given = facts(healthyStep(), { servers: [server('a'), server('b')], noServer });
    expect(diagnose(given).find(({ id }) => id === 'noServerLeft')?.sentence).toContain(
      'considered all of “cws_turn” down, first in second 12 and last in second 21',
    );
  });

  it('may have been back before the proxy used them', () => {
    const noServer = { name: 'cws_turn', responses: 216, fromSecond: 20, toSecond: 31 };
    const servers = [server('a', { silent: [silence(21, 31)] }), server('b', { silent: [silence(50, 55)] })];
    const evidence = (id: string) =>
      diagnose(facts(healthyStep(), { servers, noServer }))
        .find((one) => one.id === id)
        ?.evidence.join(' ');
    expect(evidence('serverDown.a')).toContain('Until second 31 the proxy used no server. This one may have been back earlier');
    expect(evidence('serverDown.b')).not.toContain('asked no server');
  });

  it('may have waited for a pool if they hung, but not if they refused', () => {
    const remedyAfter = (longestMs: number) =>
      found([server('a'), server('b', { silent: [{ ...silence(21, 83), longestMs }] })])[0]?.remedy ?? '';
    expect(remedyAfter(60_900)).toContain('waiting for a free connection of its database pool');
    expect(remedyAfter(164)).not.toContain('pool');
  });

  it('lead to a report of the one that fails more than the others', () => {
    const [finding] = found([server('a', { failed: 1 }), server('b', { failed: 50 })]);
    expect(finding).toMatchObject({ id: 'failingServer.b', level: 'problem' });
    expect(found([server('a', { failed: 30 }), server('b', { failed: 50 })])).toEqual([]);
  });
});
