import { expect, it } from 'vitest';
import { drawnScreen } from './screen.ts';

const nothing = { getItem: () => null };

it.each(['', '#', '#/', '#/new', '#new'])('a window at %j begins with the first screen', (hash) => {
  expect(drawnScreen(hash, true, nothing)).toBe('first');
});

it.each(['#/history', '#/new/target', '#/newest', '#/runs/20260101-000000-000000', '#token=short'])('a window at %j does not', (hash) => {
  expect(drawnScreen(hash, true, nothing)).toBe('other');
});

it('nor does one that no backend lets in, or in which something was entered before', () => {
  expect(drawnScreen('', false, nothing)).toBe('other');
  expect(drawnScreen('', true, { getItem: (key) => (key === 'holdfast.wizard' ? '{}' : null) })).toBe('other');
});
