import { expect, it } from 'vitest';
import { pageOfFiles } from './droppedFiles.ts';

it.each([
  [['a.json', 'b.JSON'], '/compare/files'],
  [['result.html'], '/sealed'],
  [['a.json'], null],
  [['a.json', 'b.har'], null],
  [['a.html', 'b.html'], null],
  [[], null],
  [Array.from({ length: 9 }, (_, index) => `${index}.json`), null],
] as const)('pageOfFiles: %j belongs to %s', (names, page) => {
  expect(pageOfFiles(names)).toBe(page);
});
