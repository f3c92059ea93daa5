import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { memoryOutput } from '../testing/memoryOutput.ts';
import { openJsonDestination } from './jsonFile.ts';

describe('openJsonDestination', () => {
  it('replaces the file atomically and leaves no other file', async () => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'result.json'), 'old');
    const destination = await openJsonDestination('result.json', directory, memoryOutput());
    expect(await readFile(join(directory, 'result.json'), 'utf8')).toBe('old');
    await destination.save({ answer: 42 });
    await destination.discard();
    expect(await readdir(directory)).toEqual(['result.json']);
    expect(JSON.parse(await readFile(join(directory, 'result.json'), 'utf8'))).toEqual({ answer: 42 });
  });

  it('keeps the old file if nothing is saved', async () => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'result.json'), 'old');
    const destination = await openJsonDestination('result.json', directory, memoryOutput());
    await destination.discard();
    expect(await readdir(directory)).toEqual(['result.json']);
    expect(await readFile(join(directory, 'result.json'), 'utf8')).toBe('old');
  });

  it('writes through a symbolic link and keeps the link', async () => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'behind.json'), 'old');
    await symlink('behind.json', join(directory, 'result.json'));
    const destination = await openJsonDestination('result.json', directory, memoryOutput());
    await destination.save({ answer: 42 });
    expect(JSON.parse(await readFile(join(directory, 'behind.json'), 'utf8'))).toEqual({ answer: 42 });
    expect((await lstat(join(directory, 'result.json'))).isSymbolicLink()).toBe(true);
  });

  it('writes into a pipe instead of replacing it by a file', async () => {
    const directory = temporaryDirectory();
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    const destination = await openJsonDestination(pipe, directory, memoryOutput());
    await destination.save({ answer: 42 });
    expect(JSON.parse(await read)).toEqual({ answer: 42 });
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(directory)).toEqual(['pipe']);
  });

  it('reports an unwritable file on opening', async () => {
    const directory = temporaryDirectory();
    await mkdir(join(directory, 'taken'));
    for (const path of ['no/such/folder/result.json', 'taken'])
      await expect(openJsonDestination(path, directory, memoryOutput())).rejects.toMatchObject({
        code: 'JSON_FILE',
        message: expect.stringContaining(path),
      });
    expect(await readdir(directory)).toEqual(['taken']);
  });

  it('writes to standard output for -', async () => {
    const out = memoryOutput();
    const destination = await openJsonDestination('-', '/', out);
    await destination.save([1]);
    expect([destination.isStandardOutput, JSON.parse(out.text)]).toEqual([true, [1]]);
  });
});
