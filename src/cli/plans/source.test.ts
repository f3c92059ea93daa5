import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { findPlanSource, type SourceFolders } from './source.ts';

let folders: SourceFolders;
beforeEach(async () => {
  folders = { presetsDirectory: temporaryDirectory(), addedPresetsDirectory: temporaryDirectory(), currentDirectory: temporaryDirectory() };
  const page = fileURLToPath(new URL('../../../presets/plain-page.yaml', import.meta.url));
  await copyFile(page, join(folders.presetsDirectory, 'plain-page.yaml'));
  // A folder with this name cannot be read as a preset, so the test would notice if it were read.
  await mkdir(join(folders.presetsDirectory, 'another.yaml'));
});

describe('findPlanSource', () => {
  it('finds the preset with that name and reads no other preset', async () => {
    expect(await findPlanSource('plain-page', folders)).toMatchObject({ kind: 'preset', preset: { id: 'plain-page' } });
  });

  it('finds a file if no preset has that name, and reads no preset', async () => {
    await writeFile(join(folders.currentDirectory, 'plain-page.yaml'), 'holdfast: 1');
    expect(await findPlanSource('plain-page.yaml', folders)).toEqual({ kind: 'file', path: 'plain-page.yaml', text: 'holdfast: 1' });
  });

  it('names the presets if it finds neither', async () => {
    await expect(findPlanSource('nothing', folders)).rejects.toMatchObject({
      code: 'NO_SUCH_PLAN',
      hint: expect.stringContaining('The presets are: another, plain-page.'),
    });
  });
});
