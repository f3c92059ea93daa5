import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPlanArgument, readPlanFile } from './planFile.ts';

describe('findPlanArgument', () => {
  it.each([
    [['/opt/Holdfast/holdfast', 'day.holdfast'], '/home/me/day.holdfast'],
    [['holdfast', '--no-sandbox', '/tmp/DAY.HOLDFAST'], '/tmp/DAY.HOLDFAST'],
    [['electron', '.', 'a.holdfast', 'b.holdfast'], '/home/me/a.holdfast'],
    [['/opt/its.holdfast'], undefined],
    [['holdfast', '--flag=x.holdfast'], undefined],
    [['holdfast', 'day.yaml'], undefined],
  ])('finds in %j the path %s', (words, path) => {
    expect(findPlanArgument(words, '/home/me')).toBe(path === undefined ? undefined : resolve(path));
  });
});

describe('readPlanFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-plan-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns name and text, but no folder', async () => {
    await writeFile(join(folder, 'day.holdfast'), 'holdfast: 1\nname: ä\n');
    expect(await readPlanFile(join(folder, 'day.holdfast'))).toEqual({ name: 'day.holdfast', text: 'holdfast: 1\nname: ä\n' });
  });

  it('reports a missing file, a folder, and a file that is too large', async () => {
    await writeFile(join(folder, 'film.holdfast'), Buffer.alloc(4_000_001));
    const problems = await Promise.all(['gone.holdfast', '.', 'film.holdfast'].map((name) => readPlanFile(join(folder, name))));
    expect(problems.map(({ text, problem }) => [text, problem?.code])).toEqual([
      [null, 'PLAN_UNREADABLE'],
      [null, 'PLAN_UNREADABLE'],
      [null, 'PLAN_TOO_LARGE'],
    ]);
  });

  it('reads no device, pipe or endless file that has the extension of a plan, and waits for none', async () => {
    await symlink('/dev/zero', join(folder, 'zero.holdfast'));
    execFileSync('mkfifo', [join(folder, 'pipe.holdfast')]);
    const read = await Promise.all(['zero.holdfast', 'pipe.holdfast'].map((name) => readPlanFile(join(folder, name))));
    expect(read.map(({ text, problem }) => [text, problem?.code])).toEqual([
      [null, 'PLAN_UNREADABLE'],
      [null, 'PLAN_UNREADABLE'],
    ]);
  });

  it('never reveals the folder, not even in an error', async () => {
    const { problem } = await readPlanFile(join(folder, 'gone.holdfast'));
    expect(JSON.stringify(problem)).not.toContain(folder);
  });
});
