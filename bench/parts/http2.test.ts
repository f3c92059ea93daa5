import { expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import { http2Requirements } from './http2.ts';

it('HTTP/2: at least half the rate of the fastest generator is required, round by round, and a missing measurement is never met', () => {
  const rates = new Map([
    ['holdfast-native', [60, 6, 60]],
    ['h2load', [100, 10, 100]],
  ]);
  const requirements = http2Requirements('50 connections', (id) => rates.get(id) ?? []);
  expect(requirements.map((requirement) => [requirement.value, decideOutcome(requirement)])).toEqual([
    [0.6, 'met'],
    [null, 'unknown'],
    [null, 'unknown'],
  ]);
});
