import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder, root } from '../testing/processes.ts';
import { isAllowed, shippedPackages } from './licences.ts';

it('every shipped package may be redistributed', async () => {
  const shipped = await shippedPackages(root);
  expect(shipped.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  const paths = shipped.map(({ path }) => path);
  // The list must contain a dependency, a dependency of that, packages that are bundled into the page and into commands, and the
  // dependencies of those.
  for (const name of ['ssh2', 'asn1', 'react', 'scheduler', 'express', 'body-parser', '@fontsource-variable/inter'])
    expect(paths).toContain(`node_modules/${name}`);
  for (const name of ['vitest', 'electron']) expect(paths).not.toContain(`node_modules/${name}`);
});

it.each([
  ['MIT', true],
  ['(MIT AND Zlib)', true],
  ['(GPL-3.0-only OR MIT)', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['MITX', false],
  ['', false],
  [null, false],
])('licence %s is allowed: %s', (licence, allowed) => expect(isAllowed(licence)).toBe(allowed));

it('the check of licences finds nested packages, and reports one that has no licence', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'src', 'ui'), { recursive: true });
  await writeFile(join(folder, 'src', 'ui', 'main.tsx'), "import { x } from 'shown/part';");
  const packages = {
    '': { dependencies: { used: '1.0.0' }, devDependencies: { shown: '1.0.0', tool: '1.0.0' } },
    'node_modules/used': { license: 'MIT', dependencies: { inner: '1.0.0', missing: '1.0.0' } },
    'node_modules/used/node_modules/inner': { license: 'GPL-3.0-only', optionalDependencies: { outer: '1.0.0' } },
    'node_modules/inner': { license: 'MIT' },
    'node_modules/outer': {},
    'node_modules/shown': { license: 'ISC' },
    'node_modules/tool': { license: 'GPL-3.0-only' },
  };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  expect(await shippedPackages(folder)).toEqual([
    { path: 'node_modules/outer', licence: null },
    { path: 'node_modules/shown', licence: 'ISC' },
    { path: 'node_modules/used', licence: 'MIT' },
    { path: 'node_modules/used/node_modules/inner', licence: 'GPL-3.0-only' },
  ]);
});
