import type { WindowCommand } from './browser/ownWindow.ts';
import type { Recorder, RecorderOptions } from './browser/recorder.ts';
import type { SshSurroundings } from './remote/ssh/surroundings.ts';

/** What the composition root of the backend is told by its host (desktop shell, web server, command line, test). */
export interface BackendOptions {
  /** Made by {@link import('./dataDirectory.ts').prepareDataDirectory}; database and logs live in it. */
  readonly dataDirectory: string;
  /** Entry file of the load worker. */
  readonly workerEntry: URL;
  /** Entry file of the thread that makes results. */
  readonly resultEntry: URL;
  /** Entry file of the practice servers' child process. */
  readonly labEntry: URL;
  /** Entry file of the self-test's server. */
  readonly selfTestEntry: URL;
  /** The agent that is copied to hosts: one built file. */
  readonly agentFile: URL;
  readonly presetsDirectory: string;
  /** Where the files and the agent of SSH are; left out, where OpenSSH has them. */
  readonly ssh?: Partial<SshSurroundings> | undefined;
  /** Version of Holdfast, as it is stored with each run. */
  readonly version: string;
  /** Whether a series may run commands on this computer: only where a person has just read them, which a page cannot prove. */
  readonly runsCommands?: boolean | undefined;
  /** How often each watched page is seen before a load, and again after it; left out, as often as a median wants. */
  readonly visitsWithoutLoad?: number | undefined;
  /** What opens a window of the desktop app for a recording; left out, recordings take an installed browser. */
  readonly ownWindow?: WindowCommand | undefined;
  /** Opens the browser of a recording; left out, as {@link Recorder.open} does. */
  readonly openRecorder?: ((options: RecorderOptions) => Promise<Recorder>) | undefined;
  /** Told what a person should know and may put right, such as a data directory that is open to others. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Asks the person for a secret written `ask:LABEL`; left out, such a secret is reported as missing. */
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}
