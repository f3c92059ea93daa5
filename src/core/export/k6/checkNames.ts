/**
 * Name of a check whose failure ends the journey, like those of {@link captureCheck} and {@link pollCheck}. k6 shows these names, and
 * Holdfast finds them in k6's results.
 */
export const REDIRECT_CHECK_NAME = 'is not sent astray';

export function captureCheck(valueName: string): string {
  return `finds “${valueName}”`;
}

export function pollCheck(seconds: number): string {
  return `comes within ${seconds} s`;
}

const ENDING_CHECK_PATTERN = /^(?:is not sent astray$|finds “.*”$|comes within [\d.]+ s$)/s;

/** Returns whether the failure of a check ends the journey. */
export function endsJourney(check: string): boolean {
  return ENDING_CHECK_PATTERN.test(check);
}

const MAX_LABEL_LENGTH = 200;

/** Returns the k6 label of a check. Two colons are replaced, because k6 would treat them as a group. */
export function labelOfCheck(step: string, check: string): string {
  return `${step}: ${check}`.replaceAll('::', ':').slice(0, MAX_LABEL_LENGTH);
}

/** Returns the check of a step for a k6 label. */
export function checkOfLabel(step: string, label: string): string {
  const beginning = labelOfCheck(step, '');
  return label.startsWith(beginning) ? label.slice(beginning.length) : label;
}
