import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh2, { type Client, type ConnectConfig } from 'ssh2';
import { HoldfastError } from '#core/base/errors.ts';
import { Authentication } from './authentication.ts';
import { HostKeys } from './hostKeys.ts';
import type { HopSettings } from './hostSettings.ts';
import { closedEarly, notSshError, tooMuchOutput, hostTimeout, unreachable } from './problems.ts';
import type { Replies, SshSurroundings } from './surroundings.ts';

/** A time limit that pauses while the user is asked something. */
class PausableTimeout {
  private readonly onOver: () => void;
  private leftMs: number;
  private since = 0;
  private timer: NodeJS.Timeout | null = null;
  private asking = 0;

  constructor(maxMs: number, onOver: () => void) {
    this.leftMs = maxMs;
    this.onOver = onOver;
    this.go();
  }

  /** Pauses the time limit while `work` waits for the user. */
  async pauseDuring<Value>(work: () => Promise<Value>): Promise<Value> {
    this.asking += 1;
    if (this.asking === 1) this.stopTimer();
    try {
      return await work();
    } finally {
      this.asking -= 1;
      if (this.asking === 0) this.go();
    }
  }

  end(): void {
    this.leftMs = Infinity;
    this.stopTimer();
  }

  private go(): void {
    if (this.leftMs === Infinity) return;
    this.since = performance.now();
    this.timer = setTimeout(this.onOver, this.leftMs);
  }

  private stopTimer(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.since));
  }
}

/** Time limit for logging in to a host, excluding the time that the user needs for input. */
const LIMIT_SECONDS = 20;
/** Unanswered keepalive messages after which a connection is regarded as lost. */
const MAX_MISSED_KEEPALIVES = 3;
const BANNER_LIMIT_BYTES = 64_000;

export interface HopContext {
  readonly surroundings: SshSurroundings;
  readonly replies: Replies;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connects to one host over a new socket or over `through`, and authenticates both sides. The host key is always verified. Throws the
 * errors of problems.ts, hostKeys.ts and authentication.ts, and then leaves nothing open.
 */
export async function connectHop(settings: HopSettings, context: HopContext, through: Duplex | null): Promise<Client> {
  const keys = new HostKeys(settings, context.surroundings);
  const socket = through ?? (await openSocket(settings, context.signal));
  const client = new ssh2.Client();
  try {
    await logIn(client, socket, keys, settings, context);
    return client;
  } catch (thrown) {
    client.on('error', () => {});
    client.destroy();
    socket.destroy();
    throw thrown;
  }
}

function openSocket(settings: HopSettings, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: settings.address, port: settings.port });
    const timer = setTimeout(() => socket.destroy(new HoldfastError(hostTimeout(settings, LIMIT_SECONDS))), LIMIT_SECONDS * 1_000);
    // The signal must end only this attempt. Passed to `connect`, it would also end the established connection later.
    const onAbort = (): void => void socket.destroy(closedEarly(settings));
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('error', (error) => {
      settle();
      reject(error instanceof HoldfastError ? error : unreachable(settings, error));
    });
    socket.once('connect', () => {
      settle();
      // With Nagle's algorithm, each small message would wait for the acknowledgement of the previous one: 44 ms instead of 2.
      socket.setNoDelay(true);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

function logIn(client: Client, socket: Duplex, keys: HostKeys, settings: HopSettings, context: HopContext): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const patience = new PausableTimeout(LIMIT_SECONDS * 1_000, () => reject(hostTimeout(settings, LIMIT_SECONDS)));
  const { replies } = context;
  const patient: Replies = {
    ask: (question) => patience.pauseDuring(() => replies.ask(question)),
    forget: (question) => replies.forget(question),
  };
  const authentication = new Authentication(settings, patient, context.surroundings.userId);
  let refusedError: HoldfastError | null = null;
  let bannerBytes = 0;
  client.once('ready', () => resolve());
  client.on('error', (error) => {
    switch ('level' in error ? error.level : undefined) {
      case 'agent':
        // This error is not final, because ssh2 tries the next method.
        return;
      case 'client-authentication':
        reject(authentication.problem());
        return;
      case 'client-socket':
        reject(refusedError ?? unreachable(settings, error));
        return;
      default:
        reject(refusedError ?? notSshError(settings, error));
    }
  });
  client.once('close', () => reject(refusedError ?? closedEarly(settings)));
  client.on('banner', (text) => {
    bannerBytes += text.length;
    if (bannerBytes > BANNER_LIMIT_BYTES) reject(tooMuchOutput(settings.label, BANNER_LIMIT_BYTES));
  });
  const onAbort = (): void => reject(closedEarly(settings));
  context.signal?.addEventListener('abort', onAbort, { once: true });
  const verify = (key: Buffer): boolean => {
    try {
      keys.require(key);
      return true;
    } catch (thrown) {
      refusedError = thrown instanceof HoldfastError ? thrown : notSshError(settings, thrown);
      return false;
    }
  };
  // The types of ssh2 lack `null`, which the first call passes, and `false`, which ends the authentication.
  const authHandler = authentication.next as unknown as NonNullable<ConnectConfig['authHandler']>;
  const algorithms = { serverHostKey: [...keys.algorithms] };
  const keepalive = { keepaliveInterval: context.surroundings.signEveryMs, keepaliveCountMax: MAX_MISSED_KEEPALIVES };
  client.connect({ sock: socket, username: settings.user, hostVerifier: verify, authHandler, algorithms, readyTimeout: 0, ...keepalive });
  return promise.finally(() => {
    patience.end();
    context.signal?.removeEventListener('abort', onAbort);
  });
}
