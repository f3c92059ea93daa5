import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { HoldfastError } from '#core/base/errors.ts';
import { parseJson } from '#core/base/json.ts';
import { visibleLine } from '#core/base/text.ts';
import { decodeWindow } from '#core/measurement/windowCodec.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { INVITATION_MINUTES } from '#contract/agent/invitation.ts';
import { type LineFromAgent, lineFromAgentSchema, lineToAgentSchema } from '#contract/agent/frames.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { LineReader } from '#engine/lineReader.ts';
import { JobGate } from './jobGate.ts';
import { agentFailed, inviterLost } from './problems.ts';

/** A job contains the files that its steps send and the rows of its feeds. */
const MAX_JOB_BYTES = 256 * 1_048_576;
const MAX_AGENT_LINE_BYTES = 16_000_000;
/** Maximum silence of the inviting computer, which sends a line every 5 s. */
const SILENCE_MS = 30_000;
/** Maximum time until a person has started the run and its generators are ready. */
const MAX_WAIT_MS = (INVITATION_MINUTES + 20) * 60_000;
/** Maximum time beyond the planned duration, for outstanding responses and the last windows. */
const MAX_OVERTIME_MS = 300_000;

export interface RelayOptions {
  /** Path of the agent's program. */
  readonly agentFile: string;
  readonly agreed: Proposal;
  /** Called when the agent gets the load, and then once a second, with the number of requests that were sent. */
  onSent(requests: number): void;
}

type Agent = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

/**
 * Runs the agent of this computer for the inviting one. Lines from the inviting computer pass through the gate, and the agent's reports are
 * forwarded unchanged.
 */
export class AgentRelay {
  /** Resolves when the run has ended as planned. Rejects with `INVITER_LOST`, `OTHER_LOAD` or `AGENT_LOST`. */
  readonly done: Promise<void>;
  private readonly socket: TLSSocket;
  private readonly options: RelayOptions;
  private readonly gate: JobGate;
  private readonly agent: Agent;
  private readonly fromInviter = new LineReader(MAX_JOB_BYTES);
  private readonly fromAgent = new LineReader(MAX_AGENT_LINE_BYTES);
  private readonly settle: { resolve(): void; reject(problem: unknown): void };
  private silence: NodeJS.Timeout | undefined;
  private longest: NodeJS.Timeout;
  private requests = 0;
  private isDismissed = false;

  constructor(socket: TLSSocket, options: RelayOptions) {
    this.socket = socket;
    this.options = options;
    this.gate = new JobGate(options.agreed);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise.finally(() => this.end());
    this.settle = { resolve, reject };
    this.agent = spawn(process.execPath, [options.agentFile], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...childEnvironment(), ELECTRON_RUN_AS_NODE: '1' },
    }) as Agent;
    this.longest = this.limit(MAX_WAIT_MS);
    this.watchSilence();
    this.agent.on('error', (error) => reject(agentFailed(error.message)));
    this.agent.on('exit', (code, signal) => this.takeExit(signal ?? `code ${code}`));
    this.agent.stdin.on('error', () => {});
    this.agent.stdin.on('drain', () => socket.resume());
    this.agent.stdout.on('data', (chunk: Buffer) => this.countSent(chunk));
    this.agent.stdout.pipe(socket);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.loseInviter('the connection ended'));
    socket.resume();
  }

  private take(chunk: Buffer): void {
    this.watchSilence();
    try {
      for (const text of this.fromInviter.take(chunk)) this.passOn(text);
    } catch (thrown) {
      const { code, message, hint } = thrown instanceof HoldfastError ? thrown : inviterLost('it sent something unreadable', this.hasRun);
      const refusal: LineFromAgent = { type: 'refused', problem: { code, message, hint } };
      if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(refusal)}\n`);
      this.settle.reject(new HoldfastError({ code, message, hint }));
    }
  }

  private passOn(text: string): void {
    const line = lineToAgentSchema.parse(parseJson(text));
    const hadRun = this.hasRun;
    this.gate.check(line);
    if (line.type === 'bye') this.isDismissed = true;
    if (!hadRun && this.hasRun) this.beginRun();
    // The parsed line is forwarded and not the original text, so the agent gets only what the gate has checked.
    if (!this.agent.stdin.write(`${JSON.stringify(line)}\n`)) this.socket.pause();
  }

  private beginRun(): void {
    const { durationSeconds } = this.options.agreed;
    clearTimeout(this.longest);
    if (durationSeconds !== null) this.longest = this.limit(durationSeconds * 1_000 + MAX_OVERTIME_MS);
    this.options.onSent(0);
  }

  private get hasRun(): boolean {
    return this.gate.job !== null;
  }

  private countSent(chunk: Buffer): void {
    try {
      for (const text of this.fromAgent.take(chunk)) {
        const line = lineFromAgentSchema.parse(JSON.parse(text));
        if (line.type !== 'message' || line.message.type !== 'window') continue;
        for (const { started } of decodeWindow(Buffer.from(line.message.bytes, 'base64')).cells) this.requests += started;
        this.options.onSent(this.requests);
      }
    } catch (thrown) {
      this.settle.reject(agentFailed(thrown instanceof Error ? visibleLine(thrown.message) : 'its output is unreadable'));
    }
  }

  private takeExit(how: string): void {
    if (this.isDismissed) this.settle.resolve();
    else this.settle.reject(agentFailed(how));
  }

  private loseInviter(why: string): void {
    if (this.isDismissed && this.hasRun) this.settle.resolve();
    else this.settle.reject(inviterLost(why, this.hasRun));
  }

  private watchSilence(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.loseInviter(`it was silent for ${SILENCE_MS / 1_000} s`), SILENCE_MS);
  }

  private limit(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.loseInviter('it neither started nor ended the run in time'), ms);
  }

  /** Ends the agent and the connection, whatever happened. */
  private end(): void {
    clearTimeout(this.silence);
    clearTimeout(this.longest);
    this.agent.kill('SIGKILL');
    this.socket.destroySoon();
  }
}
