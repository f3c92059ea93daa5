import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { readGraceSeconds } from '#core/plan/requests.ts';
import { encodeWindow } from '#core/measurement/windowCodec.ts';
import { type EngineRun, type EngineSink, type LoadJob, hrtimeUs } from '#engine/engine.ts';
import { keepAwake } from '#engine/keepAwake.ts';
import { sharesMachine, startEngine } from '#engine/startEngine.ts';
import { measurePath } from '#engine/path/measurePath.ts';
import type { FromAgent, ToAgent } from '#contract/agent/frames.ts';

export interface SessionOptions {
  readonly workerEntry: URL;
  send(message: FromAgent): void;
  /** Allows a reconnect within a number of seconds. Resolves to the path of the socket for it, or to null if there is none. */
  allowReturn(graceSeconds: number): Promise<string | null>;
}

/** Runs the agent's loads, one at a time. */
export class AgentSession {
  private readonly options: SessionOptions;
  private run: EngineRun | null = null;
  private isStarting = false;
  /** Whether a stop was requested before the engine had started. */
  private mustStop = false;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  get isBusy(): boolean {
    return this.isStarting || this.run !== null;
  }

  take(message: ToAgent): void {
    switch (message.type) {
      case 'clock':
        this.options.send({ type: 'clock', id: message.id, nowMs: hrtimeUs() / 1_000 });
        return;
      case 'path':
        void this.measurePath(message.url);
        return;
      case 'run':
        if (this.isBusy) this.options.send({ type: 'refused', problem: toProblem(alreadyRunningError()) });
        else void this.start(message.job);
        return;
      case 'start':
        this.run?.startAt(message.leg, message.atMs);
        return;
      case 'stop':
        this.mustStop = this.isStarting;
        this.run?.stop();
        return;
      default:
        message satisfies never;
    }
  }

  /** Measures a path. Refused during a run, because measurement and load would compete for the bandwidth and distort each other. */
  private async measurePath(url: string): Promise<void> {
    if (this.isBusy) this.options.send({ type: 'refused', problem: toProblem(alreadyRunningError()) });
    else this.options.send({ type: 'path', reading: await measurePath(url) });
  }

  private async start(job: LoadJob): Promise<void> {
    this.isStarting = true;
    const [sharesMachineWithTarget, awake, door] = await Promise.all([
      sharesMachine(job.plan),
      keepAwake(),
      this.options.allowReturn(readGraceSeconds(job.plan)),
    ]);
    this.isStarting = false;
    const run = startEngine(job, { workerEntry: this.options.workerEntry }, this.createSink());
    this.run = run;
    const { threads, engine, engineVersion } = run;
    this.options.send({ type: 'started', threads, engine, engineVersion, sharesMachineWithTarget, keptAwake: awake.isHeld, door });
    if (this.mustStop) run.stop();
    this.mustStop = false;
    const end = await run.done;
    awake.release();
    this.run = null;
    this.options.send({
      type: 'end',
      end: {
        ...end,
        firstBodyLengths: [...end.firstBodyLengths],
        addresses: { ...end.addresses },
        silentAddresses: { ...end.silentAddresses },
        leftOut: { ...end.leftOut },
        stages: end.stages.map((stage) => ({ ...stage })),
      },
    });
  }

  private createSink(): EngineSink {
    const { send } = this.options;
    return {
      onBegin: (atMs) => send({ type: 'began', atMs }),
      onReady: (leg) => send({ type: 'ready', leg }),
      onStage: (stage, second) => send({ type: 'stage', stage, second }),
      onDraining: (second) => send({ type: 'draining', second }),
      onWindow: (window, reading) => send({ type: 'window', bytes: Buffer.from(encodeWindow(window)).toString('base64'), reading }),
      onEvent: (event) => send({ type: 'event', event }),
      onSample: (sample) => send({ type: 'sample', sample }),
      onItems: (count, items) => send({ type: 'items', count, items: [...items] }),
      onRows: ({ taken, refused }) => send({ type: 'rows', taken, refused }),
    };
  }
}

function alreadyRunningError(): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_BUSY',
    message: 'This agent already runs a load.',
    hint: 'Wait until it ends, or stop it first.',
  });
}
