import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';

/** The user's SSH files and ssh-agent. */
export interface SshSurroundings {
  /** The home directory, which contains `.ssh` and replaces `~` in paths. */
  readonly home: string;
  /** File with the keys that the user has confirmed in Holdfast. Holdfast writes only to this file. */
  readonly ownKnownHosts: string;
  /** File with keys that apply to all users of this computer. */
  readonly systemKnownHosts: string;
  readonly agentSocket: string | null;
  readonly userName: string;
  /** Id of the user; null on systems without numeric user ids. */
  readonly userId: number | null;
  /** Interval of keepalive messages to a silent host. After three unanswered messages, the connection is regarded as lost. */
  readonly signEveryMs: number;
}

export function makeSurroundings(dataDirectory: string, changes: Partial<SshSurroundings> = {}): SshSurroundings {
  return {
    home: homedir(),
    ownKnownHosts: join(dataDirectory, 'known_hosts'),
    systemKnownHosts: '/etc/ssh/ssh_known_hosts',
    agentSocket: process.env['SSH_AUTH_SOCK'] ?? (process.platform === 'win32' ? String.raw`\\.\pipe\openssh-ssh-agent` : null),
    userName: localUserName(),
    userId: process.getuid?.() ?? null,
    signEveryMs: 5_000,
    ...changes,
  };
}

/** Returns the name of the local user. If there is none, as for the user id of a container, returns `$USER` or “root”. */
function localUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? 'root';
  }
}

/** A question for a secret that only the user knows. */
export interface Question {
  readonly kind: 'password' | 'passphrase' | 'prompt';
  /** The host that needs the secret. */
  readonly host: string;
  readonly label: string;
}

/** Returns null if no user can be asked now. */
export type Ask = (question: Question) => Promise<string | null>;

/** Keeps the user's replies in memory while Holdfast runs, and forgets a reply that the host refuses. */
export interface Replies {
  readonly ask: Ask;
  forget(question: Question): void;
}

export function secretNeededError(question: Question): HoldfastError {
  return new HoldfastError({
    code: 'HOST_SECRET_NEEDED',
    message: `${question.host} asks: ${question.label}.`,
    hint: 'Reply in a terminal or on the page Hosts, or use a key in an ssh-agent.',
    data: { question },
  });
}
