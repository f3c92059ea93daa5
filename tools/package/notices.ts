import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginOption } from 'vite';
import { z } from 'zod';
import { shippedPackages, type ShippedPackage } from './licences.ts';

/** Path of the file with the notices. It is next to the build, so both kinds of packages contain it. */
export const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';

const manifestSchema = z.object({ name: z.string(), version: z.string() });
const TEXT = /^(?:licen[cs]e|copying|notice)/i;
const RULE = '-'.repeat(80);

interface Notice extends ShippedPackage {
  readonly name: string;
  /** The authors' text of the licence; empty if the package has no such file. */
  readonly text: string;
}

/** Writes the notices next to the page. Fails if the package of a bundled module is not in the notices. */
export function thirdPartyNotices(root: string): PluginOption {
  return {
    name: 'holdfast-third-party-notices',
    apply: 'build',
    async writeBundle(_options, bundle) {
      const shipped = await shippedPackages(root);
      const known = new Set(shipped.map(({ path }) => path));
      for (const chunk of Object.values(bundle))
        for (const path of chunk.type === 'chunk' ? chunk.moduleIds.flatMap((id) => packageName(id)) : [])
          if (!known.has(path)) this.error(`${path} is bundled, and shippedPackages of tools/package/licences.ts does not know it.`);
      if (this.environment.name !== 'client') return;
      await mkdir(join(root, 'dist'), { recursive: true });
      await writeFile(join(root, NOTICES), await readNotices(root, shipped));
    },
  };
}

/**
 * Returns the installation path of the package to which a module belongs, such as `node_modules/a/node_modules/b`. The list is empty for
 * Holdfast's own modules.
 */
export function packageName(id: string): string[] {
  const path = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0];
  const start = path?.indexOf('/node_modules/') ?? -1;
  return path === undefined ? [] : [path.slice(start + 1)];
}

async function readNotices(root: string, shipped: readonly ShippedPackage[]): Promise<string> {
  const notices = await Promise.all(shipped.map((one) => readNotice(root, one)));
  const own = await readFile(join(root, 'LICENSE'), 'utf8');
  const parts = notices.map((notice) => {
    const { name, licence, text } = notice;
    const statedText = text === '' ? `Its package holds no text of its own. The licence reads:\n\n${textFor(notice, notices, own)}` : text;
    return `${RULE}\n${name}, licence: ${licence ?? 'unknown'}\n${RULE}\n\n${statedText}\n`;
  });
  return `Holdfast contains the work of others, under these licences.\n\n${parts.join('\n')}`;
}

async function readNotice(root: string, one: ShippedPackage): Promise<Notice> {
  const folder = join(root, one.path);
  // A package without files is optional and not installed on this system.
  const files = await readdir(folder).catch((): string[] => []);
  if (!files.includes('package.json')) return { ...one, name: one.path.replace(/^.*node_modules\//, ''), text: '' };
  const { name, version } = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const texts = await Promise.all(
    files
      .filter((file) => TEXT.test(file))
      .sort()
      .map((file) => readFile(join(folder, file), 'utf8')),
  );
  return { ...one, name: `${name} ${version}`, text: texts.map((text) => text.trim()).join('\n\n') };
}

/** Returns the licence text for a package that has none: the text of MIT, or that of another package under the same licence. */
function textFor({ licence }: Notice, notices: readonly Notice[], own: string): string {
  if (licence === 'MIT') return own.slice(own.indexOf('Permission is hereby')).trim();
  return notices.find((other) => other.licence === licence && other.text !== '')?.text ?? `See https://spdx.org/licenses/${licence ?? ''}`;
}
