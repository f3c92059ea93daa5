import type { Plan } from '#core/plan/schema/plan.ts';
import { wantsLogin } from '#core/presets/build.ts';
import type { Preset } from '#core/presets/schema.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { usableAnswers } from './answers.ts';

/** Whether each person of the preset's plan logs in: a login that is made before would only be in the way. */
export function logsInItself(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): boolean {
  return preset.login !== false && !wantsLogin(preset, usableAnswers(preset, answers));
}

/** Whether a step of the journey hands in a password, or reads the login form: then its users log in themselves. */
export function journeyLogsIn({ journey }: Pick<Plan, 'journey'>): boolean {
  return journey.some(({ form, json, captures }) => {
    if (captures?.some(({ from }) => from === 'loginForm') === true) return true;
    const fields = [...Object.keys(form ?? {}), ...(typeof json === 'object' && json !== null ? Object.keys(json) : [])];
    return fields.some((field) => isSecretField(field));
  });
}
