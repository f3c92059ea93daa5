import { isBlock } from '#core/base/json.ts';
import type { Draft } from '../draft.ts';
import type { Choice } from '../imported.ts';
import { at, entriesAt, textAt } from '../reading.ts';

/** The choice of no environment, like `artillery run` without -e. */
const NONE = 'none';
const MAX_DEPTH = 60;

/** A script with one of its environments applied. */
export interface ChosenEnvironment {
  readonly config: unknown;
  /** Empty for a script without environments. */
  readonly choices: readonly Choice[];
}

/**
 * Returns the config with the chosen environment; null for an unknown name. If `chosen` is null: no environment, or the first with a target if
 * only environments have targets.
 */
export function chooseEnvironment(draft: Draft, config: unknown, chosen: string | null): ChosenEnvironment | null {
  const environments = entriesAt(config, 'environments');
  const hasTarget = textAt(config, 'target') !== null;
  const first = environments.find(([, settings]) => textAt(settings, 'target') !== null)?.[0] ?? NONE;
  const name = chosen ?? (hasTarget ? NONE : first);
  const settings = environments.find(([one]) => one === name)?.[1];
  if (settings === undefined && name !== NONE) return null;
  if (environments.length === 0) return { config, choices: [] };
  const names = environments.map(([one]) => one);
  if (chosen === null)
    draft.assumed(
      'config.environments',
      `The script has environments with other settings: ${names.join(', ').slice(0, 120)}.`,
      name === NONE
        ? 'None was used, as Artillery does without -e.'
        : `“${name.slice(0, 60)}” was used, because only environments name a target.`,
    );
  const choices = environments.map(([one, own]): Choice => {
    const target = textAt(own, 'target');
    return { id: one, label: target === null ? one.slice(0, 80) : `${one.slice(0, 80)} (${target.slice(0, 80)})`, isTaken: one === name };
  });
  return {
    config: settings === undefined ? config : mergeSettings(config, settings, 0),
    choices: hasTarget ? [{ id: NONE, label: 'none', isTaken: name === NONE }, ...choices] : choices,
  };
}

/** Merges objects by member and lists by position, like Artillery (lodash merge). */
function mergeSettings(below: unknown, above: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(below) && Array.isArray(above))
    return Array.from({ length: Math.max(below.length, above.length) }, (_, index) =>
      index < above.length ? mergeSettings(below[index], above[index], depth + 1) : at(below, index),
    );
  if (!isBlock(below) || !isBlock(above)) return above ?? below;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...names].map((name) => [name, mergeSettings(at(below, name), at(above, name), depth + 1)]));
}
