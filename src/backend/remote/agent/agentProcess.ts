import type { ClientChannel } from 'ssh2';
import { AGENT_PROTOCOL, fromAgentSchema, type FromAgent, type ToAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/errors.ts';
import { PATH_LIMITS } from '#core/checks/path/limits.ts';
import type { PathReading } from '#core/checks/path/schema.ts';
import { clockOffset, type ClockReading } from '#core/hosts/clockOffset.ts';
import type { ClockOffset } from '#core/hosts/schema.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { LineReader } from './lineReader.ts';
import { agentEnded, agentGarbled, agentSilent, otherVersion } from './problems.ts';

export type Greeting = Extract<FromAgent, { type: 'hello' }>;

/** How long either side may be silent before the other takes it for lost. */
const SILENCE_SECONDS = 30;
const SIGN_EVERY_MS = 5_000;
const GREETING_SECONDS = 20;
const CLOCK_ROUNDS = 9;
/** A window of a plan with many steps and stages is some hundred kB. */
const LINE_LIMIT_BYTES = 16_000_000;
const SAID_LIMIT = 8_000;

/** An agent on a host, as long as it lives. */
export class AgentProcess {
  readonly label: string;
  private readonly channel: ClientChannel;
  private readonly reader = new LineReader(LINE_LIMIT_BYTES);
  private readonly lostListeners = new Set<(problem: HoldfastError) => void>();
  private onFrame: ((frame: FromAgent) => void) | null = null;
  private waiting: FromAgent[] = [];
  private clockId = 0;
  private readonly clocks = new Map<number, (nowMs: number) => void>();
  private problem: HoldfastError | null = null;
  private said = '';
  private exit = 'its connection closed';
  private silence: NodeJS.Timeout;
  private readonly signs: NodeJS.Timeout;

  constructor(connection: SshConnection, channel: ClientChannel) {
    this.label = connection.label;
    this.channel = channel;
    this.silence = this.silenceTimer();
    this.signs = setInterval(() => this.send({ type: 'alive' }), SIGN_EVERY_MS);
    channel.on('data', (chunk: Buffer) => this.take(chunk));
    channel.stderr.on('data', (chunk: Buffer) => {
      this.said = (this.said + chunk.toString('utf8')).slice(-SAID_LIMIT);
    });
    channel.on('exit', (code: number | null, signal?: string) => {
      this.exit = code === null ? `signal ${signal ?? 'unknown'}` : `code ${code}`;
    });
    channel.on('error', () => {});
    // The connection's own story comes first when both have ended.
    channel.on('close', () => setImmediate(() => this.lose(agentEnded(this.label, this.exit, this.said))));
    connection.onLost((problem) => this.lose(problem));
  }

  send(frame: ToAgent): void {
    if (this.problem === null) this.channel.write(`${JSON.stringify(frame)}\n`);
  }

  /** From now on every frame goes there, in order, those that have come already first. */
  listen(onFrame: (frame: FromAgent) => void): void {
    this.onFrame = onFrame;
    for (const frame of this.waiting.splice(0)) this.deliver(frame);
  }

  /** Calls once, when nothing more will come. */
  onLost(listener: (problem: HoldfastError) => void): void {
    if (this.problem === null) this.lostListeners.add(listener);
    else listener(this.problem);
  }

  /** Greets it and makes sure that it speaks our language. Throws `AGENT_VERSION`, or why it was lost. */
  async greet(): Promise<Greeting> {
    const hello = this.next(GREETING_SECONDS, (frame) => (frame.type === 'hello' || frame.type === 'refused' ? frame : null));
    this.send({ type: 'hello', protocol: AGENT_PROTOCOL, silenceSeconds: SILENCE_SECONDS });
    const frame = await hello;
    if (frame.type === 'refused') throw new HoldfastError(frame.problem);
    if (frame.protocol !== AGENT_PROTOCOL) throw otherVersion(this.label, frame.protocol, AGENT_PROTOCOL);
    return frame;
  }

  /** Measures the path from there to an address; not while a run goes. Throws `AGENT_BUSY`, or why it was lost. */
  async measurePath(url: string): Promise<PathReading> {
    const answer = this.next(PATH_LIMITS.seconds + GREETING_SECONDS, (frame) =>
      frame.type === 'path' || frame.type === 'refused' ? frame : null,
    );
    this.send({ type: 'path', url });
    const frame = await answer;
    if (frame.type === 'refused') throw new HoldfastError(frame.problem);
    return frame.reading;
  }

  /** How far its monotonic clock is ahead of `performance.now()` here. */
  async measureClock(): Promise<ClockOffset | null> {
    const readings: ClockReading[] = [];
    for (let round = 0; round < CLOCK_ROUNDS; round += 1) readings.push(await this.askClock());
    return clockOffset(readings);
  }

  /** May be asked at any time, also while a run reports. */
  private askClock(): Promise<ClockReading> {
    const { promise, resolve, reject } = Promise.withResolvers<ClockReading>();
    const id = (this.clockId += 1);
    const late = setTimeout(() => reject(agentSilent(this.label, GREETING_SECONDS)), GREETING_SECONDS * 1_000);
    this.onLost(reject);
    const askedMs = performance.now();
    this.clocks.set(id, (thereMs) => resolve({ askedMs, answeredMs: performance.now(), thereMs }));
    this.send({ type: 'clock', id });
    return promise.finally(() => {
      clearTimeout(late);
      this.clocks.delete(id);
      this.lostListeners.delete(reject);
    });
  }

  /** The first frame that is wanted; those before it are dropped. Throws why it was lost, or `AGENT_SILENT`. */
  next<Wanted extends FromAgent>(limitSeconds: number, wanted: (frame: FromAgent) => Wanted | null): Promise<Wanted> {
    const { promise, resolve, reject } = Promise.withResolvers<Wanted>();
    const late = setTimeout(() => reject(agentSilent(this.label, limitSeconds)), limitSeconds * 1_000);
    this.onLost(reject);
    this.listen((frame) => {
      const found = wanted(frame);
      if (found === null) return;
      this.onFrame = null;
      resolve(found);
    });
    return promise.finally(() => {
      clearTimeout(late);
      this.lostListeners.delete(reject);
    });
  }

  /** Ends it: an agent lives as long as its standard input. */
  close(): void {
    this.lose(agentEnded(this.label, 'it was closed', ''));
  }

  private take(chunk: Buffer): void {
    clearTimeout(this.silence);
    this.silence = this.silenceTimer();
    try {
      for (const line of this.reader.take(chunk)) {
        if (this.problem !== null) return;
        const frame = fromAgentSchema.parse(JSON.parse(line));
        if (frame.type === 'clock') this.clocks.get(frame.id)?.(frame.nowMs);
        else if (frame.type !== 'alive') this.deliver(frame);
      }
    } catch (thrown) {
      this.lose(
        thrown instanceof HoldfastError ? thrown : agentGarbled(this.label, thrown instanceof Error ? thrown.message : String(thrown)),
      );
    }
  }

  private deliver(frame: FromAgent): void {
    if (this.onFrame === null) this.waiting.push(frame);
    else this.onFrame(frame);
  }

  private silenceTimer(): NodeJS.Timeout {
    return setTimeout(() => this.lose(agentSilent(this.label, SILENCE_SECONDS)), SILENCE_SECONDS * 1_000);
  }

  private lose(problem: HoldfastError): void {
    if (this.problem !== null) return;
    this.problem = problem;
    clearTimeout(this.silence);
    clearInterval(this.signs);
    for (const listener of this.lostListeners) listener(problem);
    this.lostListeners.clear();
    this.channel.end();
    this.channel.destroy();
  }
}
