import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeOwnFolder, removeOwnFolder, sweepOwnFolders } from './ownFolder.ts';

const MODULE_URL = new URL('ownFolder.ts', import.meta.url).href;

describe('own folders for temporary files', () => {
  const before = process.env['TMPDIR'];
  beforeEach(() => {
    process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'folders-'));
  });
  afterEach(() => {
    rmSync(tmpdir(), { recursive: true });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  /** Creates the folder of a killed process, with a password in it, and returns its path. */
  async function leftBehind(): Promise<string> {
    const script = `const { makeOwnFolder } = await import('${MODULE_URL}'); console.log(await makeOwnFolder('k6')); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const path = line.toString().trim();
    writeFileSync(join(path, 'accounts.csv'), 'ada,password');
    await sweepOwnFolders();
    expect(existsSync(path)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return path;
  }

  it('are accessible to this user only', async () => expect(statSync(await makeOwnFolder('k6')).mode & 0o777).toBe(0o700));

  it('are removed after their owner was killed, but not before', async () => {
    const left = await leftBehind();
    const own = await makeOwnFolder('pdf');
    await sweepOwnFolders();
    expect([left, own].map((path) => existsSync(path))).toEqual([false, true]);
  });

  it('of another user are kept, whatever their names are', async () => {
    const left = await leftBehind();
    const uid = vi.spyOn(process, 'getuid').mockReturnValue(54_321);
    await sweepOwnFolders();
    uid.mockRestore();
    expect(existsSync(left)).toBe(true);
  });

  it('are removed even while a process writes to them', async () => {
    const own = await makeOwnFolder('k6');
    const untilMs = performance.now() + 150;
    let count = 0;
    const write = (): void => {
      if (existsSync(own)) writeFileSync(join(own, `file-${(count += 1)}`), '');
      if (performance.now() < untilMs) setImmediate(write);
    };
    write();
    await removeOwnFolder(own);
    expect(existsSync(own)).toBe(false);
  });

  it('of a process with a reused process ID are recognized by its start time', async () => {
    const own = await makeOwnFolder('k6');
    const other = join(tmpdir(), basename(own).replace(/-[\da-f]{8}-/, '-00000000-'));
    mkdirSync(other);
    await sweepOwnFolders();
    expect([own, other].map((path) => existsSync(path))).toEqual([true, process.platform === 'win32']);
  });

  it('of another container are kept for a day, and folders with other names are kept for ever', async () => {
    const left = await leftBehind();
    const foreign = join(tmpdir(), 'holdfast-k6-1-0123abcd-12345-abcdef');
    const others = ['holdfast-lab-abcdef', 'holdfast-k6-abcdef', 'k6-1-0123abcd--abcdef'].map((name) => join(tmpdir(), name));
    for (const path of [foreign, ...others]) mkdirSync(path);
    const file = join(tmpdir(), `${basename(left).slice(0, -6)}aaaaaa`);
    writeFileSync(file, '');
    await sweepOwnFolders();
    expect([foreign, ...others, file].map((path) => existsSync(path))).toEqual([true, true, true, true, true]);
    const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
    utimesSync(foreign, longAgo, longAgo);
    await sweepOwnFolders();
    expect(existsSync(foreign)).toBe(false);
  });
});
