import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';

/** Where SSH's own files of the person lie, and what speaks for the person. */
export interface SshSurroundings {
  /** The home directory: `.ssh` lies in it, and `~` in paths stands for it. */
  readonly home: string;
  /** Keys that the person has confirmed here. Only this file is ever written. */
  readonly ownKnownHosts: string;
  /** Keys of all users of this computer. */
  readonly systemKnownHosts: string;
  /** Address of the ssh-agent. */
  readonly agentSocket: string | null;
  /** The person's name on this computer. */
  readonly userName: string;
  /** null where files have no owner of that kind. */
  readonly userId: number | null;
  /** How often a host that is silent is asked for a sign of life; after three without an answer its connection is taken for lost. */
  readonly signEveryMs: number;
}

export function surroundingsOf(dataDirectory: string, changes: Partial<SshSurroundings> = {}): SshSurroundings {
  return {
    home: homedir(),
    ownKnownHosts: join(dataDirectory, 'known_hosts'),
    systemKnownHosts: '/etc/ssh/ssh_known_hosts',
    agentSocket: process.env['SSH_AUTH_SOCK'] ?? (process.platform === 'win32' ? String.raw`\\.\pipe\openssh-ssh-agent` : null),
    userName: ownName(),
    userId: process.getuid?.() ?? null,
    signEveryMs: 5_000,
    ...changes,
  };
}

/** The system need not know a name for the user that a container runs as. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? 'root';
  }
}

/** Something that only the person knows. */
export interface Question {
  readonly kind: 'password' | 'passphrase' | 'prompt';
  /** The host that it is about. */
  readonly host: string;
  /** What to ask, in words. */
  readonly label: string;
}

/** null: nobody is here to answer now. */
export type Ask = (question: Question) => Promise<string | null>;

/** What was answered is kept while Holdfast runs, in memory only, and forgotten when the host refuses it. */
export interface Answers {
  readonly ask: Ask;
  forget(question: Question): void;
}

export function secretNeeded(question: Question): HoldfastError {
  return new HoldfastError({
    code: 'HOST_SECRET_NEEDED',
    message: `${question.host} asks: ${question.label}.`,
    hint: 'Reply in a terminal or on the page Hosts, or use a key in an ssh-agent.',
    data: { question },
  });
}
