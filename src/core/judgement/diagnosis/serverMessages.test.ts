import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { collectServerMessages } from './rule.ts';
import { facts, healthyStep } from './testing/facts.ts';
import { findingsBy } from './testing/found.ts';

const failed = (request: string, failure: string | null, says?: string): Sample => ({
  request,
  failure,
  ...(says === undefined ? {} : { says }),
  sent: null,
  received: null,
  serviceMs: 1,
  captured: [],
});

describe('collectServerMessages', () => {
  it('keeps the most frequent message for each kind of failure of a request', () => {
    const samples = [
      failed('save', 'status 500', 'Deadlock found'),
      failed('save', 'status 500', 'Too many connections'),
      failed('save', 'status 500', 'Too many connections'),
      failed('save', 'status 409'),
      failed('read', null, 'not a failure'),
    ];
    expect(collectServerMessages(samples)).toEqual([{ request: 'save', failure: 'status 500', words: 'Too many connections' }]);
    expect(collectServerMessages(Array.from({ length: 500 }, (_, index) => failed('save', `status ${index}`, 'no')))).toHaveLength(50);
  });
});

describe('serverQuote', () => {
  const none = emptyRequestOutcomes();

  it('replaces a guess about wrong content', () => {
    const error = 'TEXT_MISSING “<title>Tasks”@check';
    const step = healthyStep({ requests: { ...none, sent: 1_000, ok: 900, wrongBody: 100 }, errors: { [error]: 100 } });
    const serverMessages = collectServerMessages([failed('description', error, 'the hall is closed for repairs')]);
    const [finding] = findingsBy('wrongContent', { ...facts(step), serverMessages });
    expect(finding?.sentence).toContain('but the wrong content. The server says: “the hall is closed for repairs”');
    expect(finding?.remedy).not.toContain('log');
    expect(findingsBy('wrongContent', facts(step))[0]?.sentence).toMatch(/the wrong content\.$/);
  });

  it('is used for an unexpected status, and only for that status', () => {
    const requests = { ...none, sent: 1_000, ok: 900, httpError: 100 };
    const given = facts(healthyStep({ requests, status: { '200': 900, '500': 60, '409': 40 } }));
    const serverMessages = collectServerMessages([failed('description', 'status 500', 'The queue of jobs is full')]);
    expect(
      findingsBy('unexpectedStatus', { ...given, serverMessages }).map(({ sentence }) =>
        sentence.includes('The server says: “The queue of jobs is full”'),
      ),
    ).toEqual([false, true]);
  });
});
