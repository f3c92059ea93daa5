import { describe, expect, it } from 'vitest';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { planWith, users } from '#core/testing/plans.ts';
import { formatFlow, lengthSentence } from './descriptions.ts';

const load = users([
  { name: 'calm', users: 1, seconds: 10 },
  { name: 'busy', users: 9, seconds: 10 },
]);
const journey = ['a', 'b', 'c'].map((name) => ({ name }));
const words = (...flow: FlowPart[]): string => formatFlow(planWith({ journey, load }), flow);
const length = (...flow: FlowPart[]): string | null => lengthSentence(planWith({ journey, load, flow }));
const either = (weight: number, weightIn?: Record<string, number>): FlowPart => ({
  choose: [
    { flow: ['a'], weight, ...(weightIn === undefined ? {} : { weightIn }) },
    { flow: ['b', 'c'], weight: 3 },
  ],
});

describe('formatFlow', () => {
  it.each<readonly [FlowPart[], string]>([
    [[], 'nothing'],
    [['a', 'b'], '“a”, then “b”'],
    [[{ repeat: 1, flow: ['a'] }], 'once (“a”)'],
    [[{ repeat: 3, flow: ['a', 'b'] }], '3 times (“a”, then “b”)'],
    [[{ repeat: { from: 2, to: 5 }, flow: ['a'] }], '2 to 5 times (“a”)'],
    [[{ forEach: 'ids', as: 'id', flow: ['a'] }], 'for each item of “ids” (“a”)'],
    [[{ forEach: 'ids', as: 'id', atMost: 1, flow: ['a'] }], 'for the first item of “ids” (“a”)'],
    [[{ forEach: 'ids', as: 'id', atMost: 4, flow: ['a'] }], 'for each of the first 4 items of “ids” (“a”)'],
    [[either(1)], 'one of (25 %: “a”; 75 %: “b”, then “c”)'],
    [[{ repeat: 2, flow: [either(1)] }], '2 times one of (25 %: “a”; 75 %: “b”, then “c”)'],
    [[{ repeat: 2, flow: [either(1), 'a'] }], '2 times (one of (25 %: “a”; 75 %: “b”, then “c”), then “a”)'],
    [[either(1, { busy: 9, elsewhere: 5 })], 'one of (25 %, 75 % in “busy”: “a”; 75 %, 25 % in “busy”: “b”, then “c”)'],
    [[{ choose: [{ flow: ['a'], weight: 1 }], per: 'user' }], 'users in groups (100 %: “a”)'],
    [[{ choose: [{ flow: ['a'], weight: 0 }] }], 'one of (0 %: “a”)'],
  ])('describes %j', (flow, text) => expect(words(...flow)).toBe(text));
});

describe('lengthSentence', () => {
  it('returns null if all journeys have the same length', () => {
    expect(length('a', 'b')).toBeNull();
  });

  it('returns a range, with its mean if known', () => {
    expect(length('a', either(1))).toBe('A journey makes 2 to 3 requests, 2.75 on average.');
    expect(length('a', { forEach: 'ids', as: 'id', flow: ['b'] })).toBe('A journey makes at least 1 request.');
    expect(length('a', 'b', { forEach: 'ids', as: 'id', flow: ['c'] })).toBe('A journey makes at least 2 requests.');
    expect(length('a', { forEach: 'ids', as: 'id', atMost: 5, flow: ['b'] })).toBe('A journey makes 1 to 6 requests.');
  });

  it('returns a range for each stage if they differ', () => {
    expect(length(either(0, { busy: 1 }))).toBe('A journey makes 2 requests in “calm”, 1 to 2 requests, 1.75 on average in “busy”.');
  });
});
