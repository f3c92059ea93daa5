import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCells } from './breaks/cells.ts';
import { readStoryOptions } from './options.ts';
import { STORIES } from './registry.ts';

describe('the options of the stories', () => {
  it('select all stories by default, with a random seed', () => {
    expect(readStoryOptions([])).toMatchObject({ names: [], list: false, json: false, mutation: null, withinSeconds: null, report: null });
    expect(new Set(Array.from({ length: 5 }, () => readStoryOptions([]).seed)).size).toBeGreaterThan(1);
  });

  it('accept names, a seed and one mutation', () => {
    expect(readStoryOptions(['contest', '--seed', '7', '--shift'])).toMatchObject({ names: ['contest'], seed: 7, mutation: 'shift' });
    expect(readStoryOptions(['--drop', '--within', '60'])).toMatchObject({ mutation: 'drop', withinSeconds: 60 });
  });

  it('are rejected if they are invalid', () => {
    for (const args of [['--seed', 'x'], ['--seed', '-1'], ['--within', '0'], ['--within', ''], ['--shift', '--drop'], ['--colour']])
      expect(() => readStoryOptions(args)).toThrow(TypeError);
  });
});

it.each(['README.md', 'CONTRIBUTING.md', 'docs/stories.md', 'docs/testing.md'])('%s shows only valid story commands', (document) => {
  const lines = readFileSync(join(import.meta.dirname, '..', '..', document), 'utf8').match(/npm run stories -- [^`\n]+/g) ?? [];
  if (document === 'docs/stories.md') expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const [stated = ''] = line.replace('npm run stories -- ', '').split(/ {2,}| # /, 1);
    const { names, breaks } = readStoryOptions(stated.trim().split(/\s+/));
    const known = breaks === null ? STORIES : allCells().cells;
    const unknownNames = names.filter((name) => !known.some(({ id }) => id.startsWith(name)));
    expect(unknownNames, line).toEqual([]);
  }
});
