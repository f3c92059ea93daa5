import { describe, expect, it } from 'vitest';
import { checkReadiness, loadReadiness, questionReadiness, targetReadiness, type CheckFacts } from './readiness.ts';
import { after } from './testing/samples.ts';
import { EMPTY_STATE } from './types.ts';

const withUrls = (...urls: string[]) =>
  after(
    urls.flatMap((url, index) => [
      ...(index === 0 ? [] : [{ type: 'targetAdded' as const }]),
      { type: 'targetChanged' as const, id: index + 1, change: { url } },
    ]),
  );
const ready: CheckFacts = { isWorking: false, hasPlan: true, issues: [], failed: false, publicHosts: [], consents: [], isStarting: false };
const error = { level: 'error', code: 'X', path: '', message: '', hint: '' } as const;

it('asks for a question first', () => {
  expect(questionReadiness(EMPTY_STATE).status).toBe('notYet');
  expect(questionReadiness(after([{ type: 'presetChosen', id: 'a' }])).status).toBe('ready');
});

describe('target', () => {
  it.each([[['']], [['ftp://x']], [['http://a.example/', '']], [['http://a.example/', 'a.example/']]])('is not ready with %j', (urls) => {
    expect(targetReadiness(withUrls(...urls)).status).toBe('notYet');
  });
  it.each([[['a.example']], [['http://a.example/', 'http://b.example/']]])('is ready with %j', (urls) => {
    expect(targetReadiness(withUrls(...urls)).status).toBe('ready');
  });
});

describe('load', () => {
  it.each([
    [{ ...ready, failed: true }, 'notYet'],
    [{ ...ready, issues: [error] }, 'notYet'],
    [{ ...ready, issues: [{ ...error, level: 'warning' as const }] }, 'ready'],
    [{ ...ready, isWorking: true, hasPlan: false }, 'pending'],
    [{ ...ready, hasPlan: false }, 'notYet'],
    [ready, 'ready'],
  ])('%j is %s', (facts, status) => {
    expect(loadReadiness(facts).status).toBe(status);
  });
});

describe('check', () => {
  it('wants consent for every public host, by name', () => {
    const asked = checkReadiness({ ...ready, publicHosts: ['a.example', 'b.example'], consents: ['a.example'] });
    expect(asked).toEqual({ status: 'notYet', because: expect.stringContaining('b.example') as string });
    expect(checkReadiness({ ...ready, publicHosts: ['a.example'], consents: ['a.example', 'other.example'] }).status).toBe('ready');
  });
  it('is not ready before the hosts are known', () => {
    expect(checkReadiness({ ...ready, publicHosts: null }).status).toBe('pending');
  });
});
