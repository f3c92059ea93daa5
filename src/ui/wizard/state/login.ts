import type { Plan } from '#core/plan/schema/plan.ts';
import { wantsLogin } from '#core/presets/build.ts';
import type { Preset } from '#core/presets/schema.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { usableAnswers } from './answers.ts';

/** Returns whether each user of the preset's plan logs in, in which case no login is needed beforehand. */
export function logsInItself(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): boolean {
  return preset.login !== false && !wantsLogin(preset, usableAnswers(preset, answers));
}

/** Returns whether the journey's users log in, that is, whether a step submits a password or captures a value from the login form. */
export function journeyLogsIn({ journey }: Pick<Plan, 'journey'>): boolean {
  return journey.some(({ form, json, captures }) => {
    if (captures?.some(({ from }) => from === 'loginForm') === true) return true;
    const fields = [...Object.keys(form ?? {}), ...(typeof json === 'object' && json !== null ? Object.keys(json) : [])];
    return fields.some((field) => isSecretField(field));
  });
}
