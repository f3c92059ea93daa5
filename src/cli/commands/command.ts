import type { Command } from 'commander';
import type { BackendHandle, CliContext } from '../context.ts';
import type { ExitCode } from '../exitCodes.ts';

/** What a command gets beside its arguments. */
export interface CommandHost {
  readonly context: CliContext;
  /** Says how the process shall end. */
  exit(code: ExitCode): void;
  /** As a command of the person's own ended, which was run for them. */
  exitAs(code: number): void;
  /** What stands after `--`, as it was written. */
  readonly afterDashes: readonly string[];
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, host: CommandHost) => void;

/** Opens the backend for as long as `use` takes. */
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
