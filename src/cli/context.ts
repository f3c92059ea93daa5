import type { Port } from '#contract/rpc/port.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { Output } from './output/stream.ts';
import type { HiddenInput } from './input/hiddenInput.ts';

/** The part of the backend that commands use. */
export interface BackendHandle {
  connect(port: Port): void;
  client(): Client;
  close(): Promise<void>;
}

/** Everything outside the process that commands use; tests replace it. */
export interface CliContext {
  readonly out: Output;
  readonly err: Output;
  readonly hiddenInput: HiddenInput;
  /** Reads standard input to its end. */
  standardInput(): Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly version: string;
  readonly presetsDirectory: string;
  /** The built page for `serve`. */
  readonly uiDirectory: string;
  /** Entry file of the practice servers' processes. */
  readonly labEntry: URL;
  /** Opens the store and everything behind it. Throws when the data directory or the database cannot be used. */
  openBackend(options?: { readonly runsCommands?: boolean }): Promise<BackendHandle>;
  /** Calls the listener at each Ctrl-C or SIGTERM. Returns a function that removes it. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the listener when the user presses Enter at a terminal. Returns a function that removes it. */
  onEnter(listener: () => void): () => void;
  /** Exits the process at once. */
  quit(code: number): void;
}
