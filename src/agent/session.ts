import { availableParallelism, hostname, release, totalmem } from 'node:os';
import { HoldfastError, problemOf } from '#core/errors.ts';
import { encodeWindow } from '#core/stats/windowCodec.ts';
import type { EngineRun, EngineSink, LoadJob } from '#engine/engine.ts';
import { hrtimeUs } from '#engine/hrtime.ts';
import { sharesMachine } from '#engine/sharesMachine.ts';
import { measurePath } from '#engine/path/measurePath.ts';
import { startEngine } from '#engine/startEngine.ts';
import { AGENT_PROTOCOL, toAgentSchema, type FromAgent, type ToAgent } from '#contract/agent/frames.ts';
import { SilenceWatch } from './silence.ts';

export interface SessionOptions {
  readonly workerEntry: URL;
  send(frame: FromAgent): void;
  /** Nobody has said anything for longer than was agreed. */
  onSilence(): void;
}

/** One conversation with whoever started the agent: a greeting, then runs, one at a time. */
export class AgentSession {
  private readonly options: SessionOptions;
  private greeted = false;
  private run: EngineRun | null = null;
  private isStarting = false;
  /** A stop that came before there was anything to stop. */
  private mustStop = false;
  private readonly silence: SilenceWatch;

  constructor(options: SessionOptions) {
    this.options = options;
    this.silence = new SilenceWatch(() => options.send({ type: 'alive' }), options.onSilence);
  }

  /** Follows one line of input. What cannot be followed is answered by `refused`. */
  take(line: string): void {
    this.silence.heard();
    try {
      this.follow(parseFrame(line));
    } catch (error) {
      this.options.send({ type: 'refused', problem: problemOf(error) });
    }
  }

  private follow(frame: ToAgent): void {
    if (frame.type !== 'hello' && !this.greeted) throw notGreeted();
    switch (frame.type) {
      case 'hello':
        this.greet(frame.protocol);
        if (frame.silenceSeconds !== undefined) this.silence.start(frame.silenceSeconds);
        return;
      case 'alive':
        return;
      case 'clock':
        this.options.send({ type: 'clock', id: frame.id, nowMs: hrtimeUs() / 1_000 });
        return;
      case 'path':
        void this.measurePath(frame.url);
        return;
      case 'run':
        void this.start(frame.job);
        return;
      case 'start':
        this.run?.startAt(frame.leg, frame.atMs);
        return;
      case 'stop':
        this.mustStop = this.isStarting;
        this.run?.stop();
        return;
      default:
        frame satisfies never;
    }
  }

  private greet(protocol: number): void {
    if (protocol !== AGENT_PROTOCOL) throw otherProtocol(protocol);
    this.greeted = true;
    this.options.send({
      type: 'hello',
      protocol: AGENT_PROTOCOL,
      nodeVersion: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      release: release(),
      hostname: hostname(),
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    });
  }

  /** Beside a run it would measure what the run leaves of the line, and the run what it leaves. */
  private async measurePath(url: string): Promise<void> {
    if (this.run !== null || this.isStarting) this.options.send({ type: 'refused', problem: problemOf(alreadyRunning()) });
    else this.options.send({ type: 'path', reading: await measurePath(url) });
  }

  private async start(job: LoadJob): Promise<void> {
    if (this.run !== null || this.isStarting) {
      this.options.send({ type: 'refused', problem: problemOf(alreadyRunning()) });
      return;
    }
    this.isStarting = true;
    const sharesMachineWithTarget = await sharesMachine(job.plan);
    this.isStarting = false;
    const run = startEngine(job, { workerEntry: this.options.workerEntry }, this.sink());
    this.run = run;
    this.options.send({
      type: 'started',
      threads: run.threads,
      engine: run.engine,
      engineVersion: run.engineVersion,
      sharesMachineWithTarget,
    });
    if (this.mustStop) run.stop();
    this.mustStop = false;
    const end = await run.done;
    this.run = null;
    this.options.send({
      type: 'end',
      end: {
        ...end,
        firstBodyLengths: [...end.firstBodyLengths],
        addresses: { ...end.addresses },
        leftOut: { ...end.leftOut },
        stages: end.stages.map((stage) => ({ ...stage })),
      },
    });
  }

  private sink(): EngineSink {
    const { send } = this.options;
    return {
      onBegin: (atMs) => send({ type: 'began', atMs }),
      onReady: (leg) => send({ type: 'ready', leg }),
      onStage: (stage, second) => send({ type: 'stage', stage, second }),
      onDraining: (second) => send({ type: 'draining', second }),
      onWindow: (window, reading) => send({ type: 'window', bytes: Buffer.from(encodeWindow(window)).toString('base64'), reading }),
      onEvent: (event) => send({ type: 'event', event }),
      onSample: (sample) => send({ type: 'sample', sample }),
    };
  }
}

function parseFrame(line: string): ToAgent {
  const parsed = toAgentSchema.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw new HoldfastError({
    code: 'BAD_FRAME',
    message: `The agent was sent something that it does not understand: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`,
    hint: 'Both sides must be of the same version of Holdfast.',
  });
}

/** undefined for what is not JSON: the schema then refuses it. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function notGreeted(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_GREETED',
    message: 'The agent was told to do something before it was greeted.',
    hint: `Send {"type":"hello","protocol":${AGENT_PROTOCOL}} first.`,
  });
}

function otherProtocol(protocol: number): HoldfastError {
  return new HoldfastError({
    code: 'OTHER_PROTOCOL',
    message: `The agent speaks version ${AGENT_PROTOCOL} of the agents' language, not ${protocol}.`,
    hint: 'Copy the agent of your version of Holdfast to this machine again.',
  });
}

function alreadyRunning(): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_BUSY',
    message: 'This agent is running a load already.',
    hint: 'Wait for its end or stop it first.',
  });
}
