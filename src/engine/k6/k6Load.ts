import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toProblem } from '#core/base/errors.ts';
import type { ExportedFile } from '#core/export/exported.ts';
import { K6SampleReader } from '#core/k6/sampleReader.ts';
import { SYSTEM_TAGS } from '#core/k6/samples.ts';
import { K6Windows } from '#core/k6/k6Windows.ts';
import { mainModule } from '#core/k6/mainModule.ts';
import { WallClock } from '#core/k6/virtualUsers.ts';
import { correctPlanned, countPlannedJourneys } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { formatCount } from '#core/base/units.ts';
import { type EngineEnd, type EngineSink, type LoadJob, hrtimeUs } from '../engine.ts';
import { NoResponseGuard, SafetyGuard, requestLimitReached, timeLimitReached } from '../guards.ts';
import { LoadTally, type LoadEnding, countSettled, stageSpans, type StageTime } from '../loadTally.ts';
import { makeOwnFolder, removeOwnFolder, sweepOwnFolders } from '../ownFolder.ts';
import type { K6Program } from './findK6.ts';
import { K6Log, k6NotStarted, K6Process, problemOfExit } from './k6Process.ts';
import { K6Readings } from './k6Readings.ts';

const TICK_MS = 250;
const SCRIPT_FILE = 'script.js';
/** Makes k6 read its main module from standard input: the module contains secrets, which must not be in a file or in an environment. */
const STANDARD_INPUT = '-';
/** File name of the certificate authority that the plan trusts, as in the exported script. */
const AUTHORITY_FILE = 'ca.pem';

/** The script for k6, its files, and the values that the script reads from `__ENV`. */
interface K6Script {
  readonly script: string;
  readonly files: readonly ExportedFile[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What k6 does not report; docs/k6.md has the details. */
const NOT_REPORTED_MESSAGE =
  'k6 sent this load. It does not report schedule lag: response times count from the actual start. It also does not report body lengths, bytes of single steps among several, or response samples.';

/** A load that k6 sends. Starts k6, converts its samples into windows, and ends it. */
export class K6Load {
  private readonly job: LoadJob;
  private readonly program: K6Program;
  private readonly script: K6Script;
  private readonly sink: EngineSink;
  private readonly windows: K6Windows;
  private readonly reader: K6SampleReader;
  private readonly clock = new WallClock();
  private readonly log = new K6Log();
  private readonly safetyGuard: SafetyGuard;
  private readonly noResponseGuard = new NoResponseGuard();
  private readonly tally = new LoadTally();
  private k6: K6Process | null = null;
  private readings: K6Readings | null = null;
  private folder: string | null = null;
  private begun = false;
  private requests = 0;

  constructor(job: LoadJob, program: K6Program, script: K6Script, sink: EngineSink) {
    this.job = job;
    this.program = program;
    this.script = script;
    this.sink = sink;
    this.windows = new K6Windows(job.plan);
    this.reader = new K6SampleReader(this.windows, (atUs) => this.clock.steady(atUs));
    this.safetyGuard = new SafetyGuard(job.plan.safety);
  }

  /** Resolves when k6 has ended and all its output is processed. Never rejects. */
  async run(): Promise<EngineEnd> {
    await sweepOwnFolders();
    const folder = await makeOwnFolder('k6').catch((thrown: unknown) => {
      this.endWith({ reason: 'failed', problem: toProblem(thrown) });
      return null;
    });
    if (folder === null) return this.close();
    this.folder = folder;
    const ticker = setInterval(() => this.tick(), TICK_MS);
    try {
      await this.writeFiles(folder);
      if (this.tally.ending === null) await this.runIn(folder);
    } catch (thrown) {
      this.endWith({ reason: 'failed', problem: toProblem(thrown) });
    } finally {
      clearInterval(ticker);
      await removeOwnFolder(folder).catch(() => {});
    }
    return this.close();
  }

  stop(): void {
    this.endWith({ reason: 'stopped', problem: null });
  }

  /**
   * Removes the files when the first journey begins: k6 then has them in memory, and rows of a feed may contain passwords. The certificate
   * authority stays: Go reads it at its first TLS connection, and it is not secret.
   */
  private async removeReadFiles(): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name !== AUTHORITY_FILE) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }

  private async writeFiles(folder: string): Promise<void> {
    const files: ExportedFile[] = [...this.script.files, { path: SCRIPT_FILE, content: this.script.script, encoding: 'utf8' }];
    for (const { path, content, encoding } of files) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content, { mode: 0o600, encoding });
    }
  }

  private mainModule(folder: string): string {
    const { script, environment } = this.script;
    return mainModule(script, pathToFileURL(join(folder, SCRIPT_FILE)).href, environment);
  }

  private async runIn(folder: string): Promise<void> {
    const k6 = new K6Process(
      this.program.path,
      this.args(),
      { cwd: folder, env: buildEnvironment(this.job.plan), input: this.mainModule(folder) },
      { onOutput: (text) => this.takeOutput(text), onLog: (line) => this.takeLog(line) },
    );
    this.k6 = k6;
    this.readings = new K6Readings(this.job.plan, k6.pid);
    const exit = await k6.done.catch((thrown: unknown) => {
      this.endWith({ reason: 'failed', problem: k6NotStarted(thrown) });
      return null;
    });
    this.k6 = null;
    this.reader.end();
    const problem = exit === null || this.tally.ending !== null ? null : problemOfExit(exit, this.log.lastError);
    if (problem !== null) this.endWith({ reason: 'failed', problem });
    await this.emitRemainingWindows();
  }

  /** Returns the arguments of the command. The options in the script define the load. */
  private args(): string[] {
    const { localAddresses } = this.job.plan.connections;
    return [
      'run',
      '--quiet',
      '--no-color',
      '--no-usage-report',
      // Holdfast evaluates the criteria of the plan.
      '--no-thresholds',
      '--log-format=json',
      '--address=',
      `--system-tags=${SYSTEM_TAGS.join(',')}`,
      ...(localAddresses === undefined ? [] : [`--local-ips=${localAddresses.join(',')}`]),
      '--out=json=-',
      STANDARD_INPUT,
    ];
  }

  private takeOutput(text: string): void {
    if (this.tally.ending?.reason === 'failed') return;
    this.nowUs();
    try {
      this.reader.push(text);
    } catch (thrown) {
      this.endWith({ reason: 'failed', problem: toProblem(thrown) });
      return;
    }
    if (!this.begun && this.windows.beganUs !== null) this.begin(this.windows.beganUs);
  }

  private takeLog(line: string): void {
    const text = this.log.take(line);
    if (text !== null) this.sink.onEvent({ second: this.secondNow(), kind: 'k6', text: `k6: ${text}` });
  }

  private begin(beganUs: number): void {
    this.begun = true;
    void this.removeReadFiles();
    this.sink.onEvent({ second: 0, kind: 'k6', text: NOT_REPORTED_MESSAGE });
    this.sink.onBegin?.(hrtimeUs() / 1_000 - (this.nowUs() - beganUs) / 1_000);
    this.readings?.start();
  }

  private tick(): void {
    if (!this.begun) return;
    const second = this.secondNow();
    this.readings?.look(second);
    this.reportStages(second);
    for (const window of this.windows.takeUntil(this.nowUs())) this.takeWindow(window);
    const { maxSeconds } = this.job.plan.safety;
    if (maxSeconds !== undefined && second >= maxSeconds) this.endWith({ reason: 'safety', problem: timeLimitReached(maxSeconds) });
    const last = this.windows.times(this.job.plan.load.stages.length - 1).to;
    if (last !== null && second >= last) this.reportDraining();
  }

  private reportStages(second: number): void {
    for (const stage of this.job.plan.load.stages.keys()) {
      const { from } = this.windows.times(stage);
      if (second < from) return;
      if (this.tally.beginStage(stage)) this.sink.onStage(stage, from);
    }
  }

  private takeWindow(window: Window): void {
    this.tally.add(window);
    for (const cell of window.cells) this.requests += cell.started;
    const reading = this.readings?.of(window);
    if (reading === undefined) return;
    window.overloadedBy = [...reading.overloadedBy];
    this.sink.onWindow(window, reading);
    if (this.tally.ending !== null) return;
    const { maxRequests } = this.job.plan.safety;
    const problem =
      this.noResponseGuard.add(window) ??
      this.safetyGuard.add(window) ??
      (maxRequests !== undefined && this.requests >= maxRequests ? requestLimitReached(maxRequests, maxRequests) : null);
    if (problem !== null) this.endWith({ reason: 'safety', problem });
  }

  /** Ends the run. Only the first reason to end counts. */
  private endWith(ending: LoadEnding): void {
    if (!this.tally.end(ending)) return;
    if (ending.problem !== null) this.sink.onEvent({ second: this.secondNow(), kind: ending.reason, text: ending.problem.message });
    if (this.begun) this.reportDraining();
    this.k6?.stop();
  }

  private reportDraining(): void {
    if (this.tally.drain()) this.sink.onDraining(this.secondNow());
  }

  /** Emits the remaining windows after k6 has ended. */
  private async emitRemainingWindows(): Promise<void> {
    const { readings } = this;
    if (readings === null) return;
    const rest = this.windows.takeAll();
    if (this.tally.ending === null && (await readings.waitUntilConstant())) {
      const last = rest.at(-1)?.second ?? this.tally.nextSecond;
      if (rest.length === 0) rest.push(emptyWindow(last, 1));
      readings.now(last);
    }
    readings.stop();
    this.addNotStarted(rest);
    for (const window of rest) this.takeWindow(window);
    this.reportUnknowns();
  }

  private addNotStarted(rest: Window[]): void {
    const { plan } = this.job;
    const planned = countPlannedJourneys(plan);
    if (planned === null) return;
    const settledCount = rest.reduce((sum, window) => sum + countSettled(window), this.tally.journeysSettled);
    const missing = this.correctPlanned(plan, planned, settledCount) - settledCount;
    if (missing <= 0) return;
    const last = rest.at(-1) ?? emptyWindow(this.tally.nextSecond, 1);
    if (rest.length === 0) rest.push(last);
    if (this.tally.ending === null) last.journeys.notStartedGenerator += missing;
    else last.journeys.notStartedStopped += missing;
  }

  private correctPlanned(plan: Plan, planned: number, settledCount: number): number {
    return this.tally.ending === null ? correctPlanned(plan, planned, settledCount, plan.load.stages.length) : planned;
  }

  /** Reports what k6 did not report in this run. docs/k6.md lists what it never reports. */
  private reportUnknowns(): void {
    const { running, foreignRequests } = this.windows;
    const second = this.secondNow();
    if (running > 0)
      this.sink.onEvent({
        second,
        kind: 'k6',
        text: `k6 broke off ${formatCount(running)} journeys at its end. Their outstanding requests are unknown: k6 does not report them.`,
      });
    if (foreignRequests > 0)
      this.sink.onEvent({
        second,
        kind: 'k6',
        text: `${formatCount(foreignRequests)} requests belong to no step of the plan and are in no figure.`,
      });
  }

  private close(): EngineEnd {
    const ending = this.tally.ending ?? { reason: 'completed', problem: null };
    const endedAtSecond = this.begun || this.tally.nextSecond > 0 ? this.endSecond(ending) : 0;
    return {
      ...ending,
      endedAtSecond,
      firstBodyLengths: this.windows.requestKinds.map(() => null),
      serverSoftware: null,
      addresses: {},
      silentAddresses: {},
      leftOut: {},
      stages: stageSpans(this.stageTimes(), endedAtSecond),
    };
  }

  /** Returns the second in which the load ended. A completed load lasted at least as long as its plan says. */
  private endSecond({ reason }: LoadEnding): number {
    const last = this.windows.times(this.job.plan.load.stages.length - 1).to ?? 0;
    return reason === 'completed' ? Math.max(last, this.windows.lastSecond) : this.windows.lastSecond;
  }

  private stageTimes(): StageTime[] {
    return this.job.plan.load.stages.map((_, stage) => {
      const { from, to } = this.windows.times(stage);
      return { fromSecond: from, toSecond: to };
    });
  }

  /** Returns the time on the wall clock that stamps the samples, ignoring steps of this clock. */
  private nowUs(): number {
    this.clock.readClocks(Date.now() * 1_000, hrtimeUs());
    return this.clock.nowUs;
  }

  private secondNow(): number {
    const { beganUs } = this.windows;
    return beganUs === null ? 0 : Math.max(0, (this.nowUs() - beganUs) / 1_000_000);
  }
}

/**
 * Returns the environment variables for k6, in addition to those that every program gets. Like Holdfast, k6 uses HTTP/1.1 unless the plan
 * wants HTTP/2, and trusts the plan's certificate authority.
 */
function buildEnvironment({ tls, connections }: Plan): NodeJS.ProcessEnv {
  const own = connections.protocol === 'h2' ? [] : ['http2client=0'];
  const debug = [process.env['GODEBUG'], ...own].filter((setting) => setting !== undefined).join(',');
  return { GODEBUG: debug, ...(tls.ca === undefined ? {} : { SSL_CERT_FILE: AUTHORITY_FILE }) };
}
