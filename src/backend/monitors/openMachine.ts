import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { clockOffset, type ClockReading } from '#core/plan/hosts/generatorNames.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import { MachineReader, parseFacts } from '#core/machines/monitors/machine/reader.ts';
import type { MonitorLimit } from '#core/machines/monitors/result.ts';
import { normalizeProgramName, type MonitorOf } from '#core/plan/schema/monitors.ts';
import type { SshConnection } from '../remote/ssh/connection.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { MACHINE_END_LINE, MACHINE_BEGIN_LINE, MACHINE_SCRIPT } from '#core/machines/monitors/machine/script.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { shellQuoted } from '../remote/host/clock.ts';
import { type MonitorSource, type SourceReading, nowMs } from './source.ts';

/** Interval between searches for programs, containers and links. */
const SEARCH_INTERVAL_MS = 10_000;
/** Listing sockets takes at most 1/200 of the time, and happens at most once per `MIN_LIST_INTERVAL_MS`. */
const MIN_LIST_INTERVAL_MS = 2_000;
const MAX_LIST_INTERVAL_MS = 60_000;
const MAX_LIST_TIME_SHARE = 1 / 200;
/** Number of readings whose round trips set the offset of the machine's clock. */
const CLOCK_READINGS = 30;
/** Resolution of /proc/uptime, which rounds down. */
const UPTIME_STEP_MS = 10;

type Spec = Pick<MonitorOf<'machine'>, 'processes' | 'containers'>;

/**
 * Opens a monitor of a machine: the host of `connection`, or this computer. Throws `HOST_LOST`, `MONITOR_ENDED`, `MONITOR_SILENT` or
 * `MONITOR_NOT_LINUX`.
 */
export async function openMachine({ processes, containers }: Spec, connection: SshConnection | null): Promise<MonitorSource> {
  const programNames = processes.map(normalizeProgramName);
  const shell = connection === null ? openLocalShell(programNames) : await openRemoteShell(connection, programNames);
  try {
    const facts = parseFacts(await shell.greeting());
    if (!facts.isLinux) throw notLinuxError(connection?.label ?? 'This computer');
    const machine = new Machine(shell, new MachineReader(facts, processes), containers !== 'none');
    await machine.begin();
    return machine;
  } catch (thrown) {
    shell.close();
    throw thrown;
  }
}

class Machine implements MonitorSource {
  readonly catalogue = MACHINE_CATALOGUE;
  private readonly shell: MonitorShell;
  private readonly reader: MachineReader;
  private readonly watchesContainers: boolean;
  private clockReadings: ClockReading[] = [];
  private lookAtMs = 0;
  private listAtMs = 0;
  private namesAsked = 0;

  constructor(shell: MonitorShell, reader: MachineReader, watchesContainers: boolean) {
    this.shell = shell;
    this.reader = reader;
    this.watchesContainers = watchesContainers;
  }

  async begin(): Promise<void> {
    await this.findContainers();
    await this.listProcesses();
  }

  async read(): Promise<SourceReading> {
    const { text, askedMs, repliedMs } = await this.shell.ask('r');
    const { reading, uptimeSeconds } = this.reader.take(text);
    // Searches and lists follow the reading, so that readings stay a second apart. A lost connection is reported by the next reading.
    if (repliedMs >= this.lookAtMs) this.findContainers().catch(() => {});
    if (repliedMs >= this.listAtMs) this.listProcesses().catch(() => {});
    return { ...reading, ...this.getInstant(askedMs, repliedMs, uptimeSeconds) };
  }

  limits(): MonitorLimit[] {
    return this.reader.limits();
  }

  close(): void {
    this.shell.close();
  }

  /**
   * Returns when the machine was read, on this process's clock. The time is computed from the machine's own clock and the clock offset of
   * the shortest round trips, and limited to the time between question and response. A slow response therefore does not shift its reading.
   */
  private getInstant(askedMs: number, repliedMs: number, uptimeSeconds: number | null): { atMs: number; errorMs: number } {
    const halfTripMs = (repliedMs - askedMs) / 2;
    const thereMs = (uptimeSeconds ?? Number.NaN) * 1_000 + UPTIME_STEP_MS / 2;
    if (uptimeSeconds !== null) this.clockReadings = [...this.clockReadings, { askedMs, repliedMs, thereMs }].slice(-CLOCK_READINGS);
    const offset = clockOffset(this.clockReadings);
    if (uptimeSeconds === null || offset === null) return { atMs: askedMs + halfTripMs, errorMs: halfTripMs };
    const atMs = Math.min(repliedMs, Math.max(askedMs, thereMs - offset.aheadMs));
    return { atMs, errorMs: Math.min(halfTripMs, offset.errorMs + UPTIME_STEP_MS) };
  }

  private async findContainers(): Promise<void> {
    this.lookAtMs = Number.POSITIVE_INFINITY;
    const { text, repliedMs } = await this.shell.ask(this.watchesContainers ? 'p' : 'l');
    this.reader.takeLinks(text);
    this.lookAtMs = repliedMs + SEARCH_INTERVAL_MS;
    // The container engine is asked once per new container, because its command takes longer than all other questions together.
    const nameless = this.reader.namelessContainers();
    if (nameless === 0 || nameless === this.namesAsked) return;
    this.namesAsked = nameless;
    this.reader.takeNames((await this.shell.ask('n')).text);
  }

  private async listProcesses(): Promise<void> {
    this.listAtMs = Number.POSITIVE_INFINITY;
    const { text, askedMs, repliedMs } = await this.shell.ask('s');
    this.reader.takeSockets(text);
    this.listAtMs = repliedMs + Math.min(MAX_LIST_INTERVAL_MS, Math.max(MIN_LIST_INTERVAL_MS, (repliedMs - askedMs) / MAX_LIST_TIME_SHARE));
  }
}

/** Maximum size of a response. A list of 28,000 sockets takes some megabytes. All other responses are far smaller. */
const MAX_REPLY_BYTES = 8_000_000;
const REPLY_TIMEOUT_SECONDS = 10;
const END = Buffer.from(`${MACHINE_END_LINE}\n`);
const LINE_FEED = 10;
const EMPTY = Buffer.alloc(0);

/** What each question asks for, for errors about missing responses. */
const QUESTIONS = {
  r: 'report its state',
  p: 'look for its programs and containers',
  l: 'look for its programs',
  s: 'list its sockets',
  n: 'list its containers',
} as const;
type Question = keyof typeof QUESTIONS;
const GREETING = 'start the reading script';

interface ShellResponse {
  readonly text: string;
  readonly askedMs: number;
  readonly repliedMs: number;
}

interface Pipes {
  readonly input: Writable;
  readonly output: Readable;
  close(): void;
}

interface Waiting {
  readonly what: string;
  take(text: string): void;
  reject(problem: HoldfastError): void;
}

/** Runs the monitoring script on a machine and asks it questions, one after the other. */
export class MonitorShell {
  private readonly label: string;
  private readonly pipes: Pipes;
  private readonly maxMs: number;
  private readonly waiting: Waiting[] = [];
  private late: NodeJS.Timeout | undefined;
  private chunks: Buffer[] = [];
  /** Last bytes received. They may hold the first part of an end marker. */
  private tail: Buffer = EMPTY;
  private bytes = 0;
  private problem: HoldfastError | null = null;

  /** `maxMs`: maximum time for each response, from when its question is due. */
  constructor(label: string, pipes: Pipes, maxMs: number = REPLY_TIMEOUT_SECONDS * 1_000) {
    this.label = label;
    this.pipes = pipes;
    this.maxMs = maxMs;
    pipes.output.on('data', (chunk: Buffer) => this.receive(chunk));
    pipes.output.on('close', () => this.fail(shellEnded(label)));
    for (const pipe of [pipes.input, pipes.output]) pipe.on('error', () => this.fail(shellEnded(label)));
  }

  /** Returns the first text of the script, before any question. */
  greeting(): Promise<string> {
    return this.response(GREETING);
  }

  async ask(question: Question): Promise<ShellResponse> {
    const response = this.response(QUESTIONS[question]);
    const askedMs = nowMs();
    if (this.problem === null) this.pipes.input.write(`${question}\n`);
    const text = await response;
    return { text, askedMs, repliedMs: nowMs() };
  }

  close(): void {
    this.fail(shellEnded(this.label));
  }

  /** Rejects this and every later question with this problem. */
  fail(problem: HoldfastError): void {
    if (this.problem !== null) return;
    this.problem = problem;
    this.chunks = [];
    clearTimeout(this.late);
    for (const { reject } of this.waiting.splice(0)) reject(problem);
    this.pipes.close();
  }

  private response(what: string): Promise<string> {
    if (this.problem !== null) return Promise.reject(this.problem);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.waiting.push({ what, take: resolve, reject });
    if (this.waiting.length === 1) this.watchFirst();
    return promise;
  }

  /** Starts the time limit of the first outstanding question, because its time begins when all earlier responses have arrived. */
  private watchFirst(): void {
    clearTimeout(this.late);
    const [first] = this.waiting;
    if (first === undefined) return;
    // Timers run before I/O events. If the event loop was blocked, the response may already have arrived, so it is read first.
    this.late = setTimeout(() => {
      setImmediate(() => {
        if (this.waiting[0] === first) this.fail(shellSilent(this.label, this.maxMs / 1_000, first.what));
      });
    }, this.maxMs);
  }

  private receive(chunk: Buffer): void {
    if (this.problem !== null) return;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > MAX_REPLY_BYTES) return this.fail(tooMuchOutput(this.label, MAX_REPLY_BYTES));
    const edge = Buffer.concat([this.tail, chunk]);
    this.tail = edge.subarray(1 - END.length);
    // Joining megabytes for each chunk would take quadratic time.
    if (!edge.includes(END)) return;
    let rest: Buffer = Buffer.concat(this.chunks);
    // Several questions may be outstanding, and their responses may arrive in one chunk.
    for (let end = endOf(rest); end >= 0; end = endOf(rest)) {
      const text = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + END.length);
      this.waiting.shift()?.take(text);
      this.watchFirst();
    }
    this.chunks = rest.length === 0 ? [] : [rest];
    this.tail = rest.subarray(1 - END.length);
    this.bytes = rest.length;
  }
}

/** Returns where the line that ends a response begins, or -1 if there is none. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.indexOf(END); at >= 0; at = bytes.indexOf(END, at + 1)) if (at === 0 || bytes[at - 1] === LINE_FEED) return at;
  return -1;
}

/** Starts the script on this computer. */
function openLocalShell(programs: readonly string[]): MonitorShell {
  const child = spawn('sh', ['-c', MACHINE_SCRIPT, MACHINE_BEGIN_LINE, ...programs], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: childEnvironment(),
  });
  const shell = new MonitorShell('This computer', { input: child.stdin, output: child.stdout, close: () => void child.kill('SIGKILL') });
  child.on('error', () => shell.fail(shellEnded('This computer')));
  return shell;
}

/** Starts the script on a host. The script ends with its channel, even if this process crashes. Throws `HOST_LOST`. */
async function openRemoteShell(connection: SshConnection, programs: readonly string[]): Promise<MonitorShell> {
  const words = [MACHINE_SCRIPT, MACHINE_BEGIN_LINE, ...programs].map(shellQuoted).join(' ');
  const channel = await connection.start(`exec sh -c ${words}`);
  channel.stderr.resume();
  const shell = new MonitorShell(connection.label, {
    input: channel,
    output: channel,
    close() {
      channel.end();
      channel.destroy();
    },
  });
  connection.onLost((problem) => shell.fail(problem));
  return shell;
}

function shellEnded(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_ENDED',
    message: `The monitor of ${label} has ended.`,
    hint: 'It was killed there, or the host closed the connection. Holdfast retries every few seconds.',
  });
}

/** `what`: what the question asked the machine to do. */
function shellSilent(label: string, seconds: number, what: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SILENT',
    message: `${label} has not responded for ${seconds} s to a request to ${what}.`,
    hint: 'The machine is overloaded or unreachable. Holdfast retries every few seconds.',
  });
}

function tooMuchOutput(label: string, bytes: number): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SAYS_TOO_MUCH',
    message: `${label} sent more than ${bytes / 1_000_000} MB.`,
    hint: 'Probably something other than the monitoring script writes this: check what its start-up files print.',
  });
}

function notLinuxError(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_NOT_LINUX',
    message: `${label} is not Linux and cannot be monitored.`,
    hint: 'Holdfast reads the files of Linux under /proc.',
  });
}
