import { availableParallelism, hostname } from 'node:os';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { parsePlan } from '#core/review/check.ts';
import type { Agreements } from '#backend/agreements/agreements.ts';
import { buildPlan } from '#core/presets/build.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { Log } from '../log.ts';
import {
  addPreset,
  type AllFolders,
  checkPreset,
  listPresetFiles,
  type PresetFolders,
  readPresets,
  removePreset,
} from '../presets/presetFiles.ts';

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
  return { 'plans.parse': ({ source }) => parsePlan(source), 'plans.asks': (asking) => agreements.look(asking) };
}

/**
 * Creates the calls for presets, which are files. An unusable preset is logged, and the others are still listed. The files are read again
 * for each list.
 */
export function createPresetCalls(
  folders: AllFolders,
  log: Log,
): Pick<CallHandlers, 'presets.list' | 'presets.build' | 'presets.added' | 'presets.check' | 'presets.add' | 'presets.remove'> {
  let presets: Promise<readonly Preset[]> | undefined;
  const allPresets = (): Promise<readonly Preset[]> => (presets ??= usablePresets(folders, log));
  return {
    'presets.added': async () => (await listPresetFiles(folders)).flatMap(({ id, isAdded }) => (isAdded ? [id] : [])),
    'presets.check': ({ source }) => checkPreset(folders, source),
    'presets.add': async ({ source, replaces }) => {
      const { id } = await addPreset(folders, source, replaces);
      presets = undefined;
      return { id };
    },
    'presets.remove': async ({ id }) => {
      const source = await removePreset(folders, id);
      presets = undefined;
      return { source };
    },
    'presets.list': async () => {
      presets = undefined;
      return [...(await allPresets())];
    },
    'presets.build': async ({ id, answers, targets }) => {
      const preset = (await allPresets()).find((candidate) => candidate.id === id);
      if (!preset) throw noSuchPreset(id, await allPresets());
      return buildPlan(preset, answers, targets);
    },
  };
}

async function usablePresets(folders: PresetFolders, log: Log): Promise<readonly Preset[]> {
  try {
    const { presets, issues } = await readPresets(folders);
    if (issues.length > 0) log.warn('presets have problems', { issues });
    return presets;
  } catch (thrown) {
    log.failure(`the presets in ${folders.shipped} cannot be read`, thrown);
    return [];
  }
}

function noSuchPreset(id: string, presets: readonly Preset[]): HoldfastError {
  const names = presets.map((preset) => preset.id).join(', ');
  return new HoldfastError({
    code: 'NO_SUCH_PRESET',
    message: `There is no preset called ${quote(id)}.`,
    hint: names === '' ? 'No preset could be read. See the log file named in Settings.' : `There are: ${names}.`,
  });
}
