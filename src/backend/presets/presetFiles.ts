import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import type { Issue } from '#core/plan/issues.ts';
import { type ParsedPreset, parsePreset, readPreset } from '#core/presets/parse.ts';
import { buildPlan } from '#core/presets/build.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { type Ask, listAsks, needsAgreement } from '#core/review/asks/ask.ts';
import type { Preset } from '#core/presets/schema.ts';

/** Folders of presets: those that Holdfast ships, and those that a user added. */
export interface PresetFolders {
  readonly shipped: string;
  readonly added?: string | undefined;
}
export type AllFolders = Required<PresetFolders> & { readonly added: string };

export interface PresetLibrary {
  readonly presets: readonly Preset[];
  readonly added: readonly string[];
  /** Problems of unusable presets. Each location begins with the file name. */
  readonly issues: readonly Issue[];
}

interface PresetFile {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly isAdded: boolean;
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);
const MAX_PRESET_BYTES = 1_000_000;
const MAX_ADDED_PRESETS = 200;

/** Returns the preset files by name, shipped ones first. An added file is omitted if a shipped preset has its id. */
export async function listPresetFiles({ shipped, added }: PresetFolders): Promise<PresetFile[]> {
  const ownPresetFiles = await listFolder(shipped, false);
  const ids = new Set(ownPresetFiles.map(({ id }) => id));
  const others = await (added === undefined ? Promise.resolve([]) : listFolder(added, true)).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  });
  return [...ownPresetFiles, ...others.filter(({ id }) => !ids.has(id)).slice(0, MAX_ADDED_PRESETS)];
}

async function listFolder(folder: string, isAdded: boolean): Promise<PresetFile[]> {
  const names = (await readdir(folder)).filter((name) => EXTENSIONS.has(extname(name))).toSorted();
  return names.map((name) => ({ id: parse(name).name, name, path: join(folder, name), isAdded }));
}

/** Reads one preset file. An unreadable file is an issue, never an exception. */
export async function readPresetFile(path: string): Promise<ParsedPreset> {
  try {
    return readPreset(await readBounded(path));
  } catch (thrown) {
    const { code, message, hint } = thrown instanceof HoldfastError ? thrown : unreadable(path, thrown);
    return { preset: null, issues: [{ level: 'error', code, path: '', message, hint }] };
  }
}

/** Reads all presets of both folders. */
export async function readPresets(folders: PresetFolders): Promise<PresetLibrary> {
  const files = await listPresetFiles(folders);
  const read = await Promise.all(files.map(async (file) => ({ ...file, ...(await readPresetFile(file.path)) })));
  const usable = read.filter(({ id, preset }) => preset?.id === id);
  return {
    presets: usable.flatMap(({ preset }) => preset ?? []),
    added: usable.flatMap(({ id, isAdded }) => (isAdded ? [id] : [])),
    issues: read.flatMap(({ id, name, preset, issues }) => [
      ...issues.map((issue) => ({ ...issue, path: `${name}${issue.path === '' ? '' : `: ${issue.path}`}` })),
      ...(preset === null || preset.id === id ? [] : [wrongFileName(name, preset.id)]),
    ]),
  };
}

/** A preset from another person that was read but not stored. */
export interface CheckedPreset extends ParsedPreset {
  /** Which kind of preset already has this id; null if none. */
  readonly taken: 'shipped' | 'added' | null;
  /** What the test needs with the default values, besides the server to test. */
  readonly asks: Ask[];
}

/** Reads a preset from another person, and builds its plan with every combination of choices. Stores nothing. */
export async function checkPreset(folders: PresetFolders, source: string): Promise<CheckedPreset> {
  const parsedPreset = parsePreset(source);
  const { preset } = parsedPreset;
  if (preset === null) return { ...parsedPreset, taken: null, asks: [] };
  const file = (await listPresetFiles(folders)).find(({ id }) => id === preset.id);
  const { plan, series } = buildPlan(preset, {}, [targetSchema.parse({ url: 'http://localhost/' })]);
  const asks = plan === null ? [] : listAsks({ plan, series: series ?? undefined }).filter(needsAgreement);
  return { ...parsedPreset, taken: file === undefined ? null : file.isAdded ? 'added' : 'shipped', asks };
}

/**
 * Stores a preset from another person in the data directory, after building its plan with every combination of choices. Throws
 * `INVALID_PRESET` with all problems, or `PRESET_EXISTS`.
 */
export async function addPreset(folders: AllFolders, source: string, replaces = false): Promise<Preset> {
  const { preset, issues } = parsePreset(source);
  if (preset === null) throw invalidPreset(issues);
  const takenPresetFile = (await listPresetFiles(folders)).find(({ id }) => id === preset.id);
  if (takenPresetFile !== undefined && !(takenPresetFile.isAdded && replaces)) throw idTaken(preset.id, takenPresetFile.isAdded);
  await mkdir(folders.added, { recursive: true, mode: 0o700 });
  // The replaced file may have another extension than the new one, and would otherwise stay beside the new file.
  if (takenPresetFile !== undefined) await rm(takenPresetFile.path, { force: true });
  await writeFile(join(folders.added, `${preset.id}.yaml`), source, { mode: 0o600 });
  return preset;
}

/** Removes an added preset, and returns its text. Throws `NO_SUCH_PRESET`. */
export async function removePreset(folders: AllFolders, id: string): Promise<string> {
  const file = (await listPresetFiles(folders)).find((candidate) => candidate.isAdded && candidate.id === id);
  if (file === undefined)
    throw new HoldfastError({
      code: 'NO_SUCH_PRESET',
      message: `No preset called ${quote(id)} was added.`,
      hint: 'holdfast presets lists all presets. Those that Holdfast brings along cannot be removed.',
    });
  const source = await readBounded(file.path);
  await rm(file.path);
  return source;
}

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_PRESET_BYTES)
    throw new HoldfastError({
      code: 'PRESET_TOO_LARGE',
      message: `${path} is larger than ${MAX_PRESET_BYTES / 1_000_000} MB.`,
      hint: 'Presets are short texts. Probably this is another file.',
    });
  return readFile(path, 'utf8');
}

function unreadable(path: string, thrown: unknown): Pick<HoldfastError, 'code' | 'message' | 'hint'> {
  return {
    code: 'UNREADABLE_PRESET',
    message: `${path} cannot be read (${codeOf(thrown) ?? String(thrown)}).`,
    hint: 'Check the path and the permissions of the file.',
  };
}

function wrongFileName(name: string, id: string): Issue {
  return {
    level: 'error',
    code: 'PRESET_FILE_NAME',
    path: name,
    message: `The file contains the preset ${quote(id)}.`,
    hint: `Rename the file to ${id}.yaml.`,
  };
}

function invalidPreset(issues: readonly Issue[]): HoldfastError {
  const errors = issues.filter(({ level }) => level === 'error');
  return new HoldfastError({
    code: 'INVALID_PRESET',
    message: `The preset is invalid: ${errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(' ')}`,
    hint: errors.map(({ hint }) => hint).find((hint) => hint !== '') ?? '',
  });
}

function idTaken(id: string, isAdded: boolean): HoldfastError {
  return new HoldfastError({
    code: 'PRESET_EXISTS',
    message: `There is already a preset called ${quote(id)}.`,
    hint: isAdded ? 'Add it with --replace to use the new one instead.' : 'Give the preset another id. Holdfast brings this one along.',
  });
}
