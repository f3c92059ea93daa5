import { type LineFromAgent, lineFromAgentSchema, type LineToAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { LineReader } from '#engine/lineReader.ts';
import { SilenceTimer } from '#engine/silenceTimer.ts';
import { agentEnded, agentUnreadable, agentSilent } from './problems.ts';

/** Seconds of silence after which both sides regard the connection as lost. */
export const SILENCE_SECONDS = 30;
const KEEPALIVE_INTERVAL_MS = 5_000;
/** Maximum length of a line. A window of a plan with many steps and stages takes some hundred kB. */
const MAX_LINE_BYTES = 16_000_000;
const MAX_ERROR_CHARACTERS = 8_000;
const CLOSE_DELAY_MS = 300;

/** A connection to the computer of an agent. */
export interface AgentConnection {
  /** Name of the computer in messages. */
  readonly label: string;
  /** Calls the listener when the connection is lost. Returns a function that removes the listener. */
  addLostListener(listener: (problem: HoldfastError) => void): () => void;
  close(): void;
}

/** The stream of bytes to and from an agent. `stderr` is what its process writes to standard error. */
export interface AgentChannel {
  readonly writableNeedDrain: boolean;
  readonly stderr?: { on(event: 'data', listener: (chunk: Buffer) => void): unknown };
  write(text: string): unknown;
  end(): unknown;
  destroy(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'drain' | 'error', listener: () => void): unknown;
  /** `code` and `signal` describe the end of the remote process. Without `code`, the channel was cut off. */
  on(event: 'close', listener: (code?: number | null, signal?: string) => void): unknown;
}

/** Closes a connection after a pause, in which the host reads the last message. Without the pause, that message could be lost. */
export function closeAfterPause(connection: AgentConnection): void {
  setTimeout(() => connection.close(), CLOSE_DELAY_MS).unref();
}

export interface LinkLoss {
  readonly problem: HoldfastError;
  /** Exit code of the remote process; null if it was killed or the code is unknown. */
  readonly exitCode: number | null;
  /**
   * `network`: the connection was lost, and the remote process may continue. `end`: the remote process has ended. `nonsense`: it violates
   * the protocol.
   */
  readonly kind: 'network' | 'end' | 'nonsense';
}

export interface LinkListener {
  /** An error thrown here ends the link. */
  onLine(line: LineFromAgent): void;
  /** Called once, when the link has ended. */
  onLost(loss: LinkLoss): void;
}

/** A channel that carries lines to and from an agent, until either ends. */
export class AgentLink {
  readonly connection: AgentConnection;
  private readonly channel: AgentChannel;
  private readonly listener: LinkListener;
  private readonly reader = new LineReader(MAX_LINE_BYTES);
  private isLost = false;
  private errorOutput = '';
  private exit: { readonly code: number | null; readonly words: string } | null = null;
  private readonly silence: SilenceTimer;
  private readonly signs: NodeJS.Timeout;
  private forgetConnection = (): void => {};
  /** Number of the last message that is not acknowledged yet because the channel accepts no writes; null if none. */
  private unacknowledged: number | null = null;

  constructor(connection: AgentConnection, channel: AgentChannel, listener: LinkListener) {
    this.connection = connection;
    this.channel = channel;
    this.listener = listener;
    const { label } = connection;
    this.silence = new SilenceTimer(() => this.onLoss({ problem: agentSilent(label, SILENCE_SECONDS), exitCode: null, kind: 'network' }));
    this.silence.start(SILENCE_SECONDS * 1_000);
    this.signs = setInterval(() => {
      if (!this.isFull) this.send({ type: 'alive' });
    }, KEEPALIVE_INTERVAL_MS);
    channel.on('drain', () => this.acknowledgeLast());
    channel.on('data', (chunk: Buffer) => this.take(chunk));
    channel.stderr?.on('data', (chunk: Buffer) => {
      this.errorOutput = (this.errorOutput + chunk.toString('utf8')).slice(-MAX_ERROR_CHARACTERS);
    });
    channel.on('error', () => {});
    channel.on('close', (code?: number | null, signal?: string) => {
      // The end of a channel that was cut off does not show whether the agent ended.
      if (code !== undefined) this.exit = { code, words: code === null ? `signal ${signal ?? 'unknown'}` : `code ${code}` };
      // If channel and connection both ended, the problem of the connection is reported first.
      setImmediate(() => this.loseChannel());
    });
    this.forgetConnection = connection.addLostListener((problem) => this.onLoss({ problem, exitCode: null, kind: 'network' }));
  }

  send(line: LineToAgent): void {
    if (!this.isLost) this.channel.write(`${JSON.stringify(line)}\n`);
  }

  /**
   * Acknowledges all messages up to a number. Only the last number is kept, because acknowledgements would pile up if the other side sends
   * but does not read.
   */
  acknowledge(number: number): void {
    this.unacknowledged = number;
    if (!this.isFull) this.acknowledgeLast();
  }

  private acknowledgeLast(): void {
    const number = this.unacknowledged;
    this.unacknowledged = null;
    if (number !== null) this.send({ type: 'received', number });
  }

  private get isFull(): boolean {
    return this.channel.writableNeedDrain;
  }

  /** Closes the link without notifying the listener. */
  close(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.silence.stop();
    clearInterval(this.signs);
    this.forgetConnection();
    this.channel.end();
    this.channel.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.isLost) return;
    this.silence.countReceived();
    try {
      for (const line of this.reader.take(chunk)) {
        this.listener.onLine(lineFromAgentSchema.parse(JSON.parse(line)));
        if (this.isLost) return;
      }
    } catch (thrown) {
      const problem =
        thrown instanceof HoldfastError
          ? thrown
          : agentUnreadable(this.connection.label, thrown instanceof Error ? thrown.message : String(thrown));
      // Holdfast will not reconnect, so the agent must stop its load now, not after the grace period.
      this.send({ type: 'bye' });
      this.onLoss({ problem, exitCode: null, kind: 'nonsense' });
    }
  }

  private loseChannel(): void {
    const { exit } = this;
    const problem = agentEnded(this.connection.label, exit?.words ?? 'its connection closed', this.errorOutput);
    this.onLoss({ problem, exitCode: exit?.code ?? null, kind: exit === null ? 'network' : 'end' });
  }

  private onLoss(loss: LinkLoss): void {
    if (this.isLost) return;
    this.close();
    this.listener.onLost(loss);
  }
}
