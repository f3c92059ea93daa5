import type { GivenOptions, LabAccount, LabOption, LabSecret, Missing, RunningLabFacts } from '#core/base/lab/listing.ts';

export type Account = LabAccount;

/** What a practice server needs to know about where it runs. */
export interface Surroundings {
  /** The entry file of the practice servers, started again for each of its processes. */
  readonly entry: URL;
  /** Where things are kept that can be fetched again, such as Python packages. */
  readonly cacheDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Told what a long start is at. */
  onProgress(text: string): void;
}

/** A practice server that answers. */
export interface RunningLab extends RunningLabFacts {
  /** The access logs that its servers write, one line of JSON a request, by the name of the server. */
  readonly logs: Readonly<Record<string, string>>;
  reveal(): readonly LabSecret[];
  /** What a command is started with, so that it runs in the network of the practice server; empty where that is the computer's own. */
  readonly within: readonly string[];
  /** Resolves with what happened when a part of it ends that nobody told to end. */
  readonly broken: Promise<string>;
  /** Stops listening, ends every process, finishes the logs and removes its directory. */
  stop(): Promise<void>;
}

/** A practice server: real servers to try a test against before it is let loose on one's own. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly story: string;
  readonly options: Readonly<Record<string, LabOption>>;
  /** What this machine lacks for it. */
  missing(environment: NodeJS.ProcessEnv): Promise<readonly Missing[]>;
  /**
   * Resolves when everything answers. Throws a HoldfastError (`BAD_OPTION`, `LAB_NEEDS`, `PORT_IN_USE`, `LISTEN_FAILED`,
   * `LOG_NOT_WRITABLE`, `PART_FAILED`, `PYTHON_PACKAGES`); nothing is left running then.
   */
  start(given: GivenOptions, surroundings: Surroundings): Promise<RunningLab>;
}
