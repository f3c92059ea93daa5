// Writes the manifests of winget, Homebrew and Flatpak for a release: node tools/package/manifests.ts FOLDER DOWNLOADS. FOLDER has the
// built installers. DOWNLOADS is the address at which the release offers them.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '..', '..');
const packageSchema = z.object({ version: z.string(), description: z.string(), license: z.string() });
const builderSchema = z.object({
  appId: z.string(),
  productName: z.string(),
  artifactName: z.string(),
  linux: z.object({ synopsis: z.string() }),
});

/** Version of the schemas of winget that the manifests follow. */
const WINGET_VERSION = '1.10.0';
const FREEDESKTOP_VERSION = '25.08';

export interface Release {
  /** Address of the folder of the installers. */
  readonly downloads: string;
  /** Returns the SHA-256 of an installer in hexadecimal digits. */
  readonly hashOf: (file: string) => Promise<string>;
}

/** Returns the texts of all manifests by their paths. Everything but hashes and addresses is from package.json and electron-builder.yml. */
export async function buildManifests({ downloads, hashOf }: Release): Promise<Record<string, string>> {
  const app = packageSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const builder = builderSchema.parse(parse(await readFile(join(root, 'electron-builder.yml'), 'utf8')));
  const { version, license, description } = app;
  const { productName: name, appId } = builder;
  const installer = async (os: string, arch: string, ext: string) => {
    const values: Record<string, string> = { productName: name, version, os, arch, ext };
    const file = builder.artifactName.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
    return { file, url: `${downloads}/${file}`, hash: await hashOf(file) };
  };
  const [windows, mac, linux] = [
    await installer('win', 'x64', 'exe'),
    await installer('mac', 'arm64', 'dmg'),
    await installer('linux', 'amd64', 'deb'),
  ];
  const facts: Facts = { name, appId, version, license, description, synopsis: builder.linux.synopsis };
  return {
    ...wingetManifests(facts, windows),
    'homebrew/holdfast.rb': caskManifest(facts, mac, new URL(downloads).origin),
    [`flatpak/${appId}.yml`]: flatpakManifest(facts, linux),
  };
}

interface Facts {
  readonly name: string;
  readonly appId: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly synopsis: string;
}

interface Installer {
  readonly url: string;
  readonly hash: string;
}

function wingetManifests({ name, version, license, description }: Facts, { url, hash }: Installer): Record<string, string> {
  const id = `${name}.${name}`;
  const format = (type: string, fields: object): string =>
    stringify({ PackageIdentifier: id, PackageVersion: version, ...fields, ManifestType: type, ManifestVersion: WINGET_VERSION });
  return {
    [`winget/${id}.yaml`]: format('version', { DefaultLocale: 'en-US' }),
    [`winget/${id}.locale.en-US.yaml`]: format('defaultLocale', {
      PackageLocale: 'en-US',
      Publisher: `The ${name} developers`,
      PackageName: name,
      License: license,
      ShortDescription: description,
    }),
    [`winget/${id}.installer.yaml`]: format('installer', {
      InstallerType: 'nullsoft',
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: hash.toUpperCase() }],
    }),
  };
}

function caskManifest({ name, version, synopsis }: Facts, { url, hash }: Installer, homepage: string): string {
  return `cask "holdfast" do
  version "${version}"
  sha256 "${hash}"

  url "${url.replaceAll(version, '#{version}')}"
  name "${name}"
  desc "${synopsis}"
  homepage "${homepage}/"

  depends_on arch: :arm64

  app "${name}.app"

  zap trash: "~/Library/Application Support/holdfast"
end
`;
}

function flatpakManifest({ name, appId }: Facts, { url, hash }: Installer): string {
  return stringify({
    id: appId,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': FREEDESKTOP_VERSION,
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': FREEDESKTOP_VERSION,
    command: 'holdfast.sh',
    'finish-args': [
      '--share=ipc',
      '--share=network',
      '--socket=fallback-x11',
      '--socket=wayland',
      '--device=dri',
      '--persist=.local/share/holdfast',
    ],
    modules: [
      {
        name: 'holdfast',
        buildsystem: 'simple',
        'build-commands': [
          'ar x holdfast.deb && tar -xf data.tar.*',
          `cp -r opt/${name} /app/holdfast`,
          'install -D holdfast.sh /app/bin/holdfast.sh',
        ],
        sources: [
          { type: 'file', url, sha256: hash, 'dest-filename': 'holdfast.deb' },
          { type: 'script', 'dest-filename': 'holdfast.sh', commands: ['exec zypak-wrapper /app/holdfast/holdfast "$@"'] },
        ],
      },
    ],
  });
}

if (import.meta.main) {
  const [folder, downloads] = process.argv.slice(2);
  if (folder === undefined || downloads === undefined) throw new Error('Usage: node tools/package/manifests.ts FOLDER DOWNLOADS');
  const hashOf = async (file: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
  for (const [path, text] of Object.entries(await buildManifests({ downloads, hashOf }))) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
