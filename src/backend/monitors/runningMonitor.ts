import { toProblem } from '#core/base/errors.ts';
import { type TimedReading, type MonitorInfo, type MonitorPoint, KnownInstances, collectValues } from '#core/machines/monitors/result.ts';
import { type MonitorSource, nowMs } from './source.ts';

/** Pause before a lost monitor is opened again. */
const REOPEN_DELAY_MS = 2_000;
/** Minimum length of the first reading of a run, because a few milliseconds before the start must not count as a second. */
const MIN_WIDTH_SECONDS = 0.05;
/** Minimum length of the last reading. Processor time has a resolution of 10 ms, which would dominate a shorter reading. */
const MIN_LAST_WIDTH_SECONDS = 0.2;

export interface MonitorSink {
  onPoint(info: MonitorInfo, point: MonitorPoint): void;
  /** Called when the monitor's state or description changes. */
  onInfo(info: MonitorInfo): void;
}

/** One monitor of a run. Reads on demand, converts readings to the clock of the run, and reopens a lost source. */
export class RunningMonitor {
  private info: MonitorInfo;
  private readonly open: () => Promise<MonitorSource>;
  private readonly sink: MonitorSink;
  private source: MonitorSource | null = null;
  private before: TimedReading | null = null;
  private originMs: number | null = null;
  private reading: Promise<void> | null = null;
  private readonly instances = new KnownInstances();
  private openAgainAtMs = 0;
  private ended = false;

  constructor(info: MonitorInfo, open: () => Promise<MonitorSource>, sink: MonitorSink) {
    this.info = info;
    this.open = open;
    this.sink = sink;
  }

  /** Opens the source for the first time. Throws the errors of the source. */
  async begin(): Promise<void> {
    this.source = await this.open();
    this.changeInfo({ state: 'watching', problem: null, quantities: [...this.source.catalogue.quantities] });
    await this.read(this.source);
  }

  /** Sets when the run began, on the clock of `nowMs`. Later readings become points. */
  runBegan(originMs: number): void {
    this.originMs = originMs;
  }

  /** Reads once unless a reading is in progress, and opens the source if it is closed. Never rejects. */
  tick(): Promise<void> {
    this.reading ??= this.readOrOpen().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /** Reads the values since the last reading if that was long enough ago to report. Does not reopen the source. Never rejects. */
  async readRest(): Promise<void> {
    await this.reading;
    const sinceMs = this.before === null ? 0 : nowMs() - this.before.atMs;
    if (this.source !== null && sinceMs >= MIN_LAST_WIDTH_SECONDS * 1_000) await this.tick();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.source?.close();
    if (this.info.state === 'watching') this.changeInfo({ state: 'ended' });
  }

  private async readOrOpen(): Promise<void> {
    if (this.ended) return;
    try {
      if (this.source === null) {
        if (nowMs() < this.openAgainAtMs) return;
        await this.begin();
      } else await this.read(this.source);
    } catch (thrown) {
      this.loseSource(thrown);
    } finally {
      if (this.ended) this.source?.close();
    }
  }

  private async read(source: MonitorSource): Promise<void> {
    const askedMs = nowMs();
    const { gauges, counters, atMs, errorMs } = await source.read();
    if (this.ended) return;
    const halfTripMs = (nowMs() - askedMs) / 2;
    const reading = { gauges, counters, atMs: atMs ?? askedMs + halfTripMs };
    const { before } = this;
    this.before = reading;
    this.noteExactness(errorMs ?? halfTripMs, source);
    if (this.originMs === null || before === null) return;
    const until = (reading.atMs - this.originMs) / 1_000;
    const second = Math.max(0, (before.atMs - this.originMs) / 1_000);
    if (until - second < MIN_WIDTH_SECONDS) return;
    const values = this.instances.admitValues(collectValues(before, reading, source.catalogue));
    this.sink.onPoint(this.info, { second, width: until - second, values });
  }

  /** Notes the clock error: the largest one so far applies to all readings. */
  private noteExactness(errorMs: number, source: MonitorSource): void {
    const limits = source.limits?.() ?? [];
    const worst = Math.max(this.info.errorMs ?? 0, errorMs);
    const isNew = this.originMs !== null && worst > (this.info.errorMs ?? 0) * 1.5;
    if (isNew || JSON.stringify(limits) !== JSON.stringify(this.info.limits)) this.changeInfo({ errorMs: worst, limits });
  }

  private loseSource(thrown: unknown): void {
    this.source?.close();
    this.source = null;
    this.before = null;
    this.openAgainAtMs = nowMs() + REOPEN_DELAY_MS;
    if (this.ended) return;
    const { message } = toProblem(thrown);
    const state = this.info.state === 'watching' || this.info.state === 'lost' ? 'lost' : 'unavailable';
    if (state !== this.info.state || message !== this.info.problem) this.changeInfo({ state, problem: message });
  }

  private changeInfo(changes: Partial<MonitorInfo>): void {
    this.info = { ...this.info, ...changes };
    this.sink.onInfo(this.info);
  }
}
