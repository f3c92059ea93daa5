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

  it.each([
    ['urls.txt', 'http://localhost:8080/\nhttp://localhost:8080/about\n', 'This is a list of addresses, not a plan.', 'urls'],
    ['load.sh', 'ab -n 100 -c 10 http://localhost:8080/', 'This is an ab command (ApacheBench), not a plan.', 'ab'],
    ['visit.har', '{"log":{"entries":[]}}', 'This is a HAR file (a browser recording), not a plan.', 'har'],
  ])('names the import of a file of another tool: %s', async (name, text, message, importer) => {
    await writeFile(join(folders.currentDirectory, name), text);
    const hint = `Make a plan from it: holdfast import ${importer} ${name} -o plan.yaml`;
    await expect(findPlanSource(name, folders)).rejects.toMatchObject({ data: { issues: [{ code: 'NOT_A_PLAN', message, hint }] } });
  });

  it('names the presets if it finds neither', async () => {
    await expect(findPlanSource('nothing', folders)).rejects.toMatchObject({
      code: 'NO_SUCH_PLAN',
      hint: expect.stringContaining('The presets are: another, plain-page.'),
    });
  });
});
