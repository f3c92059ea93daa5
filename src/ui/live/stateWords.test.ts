import { describe, expect, it } from 'vitest';
import type { Live } from '#contract/replies.ts';
import { isStopping, stateSentence } from './stateWords.ts';
import { sampleLive, sampleRequests } from './testing/live.ts';

const live = (run: Partial<Live['run']>, inFlight = 12): Live => {
  const sample = sampleLive();
  return sampleLive({
    run: { ...sample.run, ...run },
    ledger: { ...sample.ledger, requests: sampleRequests({ sent: inFlight, inFlight }) },
  });
};
const because = { code: 'user', text: 'You stopped it.' } as const;

describe('stateSentence', () => {
  it('says what a stop waits for', () => {
    expect(stateSentence(live({ endedBecause: because }))).toBe('Stopping: waiting for 12 answers that are owed.');
    expect(stateSentence(live({ endedBecause: because }, 1))).toBe('Stopping: waiting for 1 answer that is owed.');
  });

  it('says what the drain waits for', () => {
    expect(stateSentence(live({ state: 'draining' }))).toContain('12 answers');
    expect(stateSentence(live({ state: 'draining' }, 0))).not.toContain('0');
  });

  it('is silent while the test simply runs', () => {
    expect(stateSentence(live({}))).toBe('');
  });
});

describe('isStopping', () => {
  it('begins with the request to stop and ends with the run', () => {
    expect(isStopping(live({}))).toBe(false);
    expect(isStopping(live({ endedBecause: because }))).toBe(true);
    expect(isStopping(live({ endedBecause: because, endedAt: '2026-01-01T00:01:00.000Z' }))).toBe(false);
  });
});
