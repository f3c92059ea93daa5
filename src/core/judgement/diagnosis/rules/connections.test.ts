import { expect, it } from 'vitest';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep } from '../testing/facts.ts';

function found(errors: Record<string, number>, isIdle = true) {
  const given = facts(healthyStep(), { requestsOnReusedConnection: 5_000 });
  const { requests } = given.ledger;
  const closed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const ledger = { ...given.ledger, requests: { ...requests, sent: requests.ok + closed, reset: closed } };
  const [step] = given.plan.journey;
  if (step === undefined) throw new Error('no step');
  const journey = [isIdle ? { ...step, thinkTime: { kind: 'fixed' as const, seconds: 5 } } : step];
  const plan = { ...given.plan, journey };
  return diagnose({ ...given, plan, ledger, errors }).filter(({ id }) => id === 'closedWhileIdle');
}

it('names the time for idle connections where a few were closed under a request that had pauses before it', () => {
  const [finding] = found({ 'ECONNRESET@firstByte': 3, 'EPIPE@firstByte': 1 });
  expect(finding).toMatchObject({ level: 'warning', confidence: 'likely' });
  expect(finding?.sentence).toMatch(/^4 requests failed because the server had closed the idle connection/);
  expect(finding?.remedy).toContain('keepAliveTimeout');
});

it('says nothing where no connection lay idle, where answers broke off, or where too many were closed for that', () => {
  expect(found({ 'ECONNRESET@firstByte': 4 }, false)).toEqual([]);
  expect(found({ 'ECONNRESET@body': 4, 'ECONNRESET@connect': 4 })).toEqual([]);
  expect(found({ 'EOF@firstByte': 3_000 })).toEqual([]);
});
