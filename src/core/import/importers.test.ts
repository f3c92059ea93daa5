import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { IMPORTERS } from './importers.ts';

it('docs/imports.md lists the formats that the command line accepts', async () => {
  const text = await readFile(resolve(import.meta.dirname, '../../../docs/imports.md'), 'utf8');
  const [, listed = ''] = /^- \*\*Format\*\*: .*?accepts nothing else: ([^.]*)\.$/m.exec(text) ?? [];
  expect(listed.replaceAll('`', '').split(', ')).toEqual(IMPORTERS.map(({ id }) => id).toSorted());
});
