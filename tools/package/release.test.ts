import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { npmCommand } from '../launch/run.mjs';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]),
      permissions: z.record(z.string(), z.string()),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

const workflow = async (name: string) => workflowSchema.parse(parse(await readFile(join(root, '.github', 'workflows', name), 'utf8')));

it.each(['ci.yml', 'release.yml'])('%s grants nothing by default, and no job that runs foreign code may write', async (name) => {
  const { permissions, jobs } = await workflow(name);
  expect(permissions).toEqual({});
  for (const { permissions: granted, steps } of Object.values(jobs)) {
    if (!Object.values(granted).includes('write')) continue;
    const commands = steps.map((step) => step.run ?? '').join('\n');
    expect(commands).not.toMatch(/\b(?:npm|npx|node)\b/);
    expect(steps.map(({ uses }) => uses ?? '').filter((uses) => uses !== '' && !uses.startsWith('actions/'))).toEqual([]);
  }
});

it('a release requires checks of vulnerabilities and licences, and every file is attested', async () => {
  const { jobs } = await workflow('release.yml');
  const commands = (name: string): string => jobs[name]?.steps.map(({ uses, run: command }) => uses ?? command ?? '').join('\n') ?? '';
  for (const check of ['npm audit --audit-level=high', 'node tools/package/licences.ts']) expect(commands('shipped')).toContain(check);
  for (const name of ['package', 'installers']) expect(jobs[name]?.needs).toEqual(['shipped']);
  expect(jobs['draft']?.needs).toEqual(['package', 'installers', 'manifests']);
  expect(commands('package')).toContain('npm sbom --sbom-format cyclonedx');
  expect(commands('draft')).toMatch(/attest-build-provenance[^]*gh release upload/);
});

it('a release packs the manifests of its installers into one file', async () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const { jobs } = await workflow('release.yml');
  const commands = (jobs['manifests']?.steps ?? []).flatMap((step) => step.run ?? []).filter((command) => command !== 'npm ci');
  const folder = await emptyFolder();
  await mkdir(join(folder, 'files'));
  for (const end of ['win-x64.exe', 'mac-arm64.dmg', 'linux-amd64.deb'])
    await writeFile(join(folder, 'files', `Holdfast-${version}-${end}`), end);
  await symlink(join(root, 'tools'), join(folder, 'tools'), 'junction');
  const env = {
    ...plainEnvironment(),
    GITHUB_SERVER_URL: 'https://forge.example',
    GITHUB_REPOSITORY: 'someone/holdfast',
    GITHUB_REF_NAME: 'v0',
  };
  for (const command of commands) expect(await run('bash', ['-c', command], { cwd: folder, env })).toMatchObject({ code: 0, stderr: '' });
  const packed = await run('tar', ['-xzOf', 'manifests.tar.gz', 'winget/Holdfast.Holdfast.installer.yaml'], { cwd: folder, env });
  const hash = createHash('sha256').update('win-x64.exe').digest('hex').toUpperCase();
  expect(packed.stdout).toContain(`https://forge.example/someone/holdfast/releases/download/v0/Holdfast-${version}-win-x64.exe`);
  expect(packed.stdout).toContain(hash);
});

it('the bill of materials names each dependency with its version, without network access', async () => {
  const npm = npmCommand();
  const made = await run(npm.command, [...npm.before, 'sbom', '--sbom-format', 'cyclonedx', '--offline', '--loglevel=error'], {
    cwd: root,
    env: plainEnvironment(),
  });
  expect(made.stderr).not.toMatch(/npm error/);
  const { components } = z
    .object({ bomFormat: z.literal('CycloneDX'), components: z.array(z.object({ name: z.string(), version: z.string() })) })
    .parse(JSON.parse(made.stdout));
  const { dependencies, devDependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const namedNames = Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => `${name}@${version}`);
  expect(namedNames.filter((name) => !listed.has(name))).toEqual([]);
});
