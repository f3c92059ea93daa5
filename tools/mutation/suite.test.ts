import { expect, it } from 'vitest';
import { newSuite } from './suite.ts';

type Write = (name: string, ...rest: unknown[]) => void;

it('records the tests of groups and cases, with options or without, and runs none', () => {
  const suite = newSuite();
  const written = suite.it as Write & { readonly each: (cases: readonly unknown[]) => Write };
  const ran: unknown[] = [];
  (suite.describe as Write)('group', () => {
    written('plain', () => ran.push('plain'));
    written.each([[1, 2], 3])('case', { timeout: 60_000 }, (...args: unknown[]) => ran.push(args));
    written('slow', () => ran.push('slow'), 5_000);
  });
  const tests = suite.take();
  expect(tests.map(({ name }) => name)).toEqual(['group > plain', 'group > case', 'group > case', 'group > slow']);
  expect(ran).toEqual([]);
  for (const { run } of tests) run();
  expect(suite.take()).toEqual([]);
  expect(ran).toEqual(['plain', [1, 2], [3], 'slow']);
});
