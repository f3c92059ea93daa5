/** Names of the checks after which a journey does not go on. k6 shows them, and what it measured is read by them. */
export const NOT_ASTRAY = 'is not sent astray';

export function captureCheck(as: string): string {
  return `finds “${as}”`;
}

export function pollCheck(seconds: number): string {
  return `comes within ${seconds} s`;
}

const ENDS_JOURNEY = /^(?:is not sent astray$|finds “.*”$|comes within [\d.]+ s$)/s;

/** Whether a journey ends where this check fails. */
export function endsJourney(check: string): boolean {
  return ENDS_JOURNEY.test(check);
}

const LONGEST = 200;

/** What k6 calls the check of a step. Two colons would be a group. */
export function labelOfCheck(step: string, check: string): string {
  return `${step}: ${check}`.replaceAll('::', ':').slice(0, LONGEST);
}

/** The check of a step, by what k6 calls it. */
export function checkOfLabel(step: string, label: string): string {
  const beginning = labelOfCheck(step, '');
  return label.startsWith(beginning) ? label.slice(beginning.length) : label;
}
