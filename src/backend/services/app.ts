import { availableParallelism, hostname } from 'node:os';
import { readdir, readFile, mkdir, writeFile } from 'node:fs/promises';
import { extname, join, basename } from 'node:path';
import { createHash } from 'node:crypto';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { quoted } from '#core/base/text.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { parsePlan } from '#core/review/check.ts';
import type { Agreements } from '#backend/agreements/agreements.ts';
import { buildPlan } from '#core/presets/build.ts';
import { readPreset } from '#core/presets/parse.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { Log } from '../log.ts';
import { OWNER_ONLY } from '../dataDirectory.ts';

export interface AppFacts {
  readonly version: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  /** What the user should fix about the data directory, or null. */
  readonly notice: string | null;
}

export function createAppCalls(facts: AppFacts): Pick<CallHandlers, 'app.info' | 'app.k6'> {
  return {
    'app.k6': async () => {
      try {
        return { version: (await findK6()).version, problem: null };
      } catch (thrown) {
        return { version: null, problem: toProblem(thrown) };
      }
    },
    'app.info': () => ({
      ...facts,
      nodeVersion: process.version,
      platform: process.platform,
      hostname: hostname(),
      cores: availableParallelism(),
    }),
  };
}

export function createPlanCalls(agreements: Agreements): Pick<CallHandlers, 'plans.parse' | 'plans.asks'> {
  return {
    'plans.parse': ({ source }) => parsePlan(source),
    'plans.asks': (asking) => agreements.look(asking),
  };
}

const EXTENSIONS = new Set(['.yaml', '.yml', '.json']);

/** Presets are files. An unusable preset is logged, and the others are still listed. */
export function createPresetCalls(directory: string, log: Log): Pick<CallHandlers, 'presets.list' | 'presets.build'> {
  let presets: Promise<Preset[]> | undefined;
  const all = (): Promise<Preset[]> => (presets ??= readPresets(directory, log));
  return {
    'presets.list': all,
    'presets.build': async ({ id, answers, targets }) => {
      const preset = (await all()).find((candidate) => candidate.id === id);
      if (!preset) throw noSuchPreset(id, await all());
      return buildPlan(preset, answers, targets);
    },
  };
}

async function readPresets(directory: string, log: Log): Promise<Preset[]> {
  let names: string[];
  try {
    names = (await readdir(directory)).filter((name) => EXTENSIONS.has(extname(name))).sort();
  } catch (thrown) {
    log.failure(`the presets in ${directory} cannot be read`, thrown);
    return [];
  }
  const read = await Promise.all(names.map((name) => getPreset(join(directory, name), log)));
  const presets: Preset[] = [];
  for (const preset of read) {
    if (!preset) continue;
    if (presets.some(({ id }) => id === preset.id)) log.warn('two presets have the same id; the later is left out', { id: preset.id });
    else presets.push(preset);
  }
  return presets;
}

async function getPreset(file: string, log: Log): Promise<Preset | null> {
  try {
    const { preset, issues } = readPreset(await readFile(file, 'utf8'));
    if (!preset || issues.length > 0) log.warn('a preset has problems', { file, left: preset ? 'in' : 'out', issues });
    return preset;
  } catch (thrown) {
    log.failure(`the preset ${file} cannot be read`, thrown);
    return null;
  }
}

function noSuchPreset(id: string, presets: readonly Preset[]): HoldfastError {
  const names = presets.map((preset) => preset.id).join(', ');
  return new HoldfastError({
    code: 'NO_SUCH_PRESET',
    message: `There is no preset called ${quoted(id)}.`,
    hint: names === '' ? 'No preset could be read. See the log file named in Settings.' : `There are: ${names}.`,
  });
}

const HASH_DIGITS = 16;
const MAX_NAME_CHARACTERS = 80;

/** Keeps files that a person chooses in the app, such as lists of accounts, in the data directory. A page in a browser cannot know their original paths. */
export function createFileCalls(dataDirectory: string): Pick<CallHandlers, 'files.keep'> {
  return {
    'files.keep': async ({ name, text }) => {
      // One folder per content, so files of the same name do not replace each other.
      const folder = join(dataDirectory, 'files', createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS));
      const path = join(folder, safeName(name));
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
      await writeFile(path, text, { mode: OWNER_ONLY.file });
      return { path };
    },
  };
}

/** Removes folders from a name, and characters that some file systems refuse. */
function safeName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-MAX_NAME_CHARACTERS);
  return /^[. ]*$/.test(last) ? 'file' : last.replace(/^[. ]+/, '');
}
