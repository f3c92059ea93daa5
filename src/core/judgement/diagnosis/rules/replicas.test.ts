import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const server = (name: string, responded: number, failed = 0) => ({
  name,
  responded,
  share: 1 / 3,
  failed,
  withoutResponse: 0,
  tried: 0,
  meanMs: 20,
  silent: [],
});
const three = (failed = 0) => ['a', 'b', 'c'].map((name) => server(name, 2_000, failed));
const behaviour = (workers: number) => ({
  firstResponses: [],
  queues: [],
  bursts: null,
  recoveries: [],
  groups: [],
  capacity: {
    aloneMs: 500,
    highestPerSecond: 20,
    mostInFlight: 40,
    saturatedPerSecond: workers / 0.5,
    workers,
    keptUpPerSecond: null,
    fellBehindPerSecond: null,
    isLimited: true,
    reason: null,
  },
});

it('replicasDidNotHelp: reports servers that together have the capacity of one', () => {
  const [finding] = findingsBy('replicasDidNotHelp', facts(healthyStep(), { servers: three(), behaviour: behaviour(1.04) }));
  expect(finding).toMatchObject({
    level: 'warning',
    sentence: expect.stringContaining('3 servers together processed 1.04 requests at a time'),
  });
  expect(findingsBy('replicasDidNotHelp', facts(healthyStep(), { servers: three(), behaviour: behaviour(2.9) }))).toEqual([]);
  expect(findingsBy('replicasDidNotHelp', facts(healthyStep(), { servers: three(), behaviour: null }))).toEqual([]);
});

it('failuresBeforeServers: reports failures that no server sent', () => {
  const failed = { ...emptyRequestOutcomes(), sent: 6_600, ok: 6_000, httpError: 600 };
  const given = facts(healthyStep({ requests: failed, status: { '200': 6_000, '500': 600 } }), { servers: three() });
  const plan = { ...given.plan, servers: { header: 'X-Server' } };
  expect(findingsBy('failuresBeforeServers', { ...given, plan })[0]?.sentence).toContain('600 failures did not come from the 3 servers');
  expect(findingsBy('failuresBeforeServers', { ...given, plan, servers: three(200) })).toEqual([]);
  expect(findingsBy('failuresBeforeServers', given)).toEqual([]);
  const noServer = { name: 'cws_turn', responses: 580, fromSecond: 20, toSecond: 31 };
  expect(findingsBy('failuresBeforeServers', { ...given, plan, noServer })).toEqual([]);
});

it('unevenAddresses: reports the address that got most of the requests', () => {
  const at = (addresses: Record<string, number>) => {
    const given = facts();
    return findingsBy('unevenAddresses', { ...given, server: { ...given.server, host: 'site.test', addresses } });
  };
  expect(at({ '10.0.0.1': 190, '10.0.0.2': 10 })[0]?.sentence).toContain('10.0.0.1 got 95 % of requests');
  expect(at({ '10.0.0.1': 105, '10.0.0.2': 95 })).toEqual([]);
  expect(at({ '10.0.0.1': 200 })).toEqual([]);
  expect(at({ '10.0.0.1': 9, '10.0.0.2': 1 })).toEqual([]);
});
