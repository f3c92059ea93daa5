import type { Command } from 'commander';
import type { Port } from '#contract/rpc/port.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { Output } from './output/stream.ts';
import type { HiddenInput, LineInput } from './input/hiddenInput.ts';
import type { ExitCode } from './exitCodes.ts';

/** The part of the backend that commands use. */
interface BackendHandle {
  connect(port: Port): void;
  client(): Client;
  close(): Promise<void>;
}

/** Options with which a command opens the backend. */
export interface OpenOptions {
  readonly runsCommands?: boolean;
  /** Address of an OTLP receiver for the metrics of each run. */
  readonly metricsSink?: URL;
}

/** Everything outside the process that commands use. Tests replace it. */
export interface CliContext {
  readonly out: Output;
  readonly err: Output;
  readonly hiddenInput: HiddenInput;
  readonly askLine: LineInput;
  /** Whether an assistant calls the commands. What an assistant types is not a person's consent. */
  readonly isAssistant?: boolean;
  standardInput(): Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly version: string;
  readonly presetsDirectory: string;
  /** Folder for presets that the user added. The folder may not exist. */
  readonly addedPresetsDirectory: string;
  /** Folder of the built page for `serve`. */
  readonly uiDirectory: string;
  /** Entry file for processes of practice servers. */
  readonly labEntry: URL;
  /** File of the agent, which `join` starts. */
  readonly agentFile: URL;
  /** Opens the store and all services. Throws if the data directory or the database cannot be used. */
  openBackend(options?: OpenOptions): Promise<BackendHandle>;
  /** Calls the listener on each Ctrl-C or SIGTERM. Returns a function that removes the listener. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the listener when the user presses Enter at a terminal. Returns a function that removes the listener. */
  onEnter(listener: () => void): () => void;
  /** Exits the process at once. */
  quit(code: number): void;
}

/** What a command receives besides its own options and arguments. */
export interface CommandHost {
  readonly context: CliContext;
  exit(code: ExitCode): void;
  /** Sets the exit code of a command that the user ran after `--`. */
  exitAs(code: number): void;
  /** Arguments after `--`, unchanged. */
  readonly afterDashes: readonly string[];
}

export type AddCommand = (program: Command, host: CommandHost) => void;

/** Opens the backend, runs `use`, and then closes the backend. */
export async function withBackend<Result>(
  context: Pick<CliContext, 'openBackend'>,
  use: (backend: BackendHandle) => Promise<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const backend = await context.openBackend(options);
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}

/** Runs `use` with a client of a backend, and then closes the backend. */
export function withClient<Result>(
  context: Pick<CliContext, 'openBackend'>,
  use: (client: Client) => Promise<Result>,
  options?: OpenOptions,
): Promise<Result> {
  return withBackend(context, (backend) => use(backend.client()), options);
}
