import type { Port } from '#contract/rpc/port.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { Output } from './output/stream.ts';
import type { HiddenInput } from './input/hiddenInput.ts';

/** The part of a backend that commands use. */
export interface BackendHandle {
  connect(port: Port): void;
  client(): Client;
  close(): Promise<void>;
}

/** Everything outside that commands touch, so that tests can put their own in its place. */
export interface CliContext {
  readonly out: Output;
  readonly err: Output;
  readonly hiddenInput: HiddenInput;
  /** All that is sent to the process, until its end. */
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
  /** Calls the listener at each Ctrl-C (and request to end); returns the function that stops it. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the listener when the person at the terminal presses Enter; returns the function that stops it. Without a terminal, nobody does. */
  onEnter(listener: () => void): () => void;
  /** Ends the process at once, whatever is going on. */
  quit(code: number): void;
}
