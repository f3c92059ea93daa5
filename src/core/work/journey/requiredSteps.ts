import { isBlock } from '#core/base/json.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { isPasswordField } from '#core/plan/secretShapes.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { listTexts } from './walked.ts';

/** Returns the positions of steps whose failure ends a journey: those marked as required, and logins unless marked otherwise. */
export function listRequiredSteps(journey: readonly Step[]): ReadonlySet<number> {
  const logins = loginSteps(journey);
  return new Set(journey.flatMap(({ required }, position) => ((required ?? logins.has(position)) ? [position] : [])));
}

/**
 * Returns the positions of logins: steps with a password that precede a step without one, because that step relies on the session. After a
 * failed login, the journey would load pages of an anonymous user.
 */
function loginSteps(journey: readonly Step[]): ReadonlySet<number> {
  const sends = journey.map(sendsPassword);
  return new Set(journey.flatMap((_, position) => (sends[position] === true && sends.includes(false, position + 1) ? [position] : [])));
}

/** Returns whether a step sends the password of an account. */
export function sendsPassword(step: Step): boolean {
  if (step.measured === false) return false;
  const fields = [
    ...Object.entries(step.form ?? {}),
    ...(step.multipart ?? []).flatMap((part): [string, string][] => ('value' in part ? [[part.name, part.value]] : [])),
    ...(step.json === undefined ? [] : listMembers(step.json)),
  ];
  if (fields.some(([name, value]) => value !== '' && isPasswordField(name, value))) return true;
  return listTexts(step).some(
    ({ path, text }) =>
      !/^(checks|poll|headers)/.test(path) && listPlaceholderNames(text).some((name) => isPasswordField(readValueName(name).member)),
  );
}

function listMembers(value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap(listMembers);
  if (!isBlock(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (typeof member === 'string' ? [[name, member]] : listMembers(member)));
}
