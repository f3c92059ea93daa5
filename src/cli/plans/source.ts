import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import type { Preset } from '#core/presets/schema.ts';
import { readPresets } from './presetLibrary.ts';

/** What `run` and `describe` work on. */
export type PlanSource =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

export interface SourceFolders {
  readonly presetsDirectory: string;
  readonly currentDirectory: string;
}

/** Finds a preset by its id, else reads a file. Throws `NO_SUCH_PLAN` or `UNREADABLE_PLAN`. */
export async function findPlanSource(name: string, folders: SourceFolders): Promise<PlanSource> {
  const { presets } = await readPresets(folders.presetsDirectory);
  const preset = presets.find(({ id }) => id === name);
  if (preset) return { kind: 'preset', preset };
  const known = presets.map(({ id }) => id).join(', ');
  return { kind: 'file', path: name, text: await readPlanFile(name, folders.currentDirectory, `The presets are: ${known}.`) };
}

/** Reads a plan file as text. Throws `NO_SUCH_PLAN` or `UNREADABLE_PLAN`. */
export async function readPlanFile(path: string, currentDirectory: string, alternatives = ''): Promise<string> {
  try {
    return await readFile(resolve(currentDirectory, path), 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new HoldfastError(
      missing
        ? {
            code: 'NO_SUCH_PLAN',
            message: `There is no file${alternatives === '' ? '' : ' and no preset'} called ${JSON.stringify(path)}.`,
            hint: `Check the name; a file is looked for in ${currentDirectory}. ${alternatives}`.trim(),
          }
        : {
            code: 'UNREADABLE_PLAN',
            message: `The file ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
            hint: 'Name a file with a plan in YAML or JSON that you may read.',
          },
      { cause },
    );
  }
}
