import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { USUAL_CRITERIA } from '#core/plan/criteria.ts';
import { listPresetFiles, readPresetFile } from '#backend/presets/presetFiles.ts';
import type { Preset, Question } from '#core/presets/schema.ts';
import { codeOf, HoldfastError, describeReadFailure } from '#core/base/errors.ts';
import { findImporter } from '#core/import/importText.ts';
import { quote } from '#core/base/text.ts';
import { error } from '#core/plan/issues.ts';
import { invalidPlan } from '../output/problems.ts';
import { answersFrom } from './fields.ts';

/** A preset or a plan file. */
export type PlanSource =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

export interface SourceFolders {
  readonly presetsDirectory: string;
  readonly addedPresetsDirectory: string;
  readonly currentDirectory: string;
}

/** Finds a preset by its id (its file name), else reads a plan file. Throws `NO_SUCH_PLAN`, `UNREADABLE_PLAN` or `UNREADABLE_PRESET`. */
export async function findPlanSource(name: string, folders: SourceFolders): Promise<PlanSource> {
  // Only this preset is read, because reading all presets takes a tenth of a second.
  const files = await listPresetFiles({ shipped: folders.presetsDirectory, added: folders.addedPresetsDirectory });
  const file = files.find(({ id }) => id === name);
  const preset = file === undefined ? null : (await readPresetFile(file.path)).preset;
  if (preset) return { kind: 'preset', preset };
  const alternatives = `The presets are: ${files.map(({ id }) => id).join(', ')}.`;
  const text = await readPlanFile(name, folders.currentDirectory, alternatives);
  refuseForeign(name, text);
  return { kind: 'file', path: name, text };
}

/** Throws the issue `NOT_A_PLAN` for a file of another tool that can be imported. */
function refuseForeign(path: string, text: string): void {
  if (/holdfast\w*["']?\s*:/.test(text)) return;
  const importer = findImporter(text);
  if (importer === null) return;
  const message = `This is ${importer.title}, not a plan.`;
  throw invalidPlan([error('NOT_A_PLAN', '', message, `Make a plan from it: holdfast import ${importer.id} ${path} -o plan.yaml`)]);
}

export function listQuestions(source: PlanSource): readonly Question[] {
  return source.kind === 'preset' ? source.preset.questions : [];
}

/** Returns the settings of `--answers`, overridden by those of `--set`. */
export async function readGivenSettings(
  source: PlanSource,
  { answers, set }: { readonly answers?: string; readonly set: readonly string[] },
  { currentDirectory }: Pick<SourceFolders, 'currentDirectory'>,
): Promise<string[]> {
  return [...(await answersFrom(answers, currentDirectory, listQuestions(source))), ...set];
}

/** Arrival rate of the plan. The lowest level of the search is a quarter of this rate. */
const ADDRESS_PER_SECOND = 40;
const ADDRESS_SECONDS = 10;

/** Builds the plan for a search at an address, with default criteria: p95 within 1 s, at most 1 % errors. */
export function planOfAddress(url: string): PlanSource {
  const plan = {
    holdfast: 1,
    name: `Requests of ${URL.canParse(url) ? new URL(url).host : url}`.slice(0, 120),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: ADDRESS_PER_SECOND, seconds: ADDRESS_SECONDS }] },
    criteria: USUAL_CRITERIA,
  };
  return { kind: 'file', path: url, text: JSON.stringify(plan) };
}

export const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

/** Reads a plan file as text. Throws `NO_SUCH_PLAN` or `UNREADABLE_PLAN`. */
export async function readPlanFile(path: string, currentDirectory: string, alternatives = ''): Promise<string> {
  try {
    return await readFile(resolve(currentDirectory, path), 'utf8');
  } catch (cause) {
    const missing = codeOf(cause) === 'ENOENT';
    throw new HoldfastError(
      missing
        ? {
            code: 'NO_SUCH_PLAN',
            message: `There is no file${alternatives === '' ? '' : ' and no preset'} called ${quote(path)}.`,
            hint: isAddress(path)
              ? 'To test one address: holdfast quick ADDRESS'
              : `Check the name. Holdfast looks for a file in ${currentDirectory}. ${alternatives}`.trim(),
          }
        : {
            code: 'UNREADABLE_PLAN',
            message: describeReadFailure(path, cause).message,
            hint: 'Name a readable file with a plan in YAML or JSON.',
          },
      { cause },
    );
  }
}
