import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildManifests } from './manifests.ts';

const root = resolve(import.meta.dirname, '..', '..');
const HASH = 'ab'.repeat(32);
const release = { downloads: 'https://downloads.example/v0', hashOf: () => Promise.resolve(HASH) };

it("manifests of winget, Homebrew and Flatpak name the version, and the release's installers with their hashes", async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const texts = await buildManifests(release);
  const installer: unknown = parse(texts['winget/Holdfast.Holdfast.installer.yaml'] ?? '');
  expect(installer).toMatchObject({
    PackageVersion: version,
    Installers: [{ InstallerUrl: `https://downloads.example/v0/Holdfast-${version}-win-x64.exe`, InstallerSha256: HASH.toUpperCase() }],
  });
  expect(texts['homebrew/holdfast.rb']).toContain('url "https://downloads.example/v0/Holdfast-#{version}-mac-arm64.dmg"');
  const flatpak: unknown = parse(texts['flatpak/app.holdfast.desktop.yml'] ?? '');
  expect(flatpak).toMatchObject({
    id: 'app.holdfast.desktop',
    modules: [{ sources: [{ url: `https://downloads.example/v0/Holdfast-${version}-linux-amd64.deb`, sha256: HASH }, {}] }],
  });
  expect(Object.values(texts).join('')).not.toMatch(/undefined|\$\{/);
});

it('the container image is described in at most 30 lines, and runs without the rights of root', async () => {
  const lines = (await readFile(join(root, 'Dockerfile'), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  const instructions = lines.map((line) => line.split(' ', 1)[0]);
  expect(instructions.filter((word) => word === 'VOLUME')).toHaveLength(1);
  expect(instructions.lastIndexOf('USER')).toBeGreaterThan(instructions.lastIndexOf('RUN'));
});
