/**
 * Every error that can reach a person. `code` is for programs and never changes meaning, `message` says what happened,
 * `hint` why it probably did and what to do, `data` holds what a screen needs to show it (never a secret).
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly data?: unknown;
}

/** A {@link Problem} that travels by throwing. Anything else that is thrown is a bug and is reported as `INTERNAL`. */
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

/** What the system or a library calls an error (`ENOENT`); null for what has no code. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
}

/** Why a file could not be read, by what the system said. */
export function unreadFile(path: string, thrown: unknown): Pick<Problem, 'message' | 'hint'> {
  const code = codeOf(thrown) ?? String(thrown);
  return { message: `The file ${path} cannot be read (${code}).`, hint: 'Check its path and its permissions.' };
}

/** The {@link Problem} inside anything that was thrown; a foreign error becomes `INTERNAL`. */
export function problemOf(thrown: unknown): Problem {
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
