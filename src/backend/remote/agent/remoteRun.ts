import { uptime } from 'node:os';
import type { FromAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { readGraceSeconds, listRecordedRequests } from '#core/plan/requests.ts';
import type { GeneratorReading } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { decodeWindow } from '#core/measurement/windowCodec.ts';
import type { EngineEnd, EngineRun, EngineSink, LoadJob } from '#engine/engine.ts';
import { journeysNotStarted, LoadTally, stageSpans } from '#engine/loadTally.ts';
import { unknownReading } from '#core/result/readings.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { AgentProcess, ConnectionWatch } from './agentProcess.ts';
import { AgentBounds, boundedProblem } from './bounds.ts';
import { agentUnreadable, agentSilent, lostDuringRun } from './problems.ts';

type Started = Extract<FromAgent, { type: 'started' }>;

/** Time limit for the start, because reading feeds and starting threads is slow on a small machine. */
const START_SECONDS = 60;
/** Time after the drain within which the last windows must arrive. */
const STOP_SECONDS = 30;

/** A run that an agent has begun, before a sink is attached. */
export interface PendingRun {
  readonly started: Started;
  /** The sink's `onBegin` gets the start time on the agent's clock. */
  attach(sink: EngineSink): EngineRun;
}

/** The parts of an agent that its run needs. */
export type RunningAgent = Pick<AgentProcess, 'label' | 'send' | 'waitFor' | 'listen' | 'onLost' | 'allowReconnect'>;

/** Hands a job to an agent. Secrets are sent only over the agent's channel. Throws the refusal of the agent, or the cause of a loss. */
export async function beginRemoteRun(agent: RunningAgent, job: LoadJob): Promise<PendingRun> {
  const response = agent.waitFor(START_SECONDS, (frame) => (frame.type === 'started' || frame.type === 'refused' ? frame : null));
  agent.send({ type: 'run', job: asFrame(job) });
  const started = await response;
  if (started.type === 'refused') throw new HoldfastError(boundedProblem(started.problem));
  const { door } = started;
  return {
    started,
    attach(sink) {
      const run = new RemoteRun(agent, job, sink);
      if (door !== null) agent.allowReconnect(door, readGraceSeconds(job.plan), run);
      return {
        threads: started.threads,
        engine: started.engine,
        engineVersion: started.engineVersion,
        done: run.done,
        stop: () => run.stop(),
        startAt: (leg, atMs) => agent.send({ type: 'start', leg, atMs }),
      };
    },
  };
}

/** A run of an agent. If the agent is lost, its windows are kept, and the request outcomes are derived from them. */
class RemoteRun implements ConnectionWatch {
  readonly done: Promise<EngineEnd>;
  private readonly agent: RunningAgent;
  private readonly job: LoadJob;
  private readonly sink: EngineSink;
  private readonly settle: (end: EngineEnd) => void;
  private readonly bounds: AgentBounds;
  private readonly tally = new LoadTally();
  private readonly stages: number[] = [];
  private isOver = false;
  private lostAtSecond = 0;
  private stopLimit: NodeJS.Timeout | null = null;

  constructor(agent: RunningAgent, job: LoadJob, sink: EngineSink) {
    this.agent = agent;
    this.job = job;
    this.sink = sink;
    const sinceSeconds = uptime();
    this.bounds = new AgentBounds(job.plan, () => uptime() - sinceSeconds);
    const { promise, resolve } = Promise.withResolvers<EngineEnd>();
    this.done = promise;
    this.settle = resolve;
    agent.onLost((problem) => this.lose(problem));
    agent.listen((frame) => this.receive(frame));
  }

  stop(): void {
    if (this.isOver || this.stopLimit !== null) return;
    this.agent.send({ type: 'stop' });
    const { drainSeconds, timeoutSeconds } = this.job.plan;
    const limitSeconds = (drainSeconds ?? timeoutSeconds) + STOP_SECONDS;
    this.stopLimit = setTimeout(() => this.lose(agentSilent(this.agent.label, limitSeconds)), limitSeconds * 1_000);
  }

  onAway(problem: HoldfastError, graceSeconds: number): void {
    this.lostAtSecond = this.tally.nextSecond;
    const text = `${problem.message} The load continues there. Holdfast tries to reconnect for up to ${formatSeconds(graceSeconds)}.`;
    this.report('connectionLost', this.lostAtSecond, text);
  }

  onBack(seconds: number): void {
    const text = `${this.agent.label} is connected again after ${formatSeconds(seconds)}. Its measurements from this time follow.`;
    // The windows of the time without a connection have not arrived yet.
    this.report('connectionBack', this.lostAtSecond + Math.round(seconds), text);
  }

  private report(kind: string, second: number, text: string): void {
    if (!this.isOver) this.sink.onEvent({ second, kind, text });
  }

  private receive(frame: FromAgent): void {
    if (this.isOver) return;
    switch (frame.type) {
      case 'began':
        return this.sink.onBegin?.(frame.atMs);
      case 'ready':
        return this.sink.onReady?.(frame.leg);
      case 'stage':
        return this.takeStage(frame.stage, frame.second);
      case 'draining':
        return this.sink.onDraining(this.bounds.second(frame.second));
      case 'window':
        return this.takeWindow(decodeWindow(Buffer.from(frame.bytes, 'base64')), frame.reading);
      case 'event': {
        const event = this.bounds.event(frame.event);
        return event === null ? undefined : this.sink.onEvent(event);
      }
      case 'sample':
        return this.bounds.admitSample(frame.sample) ? this.sink.onSample?.(frame.sample) : undefined;
      case 'items':
        return this.sink.onItems?.(frame.count, this.bounds.items(frame.items));
      case 'rows':
        return this.sink.onRows?.(frame);
      case 'end':
        return this.finish(this.bounds.boundEnd(frame.end));
      case 'refused':
        return this.lose(new HoldfastError(boundedProblem(frame.problem)));
      case 'clock':
      case 'path':
      case 'started':
        return;
      default:
        frame satisfies never;
    }
  }

  private takeStage(stage: number, second: number): void {
    if (!this.bounds.isStage(stage)) throw agentUnreadable(this.agent.label, `stage ${stage} of a plan without it`);
    this.stages[stage] = this.bounds.second(second);
    this.sink.onStage(stage, this.stages[stage]);
  }

  private takeWindow(window: Window, reading: GeneratorReading): void {
    // Windows must arrive in order and without gaps. Otherwise a window would be counted twice or not at all.
    if (window.second !== this.tally.nextSecond || window.width !== 1)
      throw agentUnreadable(this.agent.label, `second ${window.second} instead of ${this.tally.nextSecond}`);
    const whyNot = this.bounds.findWindowProblem(window, reading);
    if (whyNot !== null) throw agentUnreadable(this.agent.label, whyNot);
    this.tally.add(window);
    this.sink.onWindow(window, this.bounds.reading(reading));
  }

  private lose(problem: HoldfastError): void {
    if (this.isOver) return;
    const reportedError = lostDuringRun(problem);
    this.sink.onEvent({ second: this.tally.nextSecond, kind: 'failed', text: reportedError.message });
    // One of several load generators does not know which journeys the others have started.
    const isWhole = this.job.part === undefined;
    const notStarted = isWhole ? journeysNotStarted(this.job.plan, this.tally.journeysSettled, false) : 0;
    const window = this.tally.emptyNextWindow();
    window.journeys.notStartedStopped = notStarted;
    const endedAtSecond = this.tally.nextSecond;
    if (notStarted > 0) this.sink.onWindow(window, unknownReading(endedAtSecond));
    this.finish({
      reason: 'failed',
      problem: { code: reportedError.code, message: reportedError.message, hint: reportedError.hint },
      endedAtSecond,
      firstBodyLengths: listRecordedRequests(this.job.plan).map(() => null),
      serverSoftware: null,
      addresses: {},
      silentAddresses: {},
      leftOut: {},
      stages: stageSpans(
        this.stages.map((fromSecond) => ({ fromSecond, toSecond: null })),
        endedAtSecond,
      ),
    });
  }

  private finish(end: EngineEnd): void {
    this.isOver = true;
    if (this.stopLimit !== null) clearTimeout(this.stopLimit);
    this.settle(end);
  }
}

/** Copies the job for JSON, because the job's own parts are read-only. */
function asFrame({ targets, namedTargets, steps, secrets, feeds, files, ...job }: LoadJob) {
  return {
    ...job,
    ...(namedTargets === undefined ? {} : { namedTargets: { ...namedTargets } }),
    targets: targets.map(({ url, headers }) => ({ url, headers: { ...headers } })),
    steps: steps.map(({ headers, body }) => ({ headers: { ...headers }, body })),
    secrets: { ...secrets },
    feeds: { ...feeds },
    files: { ...files },
  };
}
