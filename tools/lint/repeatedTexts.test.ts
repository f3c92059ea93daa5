import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { repeatedTexts } from './repeatedTexts.ts';
import { productCode } from './texts.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Texts that are equal although they are about two different things, each with a description of the two. */
const EQUAL_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Connections to the database', 'a check of a machine, and an option of a practice server'],
  ['waiting for a thread', 'a metric of Varnish, and one of a practice server'],
]);

it('no user-facing text occurs twice in the product', { timeout: 60_000 }, async () => {
  const repeated = repeatedTexts(await productCode(root));
  expect(repeated.filter(({ text }) => !EQUAL_TEXTS.has(text))).toEqual([]);
  expect(repeated.map(({ text }) => text).toSorted(), 'every exception still occurs twice').toEqual([...EQUAL_TEXTS.keys()].toSorted());
});

it('the check of repeated texts finds texts everywhere, but only texts that are sentences', () => {
  const one = `const text = 'There is no such page.'; // There is no such host.
    const other = \`The plan has no \${part} \${position}.\`;
    const query = "SELECT name FROM users WHERE id = ?";
    const title = 'Answers per second';`;
  const two = `export const Page = () => <p title={\`The plan has no \${step} \${1}.\`}>There is
      no such page.</p>;
    // There is no such host.
    const query = "SELECT name FROM users WHERE id = ?";
    const title = 'Answers per second';`;
  expect(
    repeatedTexts([
      { path: 'one.ts', text: one },
      { path: 'two.tsx', text: two },
    ]),
  ).toEqual([
    { text: 'There is no such page.', places: ['one.ts:1', 'two.tsx:1'] },
    { text: 'The plan has no … ….', places: ['one.ts:2', 'two.tsx:1'] },
  ]);
});
