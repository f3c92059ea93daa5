import { parseJson } from '#core/base/json.ts';
import { availableParallelism, hostname, release, totalmem } from 'node:os';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import {
  AGENT_PROTOCOL,
  type FromAgent,
  type LineFromAgent,
  type LineToAgent,
  lineToAgentSchema,
  type ToAgent,
} from '#contract/agent/frames.ts';
import { ResumableStream } from '#contract/agent/resumableStream.ts';
import { SilenceTimer } from '#engine/silenceTimer.ts';
import { AgentSession } from './session.ts';

const ALIVE_MESSAGES_PER_LIMIT = 5;

/**
 * Ends the agent if the controlling process is silent for too long. If a network is cut, neither side is notified of the end of the
 * connection.
 */
class SilenceWatch {
  private readonly sendAlive: () => void;
  private readonly timer: SilenceTimer;
  private aliveTimer: NodeJS.Timeout | null = null;
  private maxMs = 0;
  private graceMs = 0;

  constructor(sendAlive: () => void, onSilence: () => void) {
    this.sendAlive = sendAlive;
    this.timer = new SilenceTimer(onSilence);
  }

  start(limitSeconds: number): void {
    this.maxMs = limitSeconds * 1_000;
    this.countReceived();
    if (this.aliveTimer !== null) clearInterval(this.aliveTimer);
    this.aliveTimer = setInterval(this.sendAlive, this.maxMs / ALIVE_MESSAGES_PER_LIMIT);
  }

  /** Sets the grace period that follows the silence limit. */
  setGracePeriod(graceSeconds: number): void {
    this.graceMs = graceSeconds * 1_000;
    this.countReceived();
  }

  countReceived(): void {
    this.timer.stop();
    if (this.maxMs > 0) this.timer.start(this.maxMs + this.graceMs);
  }

  /** Begins the grace period at once because the connection has ended. */
  startGracePeriod(): void {
    this.timer.start(this.graceMs);
  }
}

/** A connection to the process that controls the agent. */
export interface Link {
  send(line: LineFromAgent): void;
  close(): void;
}

export interface ConversationOptions {
  readonly workerEntry: URL;
  /** Opens a private socket for later connections. Resolves to its path, or to null if that fails. */
  openDoor(): Promise<string | null>;
  /** Called when the controlling process will not reconnect. */
  onEnd(): void;
}

/**
 * The conversation between the agent and the process that controls it: a greeting, then messages. If the plan allows a grace period, the
 * conversation survives a lost connection: the load continues, and missed messages are sent after the reconnect.
 */
export class Conversation {
  private readonly options: ConversationOptions;
  private readonly session: AgentSession;
  private readonly silence: SilenceWatch;
  private readonly stream = new ResumableStream<FromAgent, ToAgent>((message) => this.session.take(message));
  private link: Link | null;
  private isGreeted = false;
  private door: string | null = null;
  private graceSeconds = 0;

  constructor(first: Link, options: ConversationOptions) {
    this.options = options;
    this.link = first;
    this.silence = new SilenceWatch(() => this.link?.send({ type: 'alive' }), options.onEnd);
    this.session = new AgentSession({
      workerEntry: options.workerEntry,
      send: (message) => this.sendMessage(message),
      allowReturn: (graceSeconds) => this.allowReturn(graceSeconds),
    });
  }

  /** Processes one line from a connection. The reply to an invalid line is `refused`. */
  take(link: Link, text: string): void {
    try {
      const line = parseLine(text);
      if (line.type === 'resume') this.resume(link, line);
      else if (link === this.link) this.follow(link, line);
    } catch (thrown) {
      link.send({ type: 'refused', problem: toProblem(thrown) });
    }
  }

  lose(link: Link): void {
    if (link !== this.link) return;
    this.link = null;
    // An idle agent whose messages have all been acknowledged has no reason to wait for a reconnect.
    if (this.graceSeconds === 0 || (!this.session.isBusy && this.stream.isSettled)) this.options.onEnd();
    else this.silence.startGracePeriod();
  }

  private follow(link: Link, line: Exclude<LineToAgent, { type: 'resume' }>): void {
    this.silence.countReceived();
    if (line.type !== 'hello' && !this.isGreeted) throw missingHelloError();
    switch (line.type) {
      case 'hello':
        requireProtocol(line.protocol);
        this.isGreeted = true;
        link.send(createHello());
        if (line.silenceSeconds !== undefined) this.silence.start(line.silenceSeconds);
        return;
      case 'message':
        this.requireValidNumbers(() => this.stream.take(line));
        link.send({ type: 'received', number: this.stream.received });
        return;
      case 'received':
        this.requireValidNumbers(() => this.stream.acknowledge(line.number));
        return;
      case 'alive':
        return;
      case 'bye':
        this.options.onEnd();
        return;
      default:
        line satisfies never;
    }
  }

  private resume(link: Link, { protocol, received }: Extract<LineToAgent, { type: 'resume' }>): void {
    requireProtocol(protocol);
    if (this.door === null) throw missingHelloError();
    this.requireValidNumbers(() => {
      const missed = this.stream.resumeAfter(received);
      // The agent may not have noticed yet that the previous connection has ended.
      if (this.link !== link) this.link?.close();
      this.link = link;
      this.silence.countReceived();
      link.send({ type: 'resumed', received: this.stream.received });
      for (const numbered of missed) link.send({ type: 'message', ...numbered });
    });
  }

  /** Turns impossible message numbers into `BAD_FRAME`. */
  private requireValidNumbers(take: () => void): void {
    try {
      take();
    } catch (thrown) {
      throw thrown instanceof RangeError ? invalidMessage(thrown.message) : thrown;
    }
  }

  private sendMessage(message: FromAgent): void {
    const numbered = this.stream.enqueue(message);
    this.link?.send({ type: 'message', ...numbered });
  }

  private async allowReturn(graceSeconds: number): Promise<string | null> {
    this.door = graceSeconds === 0 ? null : (this.door ?? (await this.options.openDoor()));
    this.graceSeconds = this.door === null ? 0 : graceSeconds;
    this.silence.setGracePeriod(this.graceSeconds);
    return this.door;
  }
}

function createHello(): LineFromAgent {
  return {
    type: 'hello',
    protocol: AGENT_PROTOCOL,
    nodeVersion: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    release: release(),
    hostname: hostname(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

function parseLine(text: string): LineToAgent {
  const parsed = lineToAgentSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw invalidMessage(parsed.error.issues.map((issue) => issue.message).join('; '));
}

function invalidMessage(reason: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_FRAME',
    message: `The agent received an invalid message: ${reason}`,
    hint: 'Use the same version of Holdfast on both sides.',
  });
}

function missingHelloError(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_GREETED',
    message: 'The agent received a command before the greeting.',
    hint: `Send {"type":"hello","protocol":${AGENT_PROTOCOL}} first.`,
  });
}

function requireProtocol(protocol: number): void {
  if (protocol === AGENT_PROTOCOL) return;
  throw new HoldfastError({
    code: 'OTHER_PROTOCOL',
    message: `The agent uses protocol version ${AGENT_PROTOCOL}, not ${protocol}.`,
    hint: 'Copy the agent of your version of Holdfast to this machine again.',
  });
}
