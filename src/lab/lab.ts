import type { AccessLog } from './accessLog.ts';

/** A person who can log in to a practice server. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

export interface LabOptions {
  /** Servers side by side that share logins, each on a port of its own. */
  readonly shards: number;
  /** Port of the first shard, the others follow it; null takes free ports. */
  readonly port: number | null;
  /** File that gets a line of JSON per request; null for none. */
  readonly accessLogFile: string | null;
  /** Mean time that a page takes, in milliseconds; null for what the practice server thinks is realistic. */
  readonly serviceMs: number | null;
}

export const DEFAULT_LAB_OPTIONS: LabOptions = { shards: 2, port: null, accessLogFile: null, serviceMs: null };

/** A practice server that answers. */
export interface RunningLab {
  readonly urls: readonly string[];
  readonly accounts: readonly Account[];
  readonly log: AccessLog;
  /** Stops listening, closes every connection and finishes the access log. */
  stop(): Promise<void>;
}

/** A practice server: a real server to try a test against before it is let loose on one's own. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly story: string;
  /** Resolves when every shard answers; throws a HoldfastError (`PORT_IN_USE`, `LISTEN_FAILED`, `LOG_NOT_WRITABLE`) when one cannot. */
  start(options: LabOptions): Promise<RunningLab>;
}
