// Tests the desktop package without Electron's binary. The package is built without an archive around a substitute for it, then unpacked,
// and Node runs the package's backend.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentTalk } from '#agent/testing/agentTalk.ts';
import { ensureBuild } from '../launch/build.mjs';
import { countingServer } from '../testing/countingServer.ts';
import { emptyFolder, plainEnvironment, root, run, type Ended } from '../testing/processes.ts';

/**
 * A text that marks the fuses in Electron's binary. It is followed by the version of the layout, the number of fuses, and a digit for each
 * fuse.
 */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_NAMES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
];
// The folder is outside of the checkout, because Node would find missing packages inside it.
const folder = await mkdtemp(join(tmpdir(), 'holdfast-desktop-'));
const resources = join(folder, 'out', 'linux-unpacked', 'resources');
const unpacked = join(resources, 'app.asar.unpacked');
const tool = (...path: string[]): string => join(root, 'node_modules', ...path);
let built: Ended;

beforeAll(async () => {
  await ensureBuild(root);
  const electron = join(folder, 'electron');
  await mkdir(join(electron, 'resources'), { recursive: true });
  // Writes a binary in which every fuse has the wrong setting.
  const wire = Buffer.concat([Buffer.from(FUSES), Buffer.from([1, FUSE_NAMES.length]), Buffer.from('00110001')]);
  await writeFile(join(electron, 'electron'), Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(64), wire, Buffer.alloc(64)]), {
    mode: 0o755,
  });
  const options = ['--linux', 'dir', `-c.electronDist=${electron}`, `-c.directories.output=${join(folder, 'out')}`];
  built = await run(process.execPath, [tool('electron-builder', 'cli.js'), ...options], { cwd: root, env: plainEnvironment() });
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package of the desktop app', () => {
  it('is built from the configuration, and turns off what a shell does not need', async () => {
    expect(`${built.stdout}${built.stderr}`).not.toContain('⨯');
    expect(built.code).toBe(0);
    const binary = await readFile(join(folder, 'out', 'linux-unpacked', 'holdfast'));
    const at = binary.indexOf(FUSES) + FUSES.length + 2;
    const isOn = FUSE_NAMES.map((name, index) => [name, binary[at + index] === '1'.charCodeAt(0)]);
    expect(Object.fromEntries(isOn)).toEqual({
      runAsNode: true,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('has the shell and its page in the archive, but no sources, tests or tools', async () => {
    const extracted = join(folder, 'extracted');
    const asar = tool('@electron', 'asar', 'bin', 'asar.js');
    const listed = await run(process.execPath, [asar, 'list', join(resources, 'app.asar')], { cwd: root });
    const own = listed.stdout.split('\n').filter((path) => path !== '' && !path.startsWith('/node_modules'));
    for (const file of ['/dist/electron/main.cjs', '/dist/electron/preload.cjs', '/dist/ui/index.html', '/package.json'])
      expect(own).toContain(file);
    expect(own.filter((path) => !/^\/(dist|package\.json)/.test(path) || /\.tsx?$|\.test\.|\.map$/.test(path))).toEqual([]);
    expect(await run(process.execPath, [asar, 'extract', join(resources, 'app.asar'), extracted], { cwd: root })).toMatchObject({
      code: 0,
    });
    expect(await readFile(join(extracted, 'dist', 'electron', 'main.cjs'), 'utf8')).toBe(
      await readFile(join(root, 'dist', 'electron', 'main.cjs'), 'utf8'),
    );
    const { main } = JSON.parse(await readFile(join(extracted, 'package.json'), 'utf8')) as { main: string };
    expect((await stat(join(extracted, main))).isFile()).toBe(true);
  });

  it('has a backend next to the archive that stores a load from its worker threads', async () => {
    const home = await emptyFolder();
    const server = await countingServer();
    const holdfast = (...args: string[]) =>
      run(process.execPath, [join(unpacked, 'dist', 'node', 'cli.mjs'), ...args], {
        cwd: home,
        env: { ...plainEnvironment(), HOLDFAST_HOME: home },
      });
    expect(await holdfast('quick', server.url, '-n', '200', '-c', '4')).toMatchObject({ code: 0 });
    expect(server.served()).toBe(200);
    expect((await holdfast('runs')).stdout).toContain(new URL(server.url).host);
    expect((await holdfast('presets')).stdout).toContain('cms-contest');
  });

  it('has a backend process that becomes ready for the shell', async () => {
    const home = await emptyFolder();
    // Imitates the API of Electron's utility process.
    const parentPortStandIn = `process.parentPort = { on: (event, hear) => process.on(event, (data) => hear({ data })), postMessage: (data) => process.send(data) };`;
    const backend = fork(join(unpacked, 'dist', 'node', 'backendProcess.mjs'), {
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(parentPortStandIn)}`],
      env: { ...plainEnvironment(), HOLDFAST_HOME: home },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    onTestFinished(() => void backend.kill());
    const ended = once(backend, 'exit');
    await new Promise<void>((resolve, reject) => {
      backend.on('message', (message: { type: string }) => {
        if (message.type === 'ready') resolve();
        if (message.type === 'failed') reject(new Error(JSON.stringify(message)));
      });
      void ended.then(([code]) => reject(new Error(`It ended with ${code}.`)));
    });
    backend.send({ type: 'close' });
    expect(await ended).toEqual([0, null]);
  });

  it('has the agent that is copied to other machines', async () => {
    const talk = new AgentTalk(process.execPath, [join(unpacked, 'dist', 'agent', 'holdfast-agent.mjs')]);
    onTestFinished(() => void talk.process.kill());
    expect(await talk.greet()).toMatchObject({ type: 'hello', nodeVersion: process.versions.node });
  });
});
