import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { firstStepIndex, hasSideCalls } from '#core/work/journey/flow/executions.ts';
import type { Window } from '#core/measurement/window.ts';
import { MAX_PEOPLE_RECORDS, emptyPeopleChanges, type PeopleChanges, PeopleSum } from '#core/measurement/people.ts';
import type { RowsReport, SentItem } from '#contract/agent/frames.ts';
import { encodeWindow } from '#core/measurement/windowCodec.ts';
import { createSharedClock } from './clock.ts';
import type { FromWorker, ToWorker, WorkerData } from './messages.ts';
import { DuetCounts } from './duetCounts.ts';
import { Recorder } from './recorder.ts';
import { HealthyPace } from './drivers/loadDriver.ts';
import type { Person } from './journey/person.ts';
import { LegRun } from './legRun.ts';
import { Sampler } from './sampling/sampler.ts';
import { Standstill, ThreadWatch } from './threadHealth.ts';
import { type WarmUpState, warmUp } from './warmUp.ts';

const SECOND_US = 1_000_000;
/** Time between two checks, which is the resolution of the start of a standstill. */
const STANDSTILL_CHECK_MS = 100;

export interface ThreadPort {
  post(message: FromWorker): void;
  /** Allows the thread to exit. */
  end(): void;
}

/** One load thread: runs legs one after the other and publishes a window every second. */
export class LoadThread {
  private readonly data: WorkerData;
  private readonly port: ThreadPort;
  private readonly now = createSharedClock();
  private readonly watch = new ThreadWatch(this.now);
  private readonly recorder: Recorder;
  private readonly sampler: Sampler;
  private readonly pace = new HealthyPace();
  private run: LegRun | null = null;
  /** Number of requests that earlier legs left outstanding. */
  private withoutResponse = 0;
  private sideWithoutResponse = 0;
  private isServerReported = false;
  /** Items with a marker that were sent since the last window, by the index of their count. */
  private readonly items = new Map<number, SentItem[]>();
  /** People whose state has changed since the last window. */
  private readonly changed = new Set<Person>();
  /** Rows of feeds with `order: once` that were taken or refused since the last window. */
  private rows: RowsReport = { taken: [], refused: [] };
  /** Objects of the warm-up, which are kept so that V8 keeps the code that it compiled for them. */
  private warmth: readonly WarmUpState[] | null = null;
  private originUs: number | null = null;
  private windowTimer: NodeJS.Timeout | null = null;
  private readonly standstill = new Standstill();
  private standstillTimer: NodeJS.Timeout | null = null;

  constructor(data: WorkerData, port: ThreadPort) {
    this.data = data;
    this.port = port;
    this.sampler = new Sampler(data.sampling, data.plan, (sample) => port.post({ type: 'sample', sample }));
    this.recorder = new Recorder({
      firstBodyLengths: data.firstBodyLengths,
      plansStarts: data.plan.load.model !== 'connections',
      firstStep: firstStepIndex(data.plan),
      ...(data.plan.duet === undefined ? {} : { duet: new DuetCounts(data.plan.duet, data.plan, data.runId) }),
      inFlight: () => this.withoutResponse + (this.run?.inFlight ?? 0),
      ...(hasSideCalls(data.plan) ? { sideInFlight: () => this.sideWithoutResponse + (this.run?.sideInFlight ?? 0) } : {}),
      publish: (window) => this.publish(window),
    });
  }

  take(message: ToWorker): void {
    switch (message.type) {
      case 'prepare':
        void this.prepare(message.leg);
        return;
      case 'start':
        this.start(message.startUs, message.originUs);
        return;
      case 'drain':
        this.run?.drain();
        return;
      case 'abort':
        this.run?.abort();
        return;
      case 'finish':
        this.finish();
        return;
    }
  }

  private async prepare(leg: number): Promise<void> {
    try {
      this.warmth ??= await warmUp(this.data, this.now);
      this.run = new LegRun(this.data, leg, {
        now: this.now,
        open: (stages) => this.recorder.open(stages),
        loads: (stages) => this.recorder.loads(stages),
        sampler: this.sampler,
        pace: this.pace,
        reports: {
          sentItem: (count, item) => this.keepItem(count, item),
          personChanged: (person) => void this.changed.add(person),
          rowTaken: (row) => void this.rows.taken.push(row),
          rowRefused: (row, step) => void this.rows.refused.push({ row, step }),
        },
        onBudgetSpent: () => this.port.post({ type: 'budgetSpent' }),
        onServer: (software, atUs) => this.reportServer(software, atUs),
        onDraining: () => this.port.post({ type: 'draining' }),
      });
      this.port.post({ type: 'ready' });
    } catch (error) {
      this.fail(error);
    }
  }

  private start(startUs: number, originUs: number): void {
    if (this.originUs === null) {
      this.originUs = originUs;
      this.recorder.begin(originUs);
      // Excludes the preparation from the thread's health, because it delayed no request.
      this.watch.read();
      this.standstill.begin(this.now());
      this.standstillTimer = setInterval(() => this.standstill.hadTurn(this.now()), STANDSTILL_CHECK_MS);
      this.armWindowTimer();
    }
    const { run } = this;
    if (run === null) throw new Error('A leg must be prepared before it starts.');
    setTimeout(() => void this.runLeg(run, startUs), Math.max(0, Math.ceil((startUs - this.now()) / 1_000)));
  }

  private async runLeg(run: LegRun, startUs: number): Promise<void> {
    const loadEndedUs = await run.run(startUs);
    this.withoutResponse += run.inFlight;
    this.sideWithoutResponse += run.sideInFlight;
    this.run = null;
    const { addresses, silentAddresses, leftOut } = run;
    this.sampler.reportSlow();
    this.port.post({ type: 'legEnded', loadEndedUs, endedUs: this.now(), addresses, silentAddresses, leftOut });
  }

  private armWindowTimer(): void {
    const nowUs = this.now();
    this.recorder.advance(nowUs);
    this.windowTimer = setTimeout(() => this.armWindowTimer(), Math.ceil((this.recorder.windowEndsUs - nowUs) / 1_000));
  }

  private keepItem(count: number, item: SentItem): void {
    const items = this.items.get(count);
    if (items === undefined) this.items.set(count, [item]);
    else items.push(item);
  }

  private publish(window: Window): void {
    for (const [count, items] of this.items) this.port.post({ type: 'items', count, items });
    this.items.clear();
    if (this.changed.size > 0) window.people = this.takeChanges();
    if (this.rows.taken.length + this.rows.refused.length > 0) this.port.post({ type: 'rows', ...this.rows });
    this.rows = { taken: [], refused: [] };
    this.standstill.hadTurn(this.now());
    const fromUs = this.recorder.beganUs + window.second * SECOND_US;
    const stoodStillMs = this.standstill.overlapUs(fromUs, fromUs + SECOND_US) / 1_000;
    this.port.post({ type: 'window', bytes: encodeWindow(window), health: { ...this.watch.read(), stoodStillMs } });
  }

  private takeChanges(): PeopleChanges {
    const changes = emptyPeopleChanges();
    const further = new PeopleSum();
    for (const person of this.changed) {
      if (person.number < MAX_PEOPLE_RECORDS) changes.records.push(person.record());
      else if (person.hasLeft) further.count(person.record(), 1);
    }
    this.changed.clear();
    changes.further.push(...further.further.values());
    return changes;
  }

  private reportServer(software: string | null, atUs: number): void {
    if (this.isServerReported) return;
    this.isServerReported = true;
    this.port.post({ type: 'server', atUs, software });
  }

  private finish(): void {
    // A leg that was prepared but never started has connections to close.
    this.run?.abort();
    if (this.windowTimer !== null) clearTimeout(this.windowTimer);
    if (this.standstillTimer !== null) clearInterval(this.standstillTimer);
    if (this.originUs !== null) this.recorder.close(this.now());
    this.watch.close();
    this.port.post({ type: 'finished' });
    this.port.end();
  }

  private fail(error: unknown): void {
    const { code, message, hint } = error instanceof HoldfastError ? error : toProblem(error);
    this.port.post({ type: 'failed', problem: { code, message, hint } });
  }
}
