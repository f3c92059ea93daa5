import { type ClockOffset, type Host, type HostFacts, hostNameSchema, type HostReport } from '#core/plan/schema/hosts.ts';
import { askFacts, OLDEST_NODE } from '#backend/remote/host/facts.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import { offersSftp } from '#backend/remote/host/placeFile.ts';
import { measureClock } from '#backend/remote/host/clock.ts';
import { installNode } from '#backend/remote/installNode.ts';
import { readConfigText } from '#backend/remote/ssh/configFile.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { hopsTo } from '#backend/remote/ssh/hostSettings.ts';
import { type ShownKey, shownKeySchema, trustKey } from '#backend/remote/ssh/hostKeys.ts';
import { knownName } from '#backend/remote/ssh/knownHosts.ts';
import type { Replies, SshSurroundings, Question } from '#backend/remote/ssh/surroundings.ts';
import type { Store } from '#backend/store/store.ts';
import { closingError } from '../loadLock.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { hostGenerator } from './hostGenerator.ts';

/** Maximum clock offset without a warning. With a larger offset, the logs of both machines cannot be compared. */
const MAX_CLOCK_OFFSET_MS = 1_000;

/** Returns sentences about what the user should know before a host generates load. */
function notesOnHost(
  { node, nodePackage }: Pick<HostFacts, 'node' | 'nodePackage'>,
  clock: ClockOffset | null,
  takesAgent: boolean,
): string[] {
  const notes: string[] = [];
  if (!takesAgent)
    notes.push(
      'Its SSH server does not offer SFTP, by which the load generator is copied. It can be watched, but cannot send load. Enable “Subsystem sftp” in its sshd_config.',
    );
  if (node?.isEnough !== true) {
    const found = node === null ? 'No Node was found there' : `Only Node ${node.version} was found there`;
    const remedy = nodePackage === null ? ', and none can be copied: install it there' : '';
    notes.push(`${found}; loads need Node ${OLDEST_NODE} or newer${remedy}.`);
  }
  if (clock === null) notes.push('Its clock cannot be compared with this computer’s: its “date” has no fractions of a second.');
  else if (Math.abs(clock.aheadMs) > MAX_CLOCK_OFFSET_MS)
    notes.push(
      `Its clock is ${(Math.abs(clock.aheadMs) / 1_000).toFixed(1)} s ${clock.aheadMs > 0 ? 'ahead of' : 'behind'} this computer’s. Loads run all the same.`,
    );
  return notes;
}

export interface HostServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly agentFile: URL;
  readonly surroundings: SshSurroundings;
  readonly resolveAsk: ((label: string) => Promise<string>) | undefined;
}

/** Manages the list of hosts that can generate load, and connects to them. */
export class HostService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `hosts.${string}`>> = {
    'hosts.list': () => this.parts.store.hosts(),
    'hosts.add': ({ host, replace }) => {
      if (!this.parts.store.addHost(host, replace)) throw hostExists(host.name);
      if (replace) this.known.forgetMatching((name) => name === host.name);
    },
    'hosts.remove': ({ name }) => {
      if (!this.parts.store.removeHost(name)) throw noSuchHost(name);
      this.known.forgetMatching((one) => one === name);
    },
    'hosts.test': ({ name }) => this.test(this.find(name)),
    'hosts.installNode': async ({ name }) => {
      const connection = await this.connect(name);
      try {
        const installed = await installNode(connection);
        this.parts.log.info('Node copied to a host', { host: name, version: installed.version });
        return installed;
      } finally {
        connection.close();
      }
    },
    'hosts.trust': ({ keyName, fingerprint }) => {
      const key = this.shown.get(keyName);
      if (key?.fingerprint !== fingerprint) throw otherFingerprint(keyName, key?.fingerprint ?? null);
      trustKey(key, this.parts.surroundings);
      this.known.forgetMatching((name) => this.isOnRoute(name, keyName));
      this.shown.delete(keyName);
      this.parts.log.info('host key trusted', { host: keyName, fingerprint });
    },
    'hosts.reply': ({ question, value }) => this.known.keep(question, value),
  };

  private readonly parts: HostServiceParts;
  private readonly known: KnownReplies;
  /** Host keys that the user has been shown and has not confirmed yet, by host name. */
  private readonly shown = new Map<string, ShownKey>();
  private readonly ending = new AbortController();

  constructor(parts: HostServiceParts) {
    this.parts = parts;
    // Reads the list each time, because another process with the same data may redefine a name, and ~/.ssh/config may change.
    const getMachine = (name: string): string => {
      const host = this.findListed(name);
      return host === null ? '' : JSON.stringify(this.hops(host));
    };
    this.known = new KnownReplies({ redaction: parts.redaction, getMachine, resolveAsk: parts.resolveAsk });
  }

  /** Connects to a host. Throws `NO_SUCH_HOST`, and errors from connecting. */
  async connect(name: string): Promise<SshConnection> {
    return (await this.connectTo(this.find(name))).connection;
  }

  replies(): Replies {
    return this.known.repliesForAttempt();
  }

  /** Connects to a host and starts the agent there. */
  async open(name: string): Promise<LoadGenerator> {
    const host = this.find(name);
    const { connection } = await this.connectTo(host);
    try {
      return await hostGenerator(connection, this.parts.agentFile, (signal) => this.connectAgain(host, signal));
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  }

  /** Aborts pending connections. */
  close(): void {
    this.ending.abort();
  }

  private findListed(name: string): Host | null {
    return hostNameSchema.safeParse(name).success ? this.parts.store.findHost(name) : null;
  }

  private find(name: string): Host {
    const host = this.parts.store.findHost(name);
    if (host === null) throw noSuchHost(name);
    return host;
  }

  private hops(host: Host, config = readConfigText(this.parts.surroundings)): ReturnType<typeof hopsTo> {
    return hopsTo(host, { config, surroundings: this.parts.surroundings, findHost: (name) => this.findListed(name) });
  }

  /**
   * Returns whether the route to a host includes a machine with this key name. Returns true for a host that is not in the list, because its
   * route is unknown.
   */
  private isOnRoute(name: string, keyName: string): boolean {
    const host = this.findListed(name);
    return host === null || this.hops(host).some((hop) => knownName(hop.keyName, hop.port) === keyName);
  }

  private async connectTo(
    host: Host,
    signal: AbortSignal = this.ending.signal,
  ): Promise<{ connection: SshConnection; notes: readonly string[] }> {
    const { surroundings } = this.parts;
    const config = readConfigText(surroundings);
    const attempt = this.known.repliesForAttempt();
    try {
      // Loaded on demand, because most users have no hosts.
      const { connectThrough } = await import('#backend/remote/ssh/connection.ts');
      const connection = await connectThrough(this.hops(host, config), { surroundings, replies: attempt, signal });
      return { connection, notes: config.notes };
    } catch (thrown) {
      if (attempt.cancelled !== null) throw attempt.cancelled;
      if (thrown instanceof HoldfastError && thrown.code === 'HOST_KEY_UNKNOWN') {
        const key = shownKeySchema.parse(thrown.data);
        this.shown.set(key.name, key);
      }
      throw thrown;
    }
  }

  private async connectAgain(host: Host, signal: AbortSignal): Promise<SshConnection> {
    if (this.ending.signal.aborted) throw closingError();
    return (await this.connectTo(host, AbortSignal.any([this.ending.signal, signal]))).connection;
  }

  private async test(host: Host): Promise<HostReport> {
    const { connection, notes } = await this.connectTo(host);
    try {
      const facts = await askFacts(connection);
      const { offset, roundTripMs } = await measureClock(connection);
      const takesAgent = await offersSftp(connection);
      this.parts.log.info('host answered', { host: host.name });
      return { ...facts, clock: offset, roundTripMs, notes: [...notes, ...notesOnHost(facts, offset, takesAgent)] };
    } finally {
      connection.close();
    }
  }
}

function noSuchHost(name: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_HOST',
    message: `There is no host “${name}”.`,
    hint: 'To list hosts: holdfast hosts list, or the page Hosts. To add one: holdfast hosts add NAME ADDRESS',
  });
}

function hostExists(name: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_EXISTS',
    message: `A host “${name}” already exists.`,
    hint: 'Choose another name, or replace it (--replace).',
  });
}

function otherFingerprint(name: string, fingerprint: string | null): HoldfastError {
  return new HoldfastError({
    code: 'HOST_KEY_OTHER',
    message: `${name} has not shown a key with that fingerprint${fingerprint === null ? '' : `, but ${fingerprint}`}. Nothing was trusted.`,
    hint: 'Test the connection again, and compare the whole fingerprint. It starts with SHA256:',
  });
}

interface RepliesParts {
  readonly redaction: Redaction;
  /**
   * Returns an identifier of the machine that a name currently refers to: address, port, user and route. If the name later refers to
   * another machine, that machine must not get the secrets of the first.
   */
  readonly getMachine: (host: string) => string;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}

/**
 * Secrets that users have entered for hosts. They are kept only in memory, and only while they are accepted and the name refers to the same
 * machine.
 */
class KnownReplies {
  private readonly known = new Map<string, { readonly host: string; readonly value: string }>();
  private readonly parts: RepliesParts;

  constructor(parts: RepliesParts) {
    this.parts = parts;
  }

  keep(question: Question, value: string): void {
    this.parts.redaction.add(value);
    this.known.set(this.keyOf(question), { host: question.host, value });
  }

  /** Forgets the secrets of the hosts for which `isMeant` returns true: those that present another key or were removed from the list. */
  forgetMatching(isMeant: (host: string) => boolean): void {
    for (const [key, { host }] of this.known) if (isMeant(host)) this.known.delete(key);
  }

  /** Returns the replies for one attempt to connect. `cancelled` is set once the user cancels a question. */
  repliesForAttempt(): Replies & { readonly cancelled: HoldfastError | null } {
    let cancelled: HoldfastError | null = null;
    return {
      get cancelled() {
        return cancelled;
      },
      ask: async (question) => {
        const known = this.known.get(this.keyOf(question));
        if (known !== undefined) return known.value;
        const { resolveAsk } = this.parts;
        if (resolveAsk === undefined || cancelled !== null) return null;
        try {
          const value = await resolveAsk(`${question.host}: ${question.label}`);
          this.keep(question, value);
          return value;
        } catch (thrown) {
          if (thrown instanceof HoldfastError && thrown.code === 'CANCELLED') cancelled = thrown;
          return null;
        }
      },
      forget: (question) => void this.known.delete(this.keyOf(question)),
    };
  }

  private keyOf({ kind, host, label }: Question): string {
    return JSON.stringify([kind, host, label, this.parts.getMachine(host)]);
  }
}
