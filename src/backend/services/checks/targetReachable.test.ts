import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget } from '#backend/testing/target.ts';
import { makePlanFacts } from './check.ts';
import { targetReachable, type Attempt, type Reachability } from './targetChecks.ts';

const factsOf = (...urls: string[]) => makePlanFacts(planFor('http://127.0.0.1/', { targets: urls.map((url) => ({ url })) }));

/** Returns an address whose port was free a moment ago. */
async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server.address());
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address !== 'object' || !address) throw new Error('not listening on a port');
  return address;
}

describe('targetReachable.probe', () => {
  it('connects once to each address and sends no request', async () => {
    const target = await startTarget();
    let connections = 0;
    target.server.on('connection', () => (connections += 1));
    const origin = new URL(target.url).origin;
    const reading = await targetReachable.probe(factsOf(target.url, `${target.url}page`));
    expect(reading).toEqual({ attempts: [{ origin, from: null, failure: null }], unpermitted: 0, beyond: 0, ownProblem: null });
    await target.close();
    expect(connections).toBe(1);
    expect(target.log).toEqual([]);
  });

  it('finds a port without a listener, besides a working one', async () => {
    const [target, dead] = [await startTarget(), await deadUrl()];
    expect(await targetReachable.probe(factsOf(target.url, dead))).toMatchObject({
      attempts: [{ failure: null }, { origin: dead, failure: { code: 'ECONNREFUSED' } }],
    });
    await target.close();
  });

  it('finds a name that does not resolve', async () => {
    // The test needs no network. RFC 6761: .localhost and .invalid are never delegated, and a label of 64 letters is rejected before any
    // name server is asked.
    const reading = await targetReachable.probe(factsOf(`http://${'a'.repeat(64)}.localhost/`));
    expect(reading).toMatchObject({ attempts: [{ failure: { code: expect.any(String) } }] });
  });

  it('tries at most as many addresses as a plan may name, and counts local addresses too', async () => {
    const dead = await deadUrl();
    const targets = Array.from({ length: 33 }, (_, index) => ({ url: dead.replace('127.0.0.1', `127.0.0.${index + 2}`) }));
    const twice = planFor('http://127.0.0.1/', { targets, connections: { localAddresses: ['127.0.0.1', '127.0.0.2'] } });
    const reading = await targetReachable.probe(makePlanFacts(twice));
    expect(reading).toMatchObject({ beyond: 2 });
    expect('attempts' in reading ? reading.attempts : []).toHaveLength(64);
  });

  it('does not connect to hosts to which the user has not agreed', async () => {
    expect(await targetReachable.probe({ ...factsOf('http://load.example/'), isAgreed: false })).toEqual({
      attempts: [],
      unpermitted: 1,
      beyond: 0,
      ownProblem: null,
    });
  });
});

describe('targetReachable.judge', () => {
  const alive: Attempt = { origin: 'http://127.0.0.1:8080', from: null, failure: null };
  const failedAttempt = (code: string): Attempt => ({ origin: 'http://127.0.0.1:8081', from: null, failure: { code, message: code } });
  const judgeReading = (reading: Partial<Reachability>) =>
    targetReachable.judge({ attempts: [], unpermitted: 0, beyond: 0, ownProblem: null, ...reading }, factsOf('http://127.0.0.1:8080/'));

  it('is ok if all targets accept', () => {
    expect(judgeReading({ attempts: [alive] })).toMatchObject({
      level: 'ok',
      title: 'The target accepts connections',
      evidence: 'Connected to 127.0.0.1:8080.',
      remedy: null,
    });
    expect(judgeReading({ attempts: [alive, alive], beyond: 3 }).evidence).toContain('3 more were not tried.');
  });

  it.each([
    ['ECONNREFUSED', 'Connection refused by 127.0.0.1:8081', 'Start the server'],
    ['ENOTFOUND', 'does not resolve', 'Check the spelling'],
    ['ETIMEDOUT', 'did not respond to the connection attempt', 'a firewall'],
  ])('explains %s and what to do', (code, evidence, remedy) => {
    expect(judgeReading({ attempts: [failedAttempt(code)] })).toMatchObject({
      level: 'problem',
      title: 'The target cannot be reached',
      evidence: expect.stringContaining(evidence),
      remedy: { text: expect.stringContaining(remedy), risk: '' },
    });
  });

  it('counts failures and shows the same advice once', () => {
    const { level, title, remedy } = judgeReading({
      attempts: [alive, failedAttempt('ECONNREFUSED'), failedAttempt('ECONNREFUSED')],
      unpermitted: 1,
    });
    expect([level, title]).toEqual(['problem', '2 of 3 targets cannot be reached']);
    expect(remedy?.text.match(/Start the server/g)).toHaveLength(1);
  });

  it('is not ok if a target was not tried because the user has not agreed to it', () => {
    expect(judgeReading({ attempts: [alive], unpermitted: 1 })).toMatchObject({ level: 'info', title: 'A target was not tried' });
  });
});
