import { Fragment } from 'react';
import { expect, it } from 'vitest';
import { laidOut } from './laidOut.ts';

it('parts no number of a page from its unit, alone or among other children', () => {
  expect(laidOut('p', { children: '95 % within 300 ms' })).toEqual({ children: '95\u00A0% within 300\u00A0ms' });
  expect(laidOut(Fragment, { children: '90 % within 61 ms' })).toEqual({ children: '90\u00A0% within 61\u00A0ms' });
  expect(laidOut('p', { id: 'one', children: ['took 5 s ', null, 7] })).toEqual({ id: 'one', children: ['took 5\u00A0s ', null, 7] });
});

it('leaves alone what is copied, what has nothing to lay out, and what components get', () => {
  for (const [type, properties] of [
    ['code', { children: 'sleep 5 s' }],
    ['p', { children: 'a page' }],
    ['br', {}],
    [() => null, { children: '5 s' }],
  ] as const)
    expect(laidOut(type, properties)).toBe(properties);
});
