import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { oha } from '../subjects/oha.ts';
import { wrk } from '../subjects/wrk.ts';
import { findSubjects } from './findSubjects.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-test-'));
  await writeFile(join(folder, 'oha'), '#!/bin/sh\necho "oha 9.8.7"\n');
  await chmod(join(folder, 'oha'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

it('findSubjects lists the programs that exist with their version, and install commands for those that are missing', async () => {
  const { found, missing } = await findSubjects([oha, wrk], new Map(), folder);
  expect(found.map(({ subject, version, located }) => [subject.id, version, located.program])).toEqual([
    ['oha', '9.8.7', join(folder, 'oha')],
  ]);
  expect(missing).toEqual([{ id: 'wrk', install: 'apt-get install wrk' }]);
});

it('findSubjects uses a program that is named, and rejects one that is missing', async () => {
  const { found } = await findSubjects([oha], new Map([['oha', join(folder, 'oha')]]), '');
  expect(found[0]?.version).toBe('9.8.7');
  await expect(findSubjects([oha], new Map([['oha', join(folder, 'none')]]), folder)).rejects.toThrow('there is no program');
});
