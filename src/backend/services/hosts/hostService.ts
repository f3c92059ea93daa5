import { type ClockOffset, type Host, type HostFacts, hostNameSchema, type HostReport } from '#core/plan/schema/hosts.ts';
import { askFacts, OLDEST_NODE } from '#backend/remote/host/facts.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import { takesFiles } from '#backend/remote/host/placeFile.ts';
import { measureClock } from '#backend/remote/host/clock.ts';
import { installNode } from '#backend/remote/installNode.ts';
import { readConfigText } from '#backend/remote/ssh/configFile.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { hopsTo } from '#backend/remote/ssh/hostSettings.ts';
import { type ShownKey, shownKeySchema, trustKey } from '#backend/remote/ssh/hostKeys.ts';
import { knownName } from '#backend/remote/ssh/knownHosts.ts';
import type { Replies, SshSurroundings, Question } from '#backend/remote/ssh/surroundings.ts';
import type { Store } from '#backend/store/store.ts';
import { closing } from '../loadLock.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { hostGenerator } from './hostGenerator.ts';

/** Above this offset the clock should be set: logs of both machines would not match. */
const MAX_CLOCK_OFFSET_MS = 1_000;

/** Returns sentences about what the user should know before running load from a host. */
function notesOn({ node, nodePackage }: Pick<HostFacts, 'node' | 'nodePackage'>, clock: ClockOffset | null, takesAgent: boolean): string[] {
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

type HostCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `hosts.${string}`>>;

export interface HostService {
  readonly calls: HostCalls;
  /** Connects to a host. Throws `NO_SUCH_HOST`, and errors of connecting. */
  connect(name: string): Promise<SshConnection>;
  replies(): Replies;
  /** Connects to a host and starts the agent there. */
  open(name: string): Promise<LoadGenerator>;
  /** Aborts pending connections. */
  close(): void;
}

/** Manages the list of hosts that can generate load, and connects to them. */
export function createHostService({ store, log, redaction, agentFile, surroundings, resolveAsk }: HostServiceParts): HostService {
  // Another process on the same data may redefine a name, and so may ~/.ssh/config.
  const getMachine = (name: string): string => {
    const host = hostNameSchema.safeParse(name).success ? store.findHost(name) : null;
    return host === null ? '' : JSON.stringify(hops(host, readConfigText(surroundings)));
  };
  const replies = new KnownReplies({ redaction, getMachine, resolveAsk });
  /** Host keys that wait for confirmation, by host name. */
  const shown = new Map<string, ShownKey>();
  const ending = new AbortController();

  function find(name: string): Host {
    const host = store.findHost(name);
    if (host === null) throw noSuchHost(name);
    return host;
  }

  function hops(host: Host, config: ReturnType<typeof readConfigText>): ReturnType<typeof hopsTo> {
    const findHost = (name: string): Host | null => (hostNameSchema.safeParse(name).success ? store.findHost(name) : null);
    return hopsTo(host, { config, surroundings, findHost });
  }

  /** Returns whether the route to a host includes a machine with this key name. A host outside the list may match. */
  function isReachedBy(name: string, keyName: string): boolean {
    const host = hostNameSchema.safeParse(name).success ? store.findHost(name) : null;
    return host === null || hops(host, readConfigText(surroundings)).some((hop) => knownName(hop.keyName, hop.port) === keyName);
  }

  async function connect(
    host: Host,
    signal: AbortSignal = ending.signal,
  ): Promise<{ connection: SshConnection; notes: readonly string[] }> {
    const config = readConfigText(surroundings);
    const attempt = replies.forOneAttempt();
    try {
      // Loaded on demand: most users have no hosts.
      const { connectThrough } = await import('#backend/remote/ssh/connection.ts');
      const connection = await connectThrough(hops(host, config), { surroundings, replies: attempt, signal });
      return { connection, notes: config.notes };
    } catch (thrown) {
      if (attempt.cancelled !== null) throw attempt.cancelled;
      if (thrown instanceof HoldfastError && thrown.code === 'HOST_KEY_UNKNOWN') {
        const key = shownKeySchema.parse(thrown.data);
        shown.set(key.name, key);
      }
      throw thrown;
    }
  }

  async function connectAgain(host: Host, signal: AbortSignal): Promise<SshConnection> {
    if (ending.signal.aborted) throw closing();
    return (await connect(host, AbortSignal.any([ending.signal, signal]))).connection;
  }

  async function test(host: Host): Promise<HostReport> {
    const { connection, notes } = await connect(host);
    try {
      const facts = await askFacts(connection);
      const { offset, roundTripMs } = await measureClock(connection);
      const takesAgent = await takesFiles(connection);
      log.info('host answered', { host: host.name });
      return { ...facts, clock: offset, roundTripMs, notes: [...notes, ...notesOn(facts, offset, takesAgent)] };
    } finally {
      connection.close();
    }
  }

  return {
    calls: {
      'hosts.list': () => store.hosts(),
      'hosts.add': ({ host, replace }) => {
        if (!store.addHost(host, replace)) throw hostExists(host.name);
        if (replace) replies.forgetWhere((name) => name === host.name);
        return {};
      },
      'hosts.remove': ({ name }) => {
        if (!store.removeHost(name)) throw noSuchHost(name);
        replies.forgetWhere((one) => one === name);
        return {};
      },
      'hosts.test': ({ name }) => test(find(name)),
      'hosts.installNode': async ({ name }) => {
        const { connection } = await connect(find(name));
        try {
          const installed = await installNode(connection);
          log.info('Node copied to a host', { host: name, version: installed.version });
          return installed;
        } finally {
          connection.close();
        }
      },
      'hosts.trust': ({ keyName, fingerprint }) => {
        const key = shown.get(keyName);
        if (key?.fingerprint !== fingerprint) throw otherFingerprint(keyName, key?.fingerprint ?? null);
        trustKey(key, surroundings);
        replies.forgetWhere((name) => isReachedBy(name, keyName));
        shown.delete(keyName);
        log.info('host key trusted', { host: keyName, fingerprint });
        return {};
      },
      'hosts.reply': ({ question, value }) => {
        replies.keep(question, value);
        return {};
      },
    },
    connect: async (name) => (await connect(find(name))).connection,
    replies: () => replies.forOneAttempt(),
    async open(name) {
      const host = find(name);
      const { connection } = await connect(host);
      try {
        return await hostGenerator(connection, agentFile, (signal) => connectAgain(host, signal));
      } catch (thrown) {
        connection.close();
        throw thrown;
      }
    },
    close: () => ending.abort(),
  };
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

function otherFingerprint(name: string, shown: string | null): HoldfastError {
  return new HoldfastError({
    code: 'HOST_KEY_OTHER',
    message: `${name} has not shown a key with that fingerprint${shown === null ? '' : `, but ${shown}`}. Nothing was trusted.`,
    hint: 'Test the connection again, and compare the whole fingerprint. It starts with SHA256:',
  });
}

interface RepliesParts {
  readonly redaction: Redaction;
  /**
   * Identifies the machine that a name means now: address, port, user and route. If a name changes to another machine, it must not get the
   * secrets of the first.
   */
  readonly getMachine: (host: string) => string;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}

/** Secrets that users have entered for hosts. Kept in memory only, as long as they are right and the host is the same machine. */
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

  /** Forgets secrets of hosts that show another key or were removed from the list. */
  forgetWhere(isMeant: (host: string) => boolean): void {
    for (const [key, { host }] of this.known) if (isMeant(host)) this.known.delete(key);
  }

  /** Returns the secrets for one attempt to connect. `cancelled` is set if the user cancelled a question. */
  forOneAttempt(): Replies & { readonly cancelled: HoldfastError | null } {
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
