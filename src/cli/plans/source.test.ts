import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { findPlanSource, type SourceFolders } from './source.ts';

let folders: SourceFolders;
beforeEach(async () => {
  folders = { presetsDirectory: temporaryDirectory(), currentDirectory: temporaryDirectory() };
  const page = fileURLToPath(new URL('../../../presets/plain-page.yaml', import.meta.url));
  await copyFile(page, join(folders.presetsDirectory, 'plain-page.yaml'));
  // Whoever reads it fails.
  await mkdir(join(folders.presetsDirectory, 'another.yaml'));
});

describe('what a command works on', () => {
  it('is the preset of that name, and no other is read', async () => {
    expect(await findPlanSource('plain-page', folders)).toMatchObject({ kind: 'preset', preset: { id: 'plain-page' } });
  });

  it('is a file where no preset has that name, and no preset is read', async () => {
    await writeFile(join(folders.currentDirectory, 'plain-page.yaml'), 'holdfast: 1');
    expect(await findPlanSource('plain-page.yaml', folders)).toEqual({ kind: 'file', path: 'plain-page.yaml', text: 'holdfast: 1' });
  });

  it('is neither: the presets are named', async () => {
    await expect(findPlanSource('nothing', folders)).rejects.toMatchObject({
      code: 'NO_SUCH_PLAN',
      hint: expect.stringContaining('The presets are: another, plain-page.'),
    });
  });
});
