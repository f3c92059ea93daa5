import type { ClientChannel } from 'ssh2';
import { type LineFromAgent, lineFromAgentSchema, type LineToAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { agentEnded, agentUnreadable, agentSilent } from './problems.ts';

const FIRST_BYTES = 4_096;

/** Splits chunks into lines of limited length. */
export class LineReader {
  private readonly limitBytes: number;
  /** Holds the incomplete line in one buffer, because a list of small chunks would take many times that memory. */
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Returns the complete lines without their ends. Throws `RangeError` for a line over the limit. */
  take(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.keepPart(chunk.subarray(start, end));
      lines.push(this.buffer.toString('utf8', 0, this.length));
      this.length = 0;
      start = end + 1;
    }
    this.keepPart(chunk.subarray(start));
    return lines;
  }

  private keepPart(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.limitBytes) throw new RangeError(`A line is longer than ${this.limitBytes} bytes.`);
    if (length > this.buffer.length) {
      const larger = Buffer.alloc(Math.max(FIRST_BYTES, 2 * length));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    part.copy(this.buffer, this.length);
    this.length = length;
  }
}

/** Seconds of silence after which both sides regard the connection as lost. */
export const SILENCE_SECONDS = 30;
const KEEPALIVE_INTERVAL_MS = 5_000;
/** Maximum length of a line. A window of a plan with many steps and stages takes some hundred kB. */
const MAX_LINE_BYTES = 16_000_000;
const MAX_ERROR_CHARACTERS = 8_000;
const CLOSE_DELAY_MS = 300;

/** Closes a connection after a pause, in which the host reads the last message. Without the pause, that message could be lost. */
export function closeAfterPause(connection: SshConnection): void {
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
  readonly how: 'network' | 'end' | 'nonsense';
}

export interface LinkListener {
  /** An error thrown here ends the link. */
  onLine(line: LineFromAgent): void;
  /** Called once, when the link has ended. */
  onLost(loss: LinkLoss): void;
}

/** A channel of an SSH connection that carries lines to and from an agent, until either ends. */
export class AgentLink {
  readonly connection: SshConnection;
  private readonly channel: ClientChannel;
  private readonly listener: LinkListener;
  private readonly reader = new LineReader(MAX_LINE_BYTES);
  private isLost = false;
  private stated = '';
  private exit: { readonly code: number | null; readonly words: string } | null = null;
  private silence: NodeJS.Timeout;
  private readonly signs: NodeJS.Timeout;
  private forgetConnection = (): void => {};
  /** Number of the last message that is not acknowledged yet because the channel accepts no writes; null if none. */
  private unacknowledged: number | null = null;

  constructor(connection: SshConnection, channel: ClientChannel, listener: LinkListener) {
    this.connection = connection;
    this.channel = channel;
    this.listener = listener;
    this.silence = this.silenceTimer();
    this.signs = setInterval(() => {
      if (!this.isFull) this.send({ type: 'alive' });
    }, KEEPALIVE_INTERVAL_MS);
    channel.on('drain', () => this.acknowledgeLast());
    channel.on('data', (chunk: Buffer) => this.take(chunk));
    channel.stderr.on('data', (chunk: Buffer) => {
      this.stated = (this.stated + chunk.toString('utf8')).slice(-MAX_ERROR_CHARACTERS);
    });
    channel.on('error', () => {});
    channel.on('close', (code?: number | null, signal?: string) => {
      // The end of a channel that was cut off does not show whether the agent ended.
      if (code !== undefined) this.exit = { code, words: code === null ? `signal ${signal ?? 'unknown'}` : `code ${code}` };
      // If channel and connection both ended, the problem of the connection is reported first.
      setImmediate(() => this.loseChannel());
    });
    this.forgetConnection = connection.addLostListener((problem) => this.onLoss({ problem, exitCode: null, how: 'network' }));
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
    clearTimeout(this.silence);
    clearInterval(this.signs);
    this.forgetConnection();
    this.channel.end();
    this.channel.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.isLost) return;
    clearTimeout(this.silence);
    this.silence = this.silenceTimer();
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
      this.onLoss({ problem, exitCode: null, how: 'nonsense' });
    }
  }

  private loseChannel(): void {
    const { exit } = this;
    const problem = agentEnded(this.connection.label, exit?.words ?? 'its connection closed', this.stated);
    this.onLoss({ problem, exitCode: exit?.code ?? null, how: exit === null ? 'network' : 'end' });
  }

  private silenceTimer(): NodeJS.Timeout {
    return setTimeout(
      () => this.onLoss({ problem: agentSilent(this.connection.label, SILENCE_SECONDS), exitCode: null, how: 'network' }),
      SILENCE_SECONDS * 1_000,
    );
  }

  private onLoss(loss: LinkLoss): void {
    if (this.isLost) return;
    this.close();
    this.listener.onLost(loss);
  }
}
