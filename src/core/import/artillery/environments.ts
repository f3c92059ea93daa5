import { isBlock } from '#core/base/json.ts';
import type { Draft } from '../draft.ts';
import type { Choice } from '../imported.ts';
import { at, entriesAt, textAt } from '../reading.ts';

/** The choice of none, as `artillery run` makes it without -e. */
const NONE = 'none';
const DEEPEST = 60;

/** A script in one of its environments. */
export interface ChosenEnvironment {
  readonly config: unknown;
  /** Empty for a script that has none. */
  readonly choices: readonly Choice[];
}

/** The config of a script in the environment that was chosen; null for a name that it does not have. `chosen` null: none, or the first with a target if only environments have one. */
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
    config: settings === undefined ? config : merged(config, settings, 0),
    choices: hasTarget ? [{ id: NONE, label: 'none', isTaken: name === NONE }, ...choices] : choices,
  };
}

/** Blocks are merged member by member and lists position by position, as Artillery does (lodash merge). */
function merged(below: unknown, above: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  if (Array.isArray(below) && Array.isArray(above))
    return Array.from({ length: Math.max(below.length, above.length) }, (_, index) =>
      index < above.length ? merged(below[index], above[index], depth + 1) : at(below, index),
    );
  if (!isBlock(below) || !isBlock(above)) return above ?? below;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...names].map((name) => [name, merged(at(below, name), at(above, name), depth + 1)]));
}
