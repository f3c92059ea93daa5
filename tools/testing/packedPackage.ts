import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { npmCommand } from '../launch/run.mjs';
import { countingServer } from './countingServer.ts';
import { emptyFolder, type Ended, plainEnvironment, root, run } from './processes.ts';

/** The package as it is published, and an empty project. */
export interface PackedPackage {
  readonly file: string;
  /** Paths of the files in the package. */
  readonly paths: readonly string[];
  readonly project: string;
  npm(...args: string[]): Promise<Ended>;
}

export async function packPackage(): Promise<PackedPackage> {
  const folder = await emptyFolder();
  const project = join(folder, 'project');
  await mkdir(project);
  const { command, before } = npmCommand();
  const call = (args: readonly string[], cwd: string) => run(command, [...before, ...args], { cwd, env: plainEnvironment() });
  const packed = await call(['pack', '--json', '--pack-destination', folder], root);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(folder, filename), paths: files.map(({ path }) => path), project, npm: (...args) => call(args, project) };
}

/** Asserts that the installed command prints its version, lists its presets and runs a load. */
export async function expectUsable(project: string, command: string): Promise<void> {
  const env = { ...plainEnvironment(), HOLDFAST_HOME: join(project, 'home') };
  const holdfast = (...args: string[]) => run(command, args, { cwd: project, env });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await holdfast('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const presets = await holdfast('presets');
  expect(presets).toMatchObject({ code: 0, stderr: '' });
  expect(presets.stdout).toContain('cms-contest');
  const server = await countingServer();
  expect(await holdfast('quick', server.url, '-n', '200', '-c', '4')).toMatchObject({ code: 0 });
  expect(server.served()).toBe(200);
  expect(await holdfast('no-such-command')).toMatchObject({ code: 1 });
}
