import { expect, it } from 'vitest';
import { chooseEntries, type PaletteEntry, type PaletteGroup } from './entries.ts';

const entry = (group: PaletteGroup, label: string): PaletteEntry => ({ id: label, group, label, about: '', act: () => {} });
const labels = (entries: readonly PaletteEntry[]): string[] => entries.map(({ group, label }) => `${group}: ${label}`);
const runs = Array.from({ length: 200 }, (_, index) => entry('runs', `Shop ${index}`));

it('chooseEntries: shows recent entries first and once', () => {
  const all = [entry('pages', 'History'), entry('pages', 'Hosts'), ...runs];
  expect(labels(chooseEntries(all, '', ['Shop 150', 'Hosts', 'gone']))).toEqual([
    'recent: Shop 150',
    'recent: Hosts',
    ...[0, 1, 2, 3, 4].map((index) => `runs: Shop ${index}`),
    'pages: History',
  ]);
});

it('chooseEntries: shows the group of the best match first, and at most eight runs', () => {
  const shown = labels(chooseEntries([entry('pages', 'A shelf of photos'), ...runs], 'shop', []));
  expect(shown[0]).toBe('runs: Shop 0');
  expect(shown).toHaveLength(9);
});
