import ssh2, { type AnyAuthMethod, type AuthenticationType, type KeyboardInteractiveAuthMethod } from 'ssh2';
import { readFileSync } from 'node:fs';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import type { HopSettings } from './hostSettings.ts';
import { plainText } from './problems.ts';
import { type Replies, type Question, secretNeededError } from './surroundings.ts';
import { isPrivate, findRights } from './configFile.ts';

/** A private key from a file, or the reason why it is not used. `isLocked`: the key needs a passphrase. */
type Identity =
  | { readonly kind: 'key'; readonly path: string; readonly text: Buffer; readonly isLocked: boolean }
  | { readonly kind: 'unusable'; readonly path: string; readonly reason: string };

/** Reads private keys. A key that cannot be used is returned with the reason. */
function readIdentities(paths: readonly string[], areNamedByUser: boolean, userId: number | null): Identity[] {
  return [...new Set(paths)].flatMap((path) => {
    const identity = readIdentity(path, userId);
    // Missing default key files are not reported, because most of them do not exist.
    return identity.kind === 'unusable' && identity.reason === NO_SUCH_FILE && !areNamedByUser ? [] : [identity];
  });
}

const NO_SUCH_FILE = 'no such file';
const MAX_KEY_BYTES = 100_000;

function readIdentity(path: string, userId: number | null): Identity {
  try {
    const rights = findRights(path, userId);
    if (rights !== null && userId !== null && !isPrivate(rights, userId))
      return { kind: 'unusable', path, reason: `others can read its file, which OpenSSH also refuses (chmod 600 ${path})` };
    const text = readFileSync(path);
    if (text.length > MAX_KEY_BYTES) return { kind: 'unusable', path, reason: 'it is too long for a key' };
    const key = ssh2.utils.parseKey(text);
    if (!(key instanceof Error)) return { kind: 'key', path, text, isLocked: false };
    return /encrypted/i.test(key.message) ? { kind: 'key', path, text, isLocked: true } : { kind: 'unusable', path, reason: key.message };
  } catch (thrown) {
    const code = codeOf(thrown) ?? '';
    return { kind: 'unusable', path, reason: code === 'ENOENT' ? NO_SUCH_FILE : `it cannot be read (${code})` };
  }
}

function opensKey(text: Buffer, passphrase: string): boolean {
  return !(ssh2.utils.parseKey(text, passphrase) instanceof Error);
}

/** One authentication method. `make` returns null if the method turns out to be unavailable. */
interface AuthenticationWay {
  readonly type: AuthenticationType;
  /** Name of the method in the list of attempts that a refusal shows. */
  readonly words: string;
  make(): Promise<AnyAuthMethod | null>;
}

type NextMethod = (method: AnyAuthMethod | false) => void;

const MAX_PROMPTS = 10;

/**
 * Authenticates to one host by named keys, the ssh-agent, other keys, keyboard-interactive and a password, in this order. Methods that the
 * host does not accept are skipped. Methods that ask the user come last.
 */
export class Authentication {
  private readonly settings: HopSettings;
  private readonly replies: Replies;
  private readonly identities: readonly Identity[];
  private readonly ways: AuthenticationWay[];
  private readonly tried: string[] = [];
  private readonly withoutResponse: Question[] = [];
  private used: Question[] = [];
  private accepted: readonly string[] = [];

  constructor(settings: HopSettings, replies: Replies, userId: number | null) {
    this.settings = settings;
    this.replies = replies;
    this.identities = readIdentities(settings.identityFiles, settings.areIdentitiesNamed, userId);
    const keys = this.identities.filter((identity) => identity.kind === 'key');
    const open = keys.filter(({ isLocked }) => !isLocked).map((key) => this.byKey(key));
    const locked = keys.filter(({ isLocked }) => isLocked).map((key) => this.byKey(key));
    const agent = settings.agentSocket === null || settings.identitiesOnly ? [] : [this.byAgent(settings.agentSocket)];
    const byKeys = settings.areIdentitiesNamed ? [...open, ...agent, ...locked] : [...agent, ...open, ...locked];
    this.ways = [...byKeys, this.byPrompts(), this.byPassword()];
  }

  /** The handler that ssh2 calls first and after each refusal. */
  readonly next = (remainingAuthenticationTypes: AuthenticationType[] | null, partial: boolean | null, done: NextMethod): void => {
    if (remainingAuthenticationTypes === null) {
      // The method `none` makes the host list the methods that it accepts.
      done({ type: 'none', username: this.settings.user });
      return;
    }
    this.accepted = remainingAuthenticationTypes;
    if (partial !== true) for (const question of this.used) this.replies.forget(question);
    this.used = [];
    void this.offerNext(remainingAuthenticationTypes, done);
  };

  /** Returns the problem to report once no method is left. */
  problem(): HoldfastError {
    const [question] = this.withoutResponse;
    if (question !== undefined) return secretNeededError(question);
    const { label, user } = this.settings;
    const unusable = this.identities.flatMap((identity) => (identity.kind === 'unusable' ? [`${identity.path}: ${identity.reason}`] : []));
    const tried = this.tried.length === 0 ? 'No key or password to try' : `Tried: ${this.tried.join(', ')}`;
    return new HoldfastError({
      code: 'HOST_AUTHENTICATION',
      message: `${label} refuses ${user}. ${tried}; it accepts ${this.accepted.map((name) => plainText(name, 40)).join(', ') || 'nothing'}.`,
      hint: ['Check the user and the key, or add the key to ~/.ssh/authorized_keys on the host.', ...unusable].join('\n'),
    });
  }

  private async offerNext(remainingNames: readonly string[], done: NextMethod): Promise<void> {
    done(await this.makeNextMethod(remainingNames));
  }

  private async makeNextMethod(remainingNames: readonly string[]): Promise<AnyAuthMethod | false> {
    for (;;) {
      const position = this.ways.findIndex(({ type }) => remainingNames.includes(type === 'agent' ? 'publickey' : type));
      const [way] = position < 0 ? [] : this.ways.splice(position, 1);
      if (way === undefined) return false;
      const method = await way.make().catch(() => null);
      if (method === null) continue;
      this.tried.push(way.words);
      return method;
    }
  }

  private byKey({ path, text, isLocked }: Extract<Identity, { kind: 'key' }>): AuthenticationWay {
    const username = this.settings.user;
    return {
      type: 'publickey',
      words: `the key ${path}`,
      make: async () => {
        if (!isLocked) return { type: 'publickey', username, key: text };
        const question: Question = { kind: 'passphrase', host: this.settings.label, label: `passphrase of the key ${path}` };
        const passphrase = await this.ask(question);
        if (passphrase === null) return null;
        if (opensKey(text, passphrase)) return { type: 'publickey', username, key: text, passphrase };
        this.replies.forget(question);
        this.tried.push(`the key ${path} (its passphrase was wrong)`);
        return null;
      },
    };
  }

  private byAgent(agent: string): AuthenticationWay {
    return {
      type: 'agent',
      words: 'the keys of the ssh-agent',
      make: async () => ({ type: 'agent', username: this.settings.user, agent }),
    };
  }

  private byPassword(): AuthenticationWay {
    const { user, label, address } = this.settings;
    return {
      type: 'password',
      words: 'a password',
      make: async () => {
        const question: Question = { kind: 'password', host: label, label: `password of ${user} on ${address}` };
        const password = await this.ask(question);
        if (password === null) return null;
        this.used.push(question);
        return { type: 'password', username: user, password };
      },
    };
  }

  private byPrompts(): AuthenticationWay {
    const prompt: KeyboardInteractiveAuthMethod['prompt'] = (_name, _instructions, _language, prompts, finish) => {
      void this.replyAll(prompts.slice(0, MAX_PROMPTS).map((asked) => plainText(asked.prompt))).then(finish);
    };
    return {
      type: 'keyboard-interactive',
      words: 'answers to its questions',
      make: async () => ({ type: 'keyboard-interactive', username: this.settings.user, prompt }),
    };
  }

  private async replyAll(labels: readonly string[]): Promise<string[]> {
    const replies: string[] = [];
    for (const label of labels) {
      const question: Question = { kind: 'prompt', host: this.settings.label, label: label.replace(/[:\s]+$/, '') };
      const reply = await this.ask(question);
      if (reply === null) return [];
      this.used.push(question);
      replies.push(reply);
    }
    return replies;
  }

  private async ask(question: Question): Promise<string | null> {
    const reply = await this.replies.ask(question);
    if (reply === null) this.withoutResponse.push(question);
    return reply;
  }
}
