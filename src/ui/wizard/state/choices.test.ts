import { describe, expect, it } from 'vitest';
import { areValid, choicesBetween, DEFAULTS, getChoice, withChoices } from './choices.ts';

describe('choices', () => {
  const plan = {
    ...DEFAULTS,
    safety: { errorWindowSeconds: 5, stopAtErrorShare: 0.2, stopAtResponseTime: { percentile: 99, maxMs: 800, seconds: 30 } },
    namedTargets: { api: { url: 'https://api.example/', headers: { 'X-A': '1' } }, login: { url: 'https://login.example/', headers: {} } },
  };

  it('stop a run at an error rate and at a response time, or at neither', () => {
    expect([getChoice('stopAtErrorPercent', {}, plan), getChoice('stopAtMs', {}, plan)]).toEqual([20, 800]);
    expect(withChoices(plan, { stopAtErrorPercent: 7, stopAtMs: 500 }).safety).toEqual({
      errorWindowSeconds: 5,
      stopAtErrorShare: 0.07,
      stopAtResponseTime: { percentile: 99, maxMs: 500, seconds: 30 },
    });
    expect(withChoices(plan, { stopAtErrorPercent: '', stopAtMs: '' }).safety).toEqual({ errorWindowSeconds: 5 });
    expect(withChoices(DEFAULTS, { stopAtMs: 500 }).safety.stopAtResponseTime).toEqual({ percentile: 95, maxMs: 500, seconds: 10 });
  });

  it.each([
    [{ stopAtErrorPercent: '' }, true],
    [{ stopAtErrorPercent: 0 }, false],
    [{ stopAtErrorPercent: 101 }, false],
    [{ stopAtMs: 'x' }, false],
    [{ stopAtMs: 5 }, true],
    [{ namedTargets: { api: 'api.example' } }, true],
    [{ namedTargets: { api: 'ftp://api.example' } }, false],
    [{ namedTargets: { api: '' } }, false],
  ])('%j are valid: %j', (choices, isValid) => {
    expect(areValid(choices)).toBe(isValid);
  });

  it('change the addresses of named targets, and nothing else of them', () => {
    const changed = withChoices(plan, { namedTargets: { api: 'test.example:8080', login: 'https://login.example/' } });
    expect(changed.namedTargets).toEqual({
      api: { url: 'http://test.example:8080', headers: { 'X-A': '1' } },
      login: { url: 'https://login.example/', headers: {} },
    });
    expect(choicesBetween(plan, changed)).toEqual({ namedTargets: { api: 'http://test.example:8080', login: 'https://login.example/' } });
  });
});
