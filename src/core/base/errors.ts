/**
 * An error that can be shown to a person. `code`: stable identifier for programs; `message`: what happened; `hint`: the probable cause and
 * the remedy; `data`: values that a screen needs (never a secret).
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly data?: unknown;
}

/** A {@link Problem} that is thrown. Any other thrown value is a bug and reported as `INTERNAL`. */
export class HoldfastError extends Error implements Problem {
  override readonly name = 'HoldfastError';
  readonly code: string;
  readonly hint: string;
  readonly data?: unknown;

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.message, options);
    this.code = problem.code;
    this.hint = problem.hint;
    if (problem.data !== undefined) this.data = problem.data;
  }
}

/** Returns the error code of the system or a library (`ENOENT`); null if there is no code. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
}

/** Returns why a file could not be read, from the system's error. */
export function describeReadFailure(path: string, thrown: unknown): Pick<Problem, 'message' | 'hint'> {
  const code = codeOf(thrown) ?? String(thrown);
  return { message: `The file ${path} cannot be read (${code}).`, hint: 'Check its path and its permissions.' };
}

/** Returns the {@link Problem} of a thrown value; a foreign error becomes `INTERNAL`. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof HoldfastError) {
    const { code, message, hint, data } = thrown;
    return data === undefined ? { code, message, hint } : { code, message, hint, data };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'INTERNAL',
    message: `Internal error in Holdfast: ${message}`,
    hint: 'This is a bug in Holdfast, not in your server. Try again. If it happens again, report it with the log file named in Settings.',
  };
}
