import { wantsLogin } from '#core/presets/build.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { usableAnswers } from './answers.ts';

/** Whether each person of the preset's plan logs in: a login that is made before would only be in the way. */
export function logsInItself(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): boolean {
  return preset.login !== false && !wantsLogin(preset, usableAnswers(preset, answers));
}
