/** Phase in which a request failed without a complete response. */
export type Phase = 'build' | 'resolve' | 'connect' | 'tls' | 'firstByte' | 'body';

/** Replaces the phase if the response was complete but failed a check. */
export const CHECK = 'check';

interface ErrorParts {
  readonly code: string;
  /** Subject, such as what a check looked for; null if the code says everything. */
  readonly label: string | null;
  /** A {@link Phase} or {@link CHECK}; null if the name has none. Stored runs may have phases of other versions. */
  readonly phase: string | null;
}

/**
 * Returns the name by which windows, results and samples count an error: `CODE@phase` or `CODE label@phase`. Names are composed and parsed
 * only in this file.
 */
export function errorName(code: string, phase: Phase | typeof CHECK, label: string | null = null): string {
  return `${label === null ? code : `${code} ${label}`}@${phase}`;
}

/** Parses the name of an error. A label may contain blanks and `@`. */
export function readErrorName(name: string): ErrorParts {
  const at = name.lastIndexOf('@');
  const what = at < 0 ? name : name.slice(0, at);
  const blank = what.indexOf(' ');
  return {
    code: blank < 0 ? what : what.slice(0, blank),
    label: blank < 0 ? null : what.slice(blank + 1),
    phase: at < 0 ? null : name.slice(at + 1),
  };
}

/** Returns the error name of a complete response with an unexpected status. */
export function statusName(status: number): string {
  return `status ${status}`;
}

/** Returns the status in a name; null for other errors. */
export function statusOfName(name: string): number | null {
  const digits = /^status (\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
