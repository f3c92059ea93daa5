import { expect, it } from 'vitest';
import { drawnScreen } from './screen.ts';

const emptyStorage = { getItem: () => null };

it.each(['', '#', '#/', '#/new', '#new'])('drawnScreen: %j shows the first screen', (hash) => {
  expect(drawnScreen(hash, true, emptyStorage)).toBe('first');
});

it.each(['#/history', '#/new/target', '#/newest', '#/runs/20260101-000000-000000', '#token=short'])(
  'drawnScreen: %j shows another screen',
  (hash) => {
    expect(drawnScreen(hash, true, emptyStorage)).toBe('other');
  },
);

it('drawnScreen: shows another screen if there is no access to a backend, or if a draft is saved', () => {
  expect(drawnScreen('', false, emptyStorage)).toBe('other');
  expect(drawnScreen('', true, { getItem: (key) => (key === 'holdfast.wizard' ? '{}' : null) })).toBe('other');
});
