import { AGENT_PROTOCOL, type FromAgent, type LineFromAgent, type ToAgent } from '#contract/agent/frames.ts';
import { ResumableStream } from '#contract/agent/resumableStream.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { startSilenceTimer } from '#engine/silenceTimer.ts';
import { PATH_LIMITS, type PathReading } from '#core/machines/checks/path/schema.ts';
import { clockOffset, type ClockReading } from '#core/plan/hosts/generatorNames.ts';
import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import {
  type AgentChannel,
  type AgentConnection,
  AgentLink,
  closeAfterPause,
  type LinkListener,
  type LinkLoss,
  SILENCE_SECONDS,
} from './agentLink.ts';
import { boundedProblem } from './bounds.ts';
import { agentEnded, agentUnreadable, agentSilent, otherVersion } from './problems.ts';
import { reconnectAgent, type ReconnectWay } from './wayBack.ts';

export type Greeting = Extract<LineFromAgent, { type: 'hello' }>;

/** Maximum time until a started agent replies. It is long, because several agents that start at once on a busy machine are slow. */
const GREETING_SECONDS = 60;
const REPLY_SECONDS = 20;
const CLOCK_ROUNDS = 9;
/** Maximum number of messages that are kept until there is a listener. An agent sends a few while the other agents get ready. */
const MAX_WAITING_MESSAGES = 1_000;
const MAX_WAITING_CHARACTERS = 16_000_000;

/** Listener for lost and restored connections to an agent. */
export interface ConnectionWatch {
  /** Called when the connection was lost. Reconnecting is tried for `graceSeconds`. */
  onAway(problem: HoldfastError, graceSeconds: number): void;
  /** Called when the connection works again, `seconds` later. Messages sent in the meantime are delivered afterwards. */
  onBack(seconds: number): void;
}

/** An agent on a host, from its start to its end, over one or several connections. The connections are closed when the agent ends. */
export class AgentProcess {
  readonly label: string;
  private readonly wayBack: ReconnectWay | null;
  private readonly stream = new ResumableStream<ToAgent, FromAgent>((message) => this.deliver(message));
  private readonly lostListeners = new Set<(problem: HoldfastError) => void>();
  private readonly closing = new AbortController();
  private link: AgentLink | null;
  private resumption: { readonly door: string; readonly graceSeconds: number; readonly watch: ConnectionWatch } | null = null;
  private onGreeting: ((line: Greeting | HoldfastError) => void) | null = null;
  private onMessage: ((message: FromAgent) => void) | null = null;
  private waiting: FromAgent[] = [];
  private waitingCharacters = 0;
  private clockId = 0;
  private readonly clocks = new Map<number, (nowMs: number) => void>();
  private problem: HoldfastError | null = null;

  /** Without `wayBack`, a lost connection is not restored. */
  constructor(connection: AgentConnection, channel: AgentChannel, wayBack: ReconnectWay | null) {
    this.label = connection.label;
    this.wayBack = wayBack;
    this.link = new AgentLink(connection, channel, { onLine: (line) => this.take(line), onLost: (loss) => this.loseFirst(loss) });
  }

  /** Sends a message now, or once the connection works again. */
  send(message: ToAgent): void {
    const numbered = this.stream.enqueue(message);
    this.link?.send({ type: 'message', ...numbered });
  }

  /** Passes all messages on in order, beginning with those that have already arrived. */
  listen(onMessage: (message: FromAgent) => void): void {
    this.onMessage = onMessage;
    this.waitingCharacters = 0;
    for (const message of this.waiting.splice(0)) this.deliver(message);
  }

  /** Calls the listener once, when the agent is lost. */
  onLost(listener: (problem: HoldfastError) => void): void {
    if (this.problem === null) this.lostListeners.add(listener);
    else listener(this.problem);
  }

  /** Allows a lost connection to be resumed from now on, while the agent waits at its door. */
  allowReconnect(door: string, graceSeconds: number, watch: ConnectionWatch): void {
    this.resumption = { door, graceSeconds, watch };
  }

  /** Greets the agent and checks its version. Throws `AGENT_VERSION`, or the cause of a loss. */
  async greet(): Promise<Greeting> {
    const { promise, resolve } = Promise.withResolvers<Greeting | HoldfastError>();
    const late = startSilenceTimer(GREETING_SECONDS, () => resolve(agentSilent(this.label, GREETING_SECONDS)));
    this.onGreeting = resolve;
    this.onLost(resolve);
    this.link?.send({ type: 'hello', protocol: AGENT_PROTOCOL, silenceSeconds: SILENCE_SECONDS });
    const response = await promise;
    late.stop();
    this.onGreeting = null;
    this.lostListeners.delete(resolve);
    if (response instanceof HoldfastError) throw response;
    if (response.protocol !== AGENT_PROTOCOL) throw otherVersion(this.label, response.protocol, AGENT_PROTOCOL);
    return response;
  }

  /** Measures the path from the agent to an address; not during a run. Throws `AGENT_BUSY`, or the cause of a loss. */
  async measurePath(url: string): Promise<PathReading> {
    const response = this.waitFor(PATH_LIMITS.seconds + REPLY_SECONDS, (frame) =>
      frame.type === 'path' || frame.type === 'refused' ? frame : null,
    );
    this.send({ type: 'path', url });
    const frame = await response;
    if (frame.type === 'refused') throw new HoldfastError(boundedProblem(frame.problem));
    return frame.reading;
  }

  /** Measures the offset of the agent's monotonic clock from `performance.now()` here. */
  async measureClock(): Promise<ClockOffset | null> {
    const readings: ClockReading[] = [];
    for (let round = 0; round < CLOCK_ROUNDS; round += 1) readings.push(await this.askClock());
    return clockOffset(readings);
  }

  /** Asks the agent for its time. This may be called at any time, also during a run. */
  private askClock(): Promise<ClockReading> {
    const { promise, resolve, reject } = Promise.withResolvers<ClockReading>();
    const id = (this.clockId += 1);
    const late = startSilenceTimer(REPLY_SECONDS, () => reject(agentSilent(this.label, REPLY_SECONDS)));
    this.onLost(reject);
    const askedMs = performance.now();
    this.clocks.set(id, (thereMs) => resolve({ askedMs, repliedMs: performance.now(), thereMs }));
    this.send({ type: 'clock', id });
    return promise.finally(() => {
      late.stop();
      this.clocks.delete(id);
      this.lostListeners.delete(reject);
    });
  }

  /** Returns the first message that `wanted` accepts, and drops the messages before it. Throws the cause of a loss, or `AGENT_SILENT`. */
  waitFor<Wanted extends FromAgent>(limitSeconds: number, wanted: (message: FromAgent) => Wanted | null): Promise<Wanted> {
    const { promise, resolve, reject } = Promise.withResolvers<Wanted>();
    const late = startSilenceTimer(limitSeconds, () => reject(agentSilent(this.label, limitSeconds)));
    this.onLost(reject);
    this.listen((message) => {
      const found = wanted(message);
      if (found === null) return;
      this.onMessage = null;
      resolve(found);
    });
    return promise.finally(() => {
      late.stop();
      this.lostListeners.delete(reject);
    });
  }

  close(): void {
    this.fail(agentEnded(this.label, 'it was closed', ''));
  }

  private take(line: LineFromAgent): void {
    if (this.problem !== null) return;
    switch (line.type) {
      case 'message':
        this.handleFrame(() => this.stream.take(line));
        this.link?.acknowledge(this.stream.received);
        return;
      case 'received':
        this.handleFrame(() => this.stream.acknowledge(line.number));
        return;
      case 'hello':
        this.onGreeting?.(line);
        return;
      case 'refused':
        if (this.onGreeting === null) throw new HoldfastError(boundedProblem(line.problem));
        this.onGreeting(new HoldfastError(boundedProblem(line.problem)));
        return;
      case 'resumed':
      case 'alive':
        return;
      default:
        line satisfies never;
    }
  }

  /** Calls `take`. An impossible sequence number means that the other side is not an agent. */
  private handleFrame(take: () => void): void {
    try {
      take();
    } catch (thrown) {
      throw thrown instanceof RangeError ? agentUnreadable(this.label, thrown.message) : thrown;
    }
  }

  private deliver(message: FromAgent): void {
    if (message.type === 'clock') this.clocks.get(message.id)?.(message.nowMs);
    else if (this.onMessage === null) this.keepWaiting(message);
    else this.onMessage(message);
  }

  private keepWaiting(message: FromAgent): void {
    this.waitingCharacters += JSON.stringify(message).length;
    if (this.waiting.length >= MAX_WAITING_MESSAGES || this.waitingCharacters > MAX_WAITING_CHARACTERS)
      throw agentUnreadable(this.label, 'more than anybody has asked for');
    this.waiting.push(message);
  }

  /**
   * Handles the loss of the first connection. It is the agent's standard input, so if the remote process has ended, the agent has ended
   * too.
   */
  private loseFirst(loss: LinkLoss): void {
    if (loss.kind === 'network') return this.loseLink(loss);
    if (loss.kind === 'end' && this.resumption !== null) this.wayBack?.tidy(this.resumption.door).catch(() => {});
    this.fail(loss.problem);
  }

  private loseLink({ problem, kind }: LinkLoss): void {
    if (this.resumption === null || this.wayBack === null || kind === 'nonsense') return this.fail(problem);
    this.link?.connection.close();
    this.link = null;
    void this.reconnect(this.wayBack, problem);
  }

  private async reconnect(way: ReconnectWay, lostError: HoldfastError): Promise<void> {
    if (this.resumption === null || this.problem !== null) return;
    const { door, graceSeconds, watch } = this.resumption;
    const sinceMs = performance.now();
    watch.onAway(lostError, graceSeconds);
    // Events of the new link are kept until the link is in use.
    const early: LinkLoss[] = [];
    const listener: LinkListener = {
      onLine: (line) => this.take(line),
      onLost: (loss) => {
        if (this.link === null) early.push(loss);
        else this.loseLink(loss);
      },
    };
    try {
      const received = () => this.stream.received;
      const { signal } = this.closing;
      const found = await reconnectAgent({
        label: this.label,
        way,
        socketPath: door,
        graceSeconds,
        lost: lostError,
        received,
        listener,
        signal,
      });
      this.resume(found.link, found.received);
      if (this.problem === null) watch.onBack((performance.now() - sinceMs) / 1_000);
      for (const loss of early) this.loseLink(loss);
    } catch (thrown) {
      this.fail(thrown instanceof HoldfastError ? thrown : lostError);
    }
  }

  /** Resends the messages that the agent has not received. */
  private resume(link: AgentLink, received: number): void {
    this.link = link;
    if (this.problem !== null) return this.endLink();
    this.handleFrame(() => {
      for (const numbered of this.stream.resumeAfter(received)) link.send({ type: 'message', ...numbered });
    });
    link.acknowledge(this.stream.received);
  }

  private fail(problem: HoldfastError): void {
    if (this.problem !== null) return;
    this.problem = problem;
    this.closing.abort();
    for (const listener of this.lostListeners) listener(problem);
    this.lostListeners.clear();
    this.endLink();
  }

  private endLink(): void {
    const { link } = this;
    this.link = null;
    if (link === null) return;
    link.send({ type: 'bye' });
    link.close();
    closeAfterPause(link.connection);
  }
}
