import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openUploads, readUploads } from './readFiles.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

function newFolder(): string {
  const folder = temporaryDirectory();
  folders.push(folder);
  return folder;
}

function getPlan(folder: string): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: [{ name: 'submit', method: 'POST', multipart: [{ name: 'task.%l', folder }] }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
}

it('readUploads reads the files of a folder, but no hidden files and no subfolders', async () => {
  const folder = newFolder();
  await Promise.all(['b.cpp', 'a.py', '.hidden'].map((name) => writeFile(join(folder, name), name)));
  await mkdir(join(folder, 'older'));
  const files = await readUploads(getPlan(`${folder}/`));
  expect(files).toEqual({
    [`${folder}/a.py`]: Buffer.from('a.py').toString('base64'),
    [`${folder}/b.cpp`]: Buffer.from('b.cpp').toString('base64'),
  });
});

it('readUploads rejects an empty folder and a missing folder', async () => {
  const folder = newFolder();
  await expect(readUploads(getPlan(folder))).rejects.toMatchObject({ code: 'UPLOAD_UNREADABLE', message: `No files in ${folder}.` });
  await expect(readUploads(getPlan(join(folder, 'none')))).rejects.toThrow('ENOENT');
});

it('openUploads leaves files above 16 MiB on disk if the load can send them from there', async () => {
  const path = join(newFolder(), 'film.bin');
  await writeFile(path, Buffer.alloc(16 * 1_048_576 + 1));
  const plan = (more: object): Plan =>
    planSchema.parse({
      holdfast: 1,
      name: 'Film',
      targets: [{ url: 'http://127.0.0.1/' }],
      journey: [{ name: 'upload', method: 'POST', bodyFile: path }],
      load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
      ...more,
    });
  const { files, largeFiles } = await openUploads(plan({}));
  expect([files, largeFiles[path]?.bytes]).toEqual([{}, 16 * 1_048_576 + 1]);
  await expect(openUploads(plan({ connections: { protocol: 'h2' } }))).rejects.toMatchObject({ code: 'UPLOAD_NOT_STREAMED' });
  await expect(openUploads(plan({ engine: 'k6' }))).rejects.toMatchObject({ code: 'UPLOAD_NOT_STREAMED' });
  await expect(openUploads(plan({}), false)).rejects.toThrow('needs this computer as the only load generator');
  await expect(readUploads(plan({}))).rejects.toMatchObject({ code: 'UPLOAD_UNREADABLE' });
});
