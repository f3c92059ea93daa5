import type { Command } from 'commander';
import type { BackendHandle, CliContext } from '../context.ts';
import type { ExitCode } from '../exitCodes.ts';

/** What a command receives besides its arguments. */
export interface CommandHost {
  readonly context: CliContext;
  /** Sets the exit code of the process. */
  exit(code: ExitCode): void;
  /** Sets the exit code of a command that the user ran after `--`. */
  exitAs(code: number): void;
  /** Arguments after `--`, unchanged. */
  readonly afterDashes: readonly string[];
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, host: CommandHost) => void;

/** Opens the backend, runs `use`, and closes the backend. */
export async function withBackend<Result>(
  context: CliContext,
  use: (backend: BackendHandle) => Promise<Result>,
  options: { readonly runsCommands?: boolean } = {},
): Promise<Result> {
  const backend = await context.openBackend(options);
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}
