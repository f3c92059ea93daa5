/** How far a request had come when it failed without a complete answer. */
export type Phase = 'build' | 'resolve' | 'connect' | 'tls' | 'firstByte' | 'body';

/** Stands in place of a phase where the answer was complete, and not what the plan asks for. */
export const CHECK = 'check';

/** What the name of an error says. */
interface ErrorParts {
  /** For programs. */
  readonly code: string;
  /** What it is about, such as what a check looked for; null where the code says all. */
  readonly label: string | null;
  /** A {@link Phase} or {@link CHECK}; null where the name has none. Stored runs may hold phases of other versions. */
  readonly phase: string | null;
}

/**
 * The name that an error is counted by in windows and results, and that a failure has in samples: `CODE@phase` or `CODE label@phase`. Names are put together with their
 * phases, and taken apart, in this file only.
 */
export function errorName(code: string, phase: Phase | typeof CHECK, label: string | null = null): string {
  return `${label === null ? code : `${code} ${label}`}@${phase}`;
}

/** The parts of a name. A label may hold blanks and `@` itself. */
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

/** The name of a complete answer with an unexpected status. */
export function statusName(status: number): string {
  return `status ${status}`;
}

/** The status that a name is of; null of every other error. */
export function statusOfName(name: string): number | null {
  const digits = /^status (\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
