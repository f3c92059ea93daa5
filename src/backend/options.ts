import type { WindowCommand } from './browser/ownWindow.ts';
import type { Recorder, RecorderOptions } from './browser/recorder.ts';
import type { SshSurroundings } from './remote/ssh/surroundings.ts';

/** Options of the backend from its host (desktop shell, web server, command line, test). */
export interface BackendOptions {
  /** Created by {@link import('./dataDirectory.ts').prepareDataDirectory}; contains the database and the logs. */
  readonly dataDirectory: string;
  readonly workerEntry: URL;
  readonly resultEntry: URL;
  /** Entry file of the child process for practice servers. */
  readonly labEntry: URL;
  /** Entry file of the self-test's server. */
  readonly selfTestEntry: URL;
  /** The agent that is copied to hosts: one built file. */
  readonly agentFile: URL;
  readonly presetsDirectory: string;
  /** Locations of the SSH files and the ssh-agent; default: those of OpenSSH. */
  readonly ssh?: Partial<SshSurroundings> | undefined;
  /** Version of Holdfast, stored with each run. */
  readonly version: string;
  /**
   * Whether a series may run commands on this computer. This is allowed only if a person has just read the commands, which a web page
   * cannot prove.
   */
  readonly runsCommands?: boolean | undefined;
  /** Address of an OTLP receiver that gets metrics of every run. The user entered it; no plan can name one. */
  readonly metricsSink?: URL | undefined;
  /** Number of visits to each watched page before a load, and again after the load; default: enough for a median. */
  readonly visitsWithoutLoad?: number | undefined;
  /** Command that opens a window of the desktop app for a recording; by default an installed browser is used. */
  readonly ownWindow?: WindowCommand | undefined;
  /** Opens the browser of a recording; default: {@link Recorder.open}. */
  readonly openRecorder?: ((options: RecorderOptions) => Promise<Recorder>) | undefined;
  /** Receives notices for the user, such as a data directory that others can read. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Asks the user for a secret written `ask:LABEL`; without it, such a secret is reported as missing. */
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}
