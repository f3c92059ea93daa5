import { mkdir, readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuild } from '../launch/build.mjs';
import { npmCommand } from '../launch/run.mjs';
import { countingServer } from '../testing/countingServer.ts';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';

beforeAll(() => ensureBuild(root), 120_000);

/** What a built file imports. */
async function importedBy(file: string): Promise<string[]> {
  const text = await readFile(join(root, 'dist', file), 'utf8');
  return [...text.matchAll(/^import\s[^'"\n]*?['"]([^'"\n]+)['"]/gm)].map(([, source = '']) => source);
}

/** What a built file loads besides Node's own modules. */
async function loadedBy(file: string): Promise<string[]> {
  const imported = await importedBy(file);
  expect(imported.length).toBeGreaterThan(0);
  return [...new Set(imported.filter((source) => !isBuiltin(source)))];
}

describe('the build', () => {
  it('has a preload that loads nothing but Electron, as the sandbox demands', async () => {
    const preload = await readFile(join(root, 'dist', 'electron', 'preload.cjs'), 'utf8');
    expect(preload.match(/require\([^)]*\)/g)).toEqual(['require("electron")']);
  });

  it('has an agent that is one file and needs no package beside it', async () => {
    expect(await readdir(join(root, 'dist', 'agent'))).toEqual(['holdfast-agent.mjs']);
    expect(await loadedBy('agent/holdfast-agent.mjs')).toEqual([]);
  });

  it('has threads that start from one file each, for that takes half as long', async () => {
    expect(await loadedBy('node/loadWorker.mjs')).toEqual([]);
    expect(await loadedBy('node/resultThread.mjs')).toEqual(['better-sqlite3']);
  });

  it('has commands that load few packages from a folder of files, and not what Node imports with HTTP', async () => {
    const files = (await readdir(join(root, 'dist', 'node'), { recursive: true })).filter((file) => file.endsWith('.mjs'));
    const imported = await Promise.all(files.map((file) => importedBy(`node/${file}`)));
    expect(imported.flat()).toContain('node:net');
    expect(imported.flat()).not.toContain('node:http');
    // Scripts for k6 are text.
    const packages = imported.flat().filter((source) => !isBuiltin(source) && !/^(?:\.|k6\/)/.test(source));
    expect([...new Set(packages)].toSorted()).toEqual(['better-sqlite3', 'pg', 'pino', 'ssh2']);
  });

  it('has a page that runs under its own policy: no inline script, no inline style', async () => {
    const page = await readFile(join(root, 'dist', 'ui', 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    expect(page).not.toMatch(/\sstyle=|\son\w+=/);
  });
});

describe('the packed package in an empty folder', () => {
  it('installs, says its version, lists its presets and puts load on a server', { timeout: 240_000 }, async () => {
    const folder = await emptyFolder();
    const home = join(folder, 'home');
    const project = join(folder, 'project');
    await mkdir(project);
    const npm = npmCommand();
    const environment = { ...plainEnvironment(), HOLDFAST_HOME: home };
    const call = (args: readonly string[], cwd: string) => run(npm.command, [...npm.before, ...args], { cwd, env: environment });

    const packed = await call(['pack', '--json', '--pack-destination', folder], root);
    const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    const strays = files
      .map(({ path }) => path)
      .filter((path) => !/^(dist|presets|tools\/launch)\/|^(package\.json|README\.md|LICENSE)$/.test(path));
    expect(strays).toEqual([]);
    expect(files.map(({ path }) => path)).toContain('dist/THIRD-PARTY-NOTICES.txt');
    expect(files.filter(({ path }) => /\.tsx?$|\.test\.|\.map$/.test(path))).toEqual([]);

    const installed = await call(
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, filename)],
      project,
    );
    expect(installed).toMatchObject({ code: 0 });
    const holdfast = (...args: string[]) =>
      run(join(project, 'node_modules', '.bin', 'holdfast'), args, { cwd: project, env: environment });

    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await holdfast('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const presets = await holdfast('presets');
    expect(presets).toMatchObject({ code: 0, stderr: '' });
    expect(presets.stdout).toContain('cms-contest');

    const server = await countingServer();
    const quick = await holdfast('quick', server.url, '-n', '200', '-c', '4');
    expect(quick).toMatchObject({ code: 0 });
    expect(server.served()).toBe(200);
    expect(await holdfast('no-such-command')).toMatchObject({ code: 1 });
  });
});
