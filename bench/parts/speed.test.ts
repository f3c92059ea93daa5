import { expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import type { ByRound } from '../figures/statistics.ts';
import { speedRequirements } from './speed.ts';

it('speed: the rate of each engine is compared with the rates of other generators in the same round', () => {
  const rates = new Map<string, ByRound>([
    ['holdfast-native', [80, 8, 80]],
    ['wrk', [100, 10, 100]],
    ['autocannon-worker', [60, 6, 60]],
    ['ab', [80, 8, 80]],
    ['oha', [80, 8, 80]],
    ['holdfast-app-autocannon', [57, 5.7, 57]],
  ]);
  const outcomes = speedRequirements((id) => rates.get(id) ?? []).map((each) => [each.what, decideOutcome(each)]);
  expect(outcomes).toEqual([
    ['requests/s, holdfast-native ÷ wrk', 'met'],
    ['requests/s, holdfast-native ÷ autocannon-worker', 'missed'],
    ['requests/s, holdfast-native ÷ ab', 'met'],
    ['requests/s, holdfast-native ÷ oha', 'missed'],
    ['requests/s, holdfast-native ÷ hey', 'unknown'],
    ['requests/s, holdfast-native ÷ k6', 'unknown'],
    ['requests/s, holdfast-app-autocannon ÷ autocannon-worker', 'met'],
  ]);
});
