import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import type { HoldfastError } from '#core/base/errors.ts';
import { connectHop, type HopContext } from './connectHop.ts';
import type { HopSettings } from './hostSettings.ts';
import { connectionLost, jumpRefused, tooMuchOutput, hostTimeout } from './problems.ts';

/** Output and exit of a command. `code` is null if the command was killed. */
export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface CommandOptions {
  readonly input?: string;
  readonly limitBytes?: number;
  readonly limitSeconds?: number;
}

const OUTPUT_LIMIT_BYTES = 256_000;
const COMMAND_LIMIT_SECONDS = 30;

/** An authenticated connection to a host. Any later error ends it. */
export class SshConnection {
  readonly label: string;
  private readonly hops: readonly Client[];
  private readonly client: Client;
  private problem: HoldfastError | null = null;
  private readonly listeners = new Set<(problem: HoldfastError) => void>();

  constructor(label: string, hops: readonly [Client, ...Client[]]) {
    this.label = label;
    this.hops = hops;
    this.client = hops.at(-1) ?? hops[0];
    for (const hop of hops) {
      hop.on('error', (error) => this.onLoss(error));
      hop.on('close', () => this.onLoss(null));
    }
  }

  /** Calls the listener once, when the connection ends; at once if it has already ended. */
  onLost(listener: (problem: HoldfastError) => void): void {
    if (this.problem === null) this.listeners.add(listener);
    else listener(this.problem);
  }

  /** Starts a command. Throws `HOST_LOST`. */
  start(command: string): Promise<ClientChannel> {
    return this.ask((done) => this.client.exec(command, done));
  }

  /** Runs a command to its end. Throws `HOST_LOST`, `HOST_TIMEOUT` or `HOST_SAYS_TOO_MUCH`; the last two end the command. */
  async run(command: string, options: CommandOptions = {}): Promise<CommandResult> {
    const { limitBytes = OUTPUT_LIMIT_BYTES, limitSeconds = COMMAND_LIMIT_SECONDS } = options;
    const channel = await this.start(command);
    const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
    const texts = { out: '', error: '' };
    const take = (name: keyof typeof texts) => (chunk: Buffer) => {
      if (texts.out.length + texts.error.length + chunk.length > limitBytes) reject(tooMuchOutput(this.label, limitBytes));
      else texts[name] += chunk.toString('utf8');
    };
    channel.on('data', take('out'));
    channel.stderr.on('data', take('error'));
    // The exit code is taken from the close event, because the exit event may fire together with the reply that the command was started,
    // before there is a listener.
    channel.on('close', (code?: number | null) => resolve({ code: code ?? null, ...texts }));
    channel.on('error', () => {});
    const forget = this.addLostListener(reject);
    const timer = setTimeout(
      () => reject(hostTimeout({ label: this.label, address: this.label, port: 22 }, limitSeconds)),
      limitSeconds * 1_000,
    );
    channel.end(options.input ?? '');
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      forget();
      channel.destroy();
    }
  }

  /** Opens SFTP. Throws `HOST_LOST`, or the server's error. */
  openFiles(): Promise<SFTPWrapper> {
    return this.ask((done) => this.client.sftp(done));
  }

  /** Opens a stream from the host to an address that the host resolves. */
  openWay(address: string, port: number): Promise<ClientChannel> {
    return this.ask((done) => this.client.forwardOut('127.0.0.1', 0, address, port, done));
  }

  /** Opens a stream from the host to a Unix socket there. */
  openSocket(path: string): Promise<ClientChannel> {
    return this.ask((done) => this.client.openssh_forwardOutStreamLocal(path, done));
  }

  close(): void {
    this.onLoss(null);
    for (const hop of this.hops.toReversed()) hop.end();
    // Closes the connections without waiting for hosts that keep their side open.
    setTimeout(() => {
      for (const hop of this.hops) hop.destroy();
    }, 1_000).unref();
  }

  private ask<Value>(start: (done: (error: Error | undefined, value: Value) => void) => void): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.problem !== null) return reject(this.problem);
      const forget = this.addLostListener(reject);
      try {
        start((error, value) => {
          forget();
          if (error) reject(error);
          else resolve(value);
        });
      } catch (thrown) {
        forget();
        reject(connectionLost(this.label, thrown));
      }
    });
  }

  /** Like {@link onLost}, but returns a function that removes the listener. */
  addLostListener(listener: (problem: HoldfastError) => void): () => void {
    this.onLost(listener);
    return () => void this.listeners.delete(listener);
  }

  private onLoss(thrown: unknown): void {
    if (this.problem !== null) return;
    this.problem = connectionLost(this.label, thrown);
    for (const listener of this.listeners) listener(this.problem);
    this.listeners.clear();
  }
}

/** Connects to the last host, through all hosts before it. Throws the errors of {@link connectHop}, and `HOST_JUMP`. */
export async function connectThrough(hops: readonly HopSettings[], context: HopContext): Promise<SshConnection> {
  let reached: SshConnection | null = null;
  const closeReached = (): void => reached?.close();
  context.signal?.addEventListener('abort', closeReached, { once: true });
  let clients: readonly Client[] = [];
  try {
    for (const hop of hops) {
      const through: ClientChannel | null = reached === null ? null : await openChannelTo(hop, reached);
      clients = [...clients, await connectHop(hop, context, through)];
      const [first, ...others] = clients;
      if (first !== undefined) reached = new SshConnection(hop.label, [first, ...others]);
    }
  } catch (thrown) {
    reached?.close();
    throw thrown;
  } finally {
    context.signal?.removeEventListener('abort', closeReached);
  }
  if (reached === null) throw new RangeError('No host to connect to.');
  return reached;
}

async function openChannelTo(hop: HopSettings, through: SshConnection): Promise<ClientChannel> {
  try {
    return await through.openWay(hop.address, hop.port);
  } catch (thrown) {
    throw jumpRefused(through.label, hop, thrown);
  }
}
