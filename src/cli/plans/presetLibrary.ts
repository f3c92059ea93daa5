import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Issue } from '#core/plan/issues.ts';
import { readPreset } from '#core/presets/parse.ts';
import type { Preset } from '#core/presets/schema.ts';

export interface PresetLibrary {
  readonly presets: readonly Preset[];
  /** Problems of presets that cannot be used, with the file's name in front of the path. */
  readonly issues: readonly Issue[];
}

const EXTENSIONS = new Set(['.yaml', '.yml', '.json']);

/** Reads every preset of the folder, in the order of their file names. */
export async function readPresets(directory: string): Promise<PresetLibrary> {
  const presets: Preset[] = [];
  const issues: Issue[] = [];
  const files = (await readdir(directory)).filter((name) => EXTENSIONS.has(extname(name))).sort();
  for (const file of files) {
    const parsed = readPreset(await readFile(join(directory, file), 'utf8'));
    if (parsed.preset) presets.push(parsed.preset);
    for (const issue of parsed.issues) issues.push({ ...issue, path: `${file}${issue.path === '' ? '' : `: ${issue.path}`}` });
  }
  return { presets, issues };
}
