import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { readUploads } from './readUploads.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

function newFolder(): string {
  const folder = temporaryDirectory();
  folders.push(folder);
  return folder;
}

function planOf(folder: string): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: [{ name: 'submit', method: 'POST', multipart: [{ name: 'task.%l', folder }] }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
}

it('reads the files of a folder, without subfolders and hidden files', async () => {
  const folder = newFolder();
  await Promise.all(['b.cpp', 'a.py', '.hidden'].map((name) => writeFile(join(folder, name), name)));
  await mkdir(join(folder, 'older'));
  const files = await readUploads(planOf(`${folder}/`));
  expect(files).toEqual({
    [`${folder}/a.py`]: Buffer.from('a.py').toString('base64'),
    [`${folder}/b.cpp`]: Buffer.from('b.cpp').toString('base64'),
  });
});

it('rejects an empty folder and a missing one', async () => {
  const folder = newFolder();
  await expect(readUploads(planOf(folder))).rejects.toMatchObject({
    code: 'UPLOAD_UNREADABLE',
    message: `No files in ${folder}.`,
  });
  await expect(readUploads(planOf(join(folder, 'none')))).rejects.toThrow('ENOENT');
});
