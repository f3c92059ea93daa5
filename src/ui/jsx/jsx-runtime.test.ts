import { Fragment } from 'react';
import { expect, it } from 'vitest';
import { keepNumbersWithUnits } from './jsx-runtime.ts';

it('keepNumbersWithUnits: puts a non-breaking space between numbers and units in text children', () => {
  expect(keepNumbersWithUnits('p', { children: '95 % within 300 ms' })).toEqual({ children: '95\u00A0% within 300\u00A0ms' });
  expect(keepNumbersWithUnits(Fragment, { children: '90 % within 61 ms' })).toEqual({ children: '90\u00A0% within 61\u00A0ms' });
  expect(keepNumbersWithUnits('p', { id: 'one', children: ['took 5 s ', null, 7] })).toEqual({
    id: 'one',
    children: ['took 5\u00A0s ', null, 7],
  });
});

it('keepNumbersWithUnits: does not change verbatim elements, elements without units, or properties of components', () => {
  for (const [type, properties] of [
    ['code', { children: 'sleep 5 s' }],
    ['p', { children: 'a page' }],
    ['br', {}],
    [() => null, { children: '5 s' }],
  ] as const)
    expect(keepNumbersWithUnits(type, properties)).toBe(properties);
});
