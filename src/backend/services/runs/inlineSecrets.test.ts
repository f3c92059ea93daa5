import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { planFor } from '#backend/testing/plans.ts';
import { withoutInlineSecrets } from './inlineSecrets.ts';
import { resolveJob } from './resolveJob.ts';

const secret = 'planted-9f3a';
const plan = planFor('http://127.0.0.1:1/', {
  targets: [
    {
      url: 'http://127.0.0.1:1/',
      cookie: `login=${secret}`,
      headers: { Authorization: `Bearer ${secret}`, 'X-Custom': secret, Accept: 'text/html', 'X-Ref': { secret: 'env:TOKEN' } },
    },
  ],
  journey: [
    { name: 'login', method: 'POST', body: `username=a&password=${secret}` },
    { name: 'plain', method: 'POST', body: 'answer=42' },
  ],
});

describe('secrets that were written in clear', () => {
  const values = new Map<string, string>([['env:TOKEN', 'from-env']]);
  const clean = withoutInlineSecrets(plan, (value) => {
    const reference = `session:${values.size}`;
    values.set(reference, value);
    return reference;
  });

  it('leave the plan', () => {
    expect(JSON.stringify(clean)).not.toContain(secret);
    expect(clean.targets[0]?.headers['Accept']).toBe('text/html');
    expect(clean.targets[0]?.headers['X-Ref']).toEqual({ secret: 'env:TOKEN' });
    expect(clean.journey[1]?.body).toBe('answer=42');
  });

  it('leave its monitors', () => {
    const connection = `postgres://app:${secret}@db/contest`;
    const monitors: Plan['monitors'] = [
      { kind: 'postgres', connection },
      { kind: 'redis', address: 'db:6379', password: { secret: 'env:REDIS' } },
    ];
    const hidden = withoutInlineSecrets({ ...plan, monitors }, () => 'session:1');
    expect(hidden.monitors?.[0]).toEqual({ kind: 'postgres', connection: { secret: 'session:1' } });
    expect(secretReferences(hidden)).toEqual(expect.arrayContaining(['session:1', 'env:REDIS']));
  });

  it('come back in the job', () => {
    const job = resolveJob(clean, { runId: 'r1', version: '1.2.3', values });
    expect(job.targets[0]?.headers).toEqual({
      Authorization: `Bearer ${secret}`,
      'X-Custom': secret,
      Accept: 'text/html',
      'X-Ref': 'from-env',
      Cookie: `login=${secret}`,
    });
    expect(job.steps.map(({ body }) => body)).toEqual([`username=a&password=${secret}`, 'answer=42']);
    expect(job.userAgent).toBe('Holdfast/1.2.3 (run r1)');
    expect(resolveJob({ ...clean, identify: false }, { runId: 'r1', version: '1', values }).userAgent).toBeNull();
  });
});
