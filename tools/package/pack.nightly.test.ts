import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureBuild } from '../launch/build.mjs';
import { root } from '../testing/processes.ts';
import { expectUsable, packPackage } from '../testing/packedPackage.ts';

it('npm installs the packed package in an empty folder, where it runs a load', { timeout: 300_000 }, async () => {
  await ensureBuild(root);
  const { file, project, npm } = await packPackage();
  expect(await npm('install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', file)).toMatchObject({ code: 0 });
  await expectUsable(project, join(project, 'node_modules', '.bin', 'holdfast'));
});
