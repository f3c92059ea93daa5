import { clockOffset, type ClockReading } from '#core/plan/hosts/places.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import { MachineReader, parseFacts } from '#core/machines/monitors/machine/reader.ts';
import type { MonitorLimit } from '#core/machines/monitors/result.ts';
import { keptName, type MonitorOf } from '#core/plan/schema/monitors.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { notLinux } from '../problems.ts';
import type { MonitorSource, SourceReading } from '../source.ts';
import { type AskedShell, shellHere, shellThere } from './askedShell.ts';

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
 * Begins to read a machine: `connection`, or this computer. Throws `HOST_LOST`, `MONITOR_ENDED`, `MONITOR_SILENT` or `MONITOR_NOT_LINUX`.
 */
export async function openMachine({ processes, containers }: Spec, connection: SshConnection | null): Promise<MonitorSource> {
  const kept = processes.map(keptName);
  const shell = connection === null ? shellHere(kept) : await shellThere(connection, kept);
  try {
    const facts = parseFacts(await shell.greeting());
    if (!facts.isLinux) throw notLinux(connection?.label ?? 'This computer');
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
  private readonly shell: AskedShell;
  private readonly reader: MachineReader;
  private readonly watchesContainers: boolean;
  private clockReadings: ClockReading[] = [];
  private lookAtMs = 0;
  private listAtMs = 0;
  private namesAsked = 0;

  constructor(shell: AskedShell, reader: MachineReader, watchesContainers: boolean) {
    this.shell = shell;
    this.reader = reader;
    this.watchesContainers = watchesContainers;
  }

  async begin(): Promise<void> {
    await this.look();
    await this.list();
  }

  async read(): Promise<SourceReading> {
    const { text, askedMs, answeredMs } = await this.shell.ask('r');
    const { reading, uptimeSeconds } = this.reader.take(text);
    // Occasional questions come after the reading, so readings stay a second apart. The next reading reports a lost connection.
    if (answeredMs >= this.lookAtMs) this.look().catch(() => {});
    if (answeredMs >= this.listAtMs) this.list().catch(() => {});
    return { ...reading, ...this.instantOf(askedMs, answeredMs, uptimeSeconds) };
  }

  limits(): MonitorLimit[] {
    return this.reader.limits();
  }

  close(): void {
    this.shell.close();
  }

  /**
   * Returns when the machine was read, on our clock. The machine's own clock decides, with the offset of the shortest round trips. The
   * result is between question and response, so a slow response does not shift its reading.
   */
  private instantOf(askedMs: number, answeredMs: number, uptimeSeconds: number | null): { atMs: number; errorMs: number } {
    const halfTripMs = (answeredMs - askedMs) / 2;
    const thereMs = (uptimeSeconds ?? Number.NaN) * 1_000 + UPTIME_STEP_MS / 2;
    if (uptimeSeconds !== null) this.clockReadings = [...this.clockReadings, { askedMs, answeredMs, thereMs }].slice(-CLOCK_READINGS);
    const offset = clockOffset(this.clockReadings);
    if (uptimeSeconds === null || offset === null) return { atMs: askedMs + halfTripMs, errorMs: halfTripMs };
    const atMs = Math.min(answeredMs, Math.max(askedMs, thereMs - offset.aheadMs));
    return { atMs, errorMs: Math.min(halfTripMs, offset.errorMs + UPTIME_STEP_MS) };
  }

  private async look(): Promise<void> {
    this.lookAtMs = Number.POSITIVE_INFINITY;
    const { text, answeredMs } = await this.shell.ask(this.watchesContainers ? 'p' : 'l');
    this.reader.takeLinks(text);
    this.lookAtMs = answeredMs + SEARCH_INTERVAL_MS;
    // The engine is asked once per new container: its command takes longer than everything else.
    const nameless = this.reader.namelessContainers();
    if (nameless === 0 || nameless === this.namesAsked) return;
    this.namesAsked = nameless;
    this.reader.takeNames((await this.shell.ask('n')).text);
  }

  private async list(): Promise<void> {
    this.listAtMs = Number.POSITIVE_INFINITY;
    const { text, askedMs, answeredMs } = await this.shell.ask('s');
    this.reader.takeSockets(text);
    this.listAtMs =
      answeredMs + Math.min(MAX_LIST_INTERVAL_MS, Math.max(MIN_LIST_INTERVAL_MS, (answeredMs - askedMs) / MAX_LIST_TIME_SHARE));
  }
}
