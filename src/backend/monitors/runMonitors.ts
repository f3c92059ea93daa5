import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { lookUpHost } from '#backend/lookUp.ts';
import type { MonitorInfo } from '#core/machines/monitors/result.ts';
import type { Monitor } from '#core/plan/schema/monitors.ts';
import { type WatchedMonitor, listWatched } from '#core/machines/monitors/watched.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { type MonitorWay, nowMs, type MonitorSource } from './source.ts';
import { type MonitorSink, RunningMonitor } from './runningMonitor.ts';
import { openMachine } from './openMachine.ts';
import { openCacheHeaders, openNginx, openPrometheus } from './services/httpServices.ts';
import { openHaproxy, openRedis } from './services/socketServices.ts';
import { openMysql } from './services/mysql.ts';
import { openPostgres } from './services/postgres.ts';
import { openVarnish } from './services/varnish.ts';

const READING_INTERVAL_MS = 1_000;
/** Maximum time that the end of a run waits for the last readings. */
const MAX_LAST_READING_MS = 500;

export interface MonitorParts {
  /** Connects to a host. Throws the errors from connecting. */
  readonly enterHost: (name: string) => Promise<SshConnection>;
  readonly secret: MonitorWay['secret'];
}

export interface MonitorsOptions {
  readonly monitors: readonly Monitor[];
  /** Names of the hosts that generate the load; null is this computer. */
  readonly generators: readonly (string | null)[];
  /** Whether every monitor has to work when the run starts. Otherwise the run starts without the monitors that fail, and reports them. */
  readonly mustWork: boolean;
}

/** All monitors of a run, from before its start to its end. They are read once per second of the run, at whole seconds. */
export class RunMonitors {
  private readonly watched: readonly WatchedMonitor[];
  private readonly running: readonly RunningMonitor[];
  private readonly connections: HostConnections;
  private sink: MonitorSink | null = null;
  private readonly infos = new Map<number, MonitorInfo>();
  private originMs: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  private constructor({ monitors, generators }: MonitorsOptions, { enterHost, secret }: MonitorParts) {
    this.connections = new HostConnections(enterHost);
    this.watched = listWatched(monitors, generators);
    const sink: MonitorSink = {
      onPoint: (info, point) => this.sink?.onPoint(info, point),
      onInfo: (info) => {
        this.infos.set(info.number, info);
        this.sink?.onInfo(info);
      },
    };
    this.running = this.watched.map(({ monitor, info }) => {
      this.infos.set(info.number, info);
      return new RunningMonitor(info, async () => openMonitor(monitor, await this.findWay(monitor, secret)), sink);
    });
  }

  /** Opens all monitors at once. If a required monitor fails, closes all monitors and throws its error. */
  static async open(options: MonitorsOptions, parts: MonitorParts): Promise<RunMonitors> {
    const all = new RunMonitors(options, parts);
    const begun = await Promise.allSettled(
      all.running.map((monitor, number) => (all.isRequired(number, options) ? monitor.begin() : monitor.tick())),
    );
    const failed = begun.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return all;
    all.end();
    throw failed.reason;
  }

  /** Sets the sink for reports, and reports at once what is known so far. */
  attach(sink: MonitorSink): void {
    this.sink = sink;
    for (const info of this.infos.values()) sink.onInfo(info);
    this.schedule();
  }

  /** Sets when the run began, on the clock of `nowMs`. Only the first call counts. */
  runBegan(originMs: number): void {
    if (this.originMs !== null) return;
    this.originMs = originMs;
    for (const monitor of this.running) monitor.runBegan(originMs);
    this.schedule();
  }

  /** Reads the values since the last whole second, because runs seldom end on a whole second. */
  async readRest(): Promise<void> {
    const read = Promise.all(this.running.map((monitor) => monitor.readRest()));
    await Promise.race([read, after(MAX_LAST_READING_MS, undefined, { ref: false })]);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    for (const monitor of this.running) monitor.end();
    this.connections.close();
  }

  private isRequired(number: number, { mustWork }: MonitorsOptions): boolean {
    return mustWork && this.watched[number]?.info.role !== 'generator';
  }

  /** Schedules a reading for the next whole second of the run, or of the clock before the run starts. */
  private schedule(): void {
    clearTimeout(this.timer);
    if (this.ended) return;
    const sinceMs = nowMs() - (this.originMs ?? 0);
    const waitMs = sinceMs < 0 ? -sinceMs : READING_INTERVAL_MS - (sinceMs % READING_INTERVAL_MS);
    this.timer = setTimeout(() => {
      for (const monitor of this.running) void monitor.tick();
      this.schedule();
    }, waitMs);
  }

  private async findWay({ host }: Monitor, secret: MonitorWay['secret']): Promise<MonitorWay> {
    const connection = host === undefined ? null : await this.connections.connectionTo(host);
    return { connection, secret, connect: (address) => connectFrom(connection, address) };
  }
}

/** Keeps one connection per host, which its monitors share. A lost connection is replaced at the next use. */
class HostConnections {
  private readonly enterHost: MonitorParts['enterHost'];
  private readonly open = new Map<string, Promise<SshConnection>>();
  private closed = false;

  constructor(enterHost: MonitorParts['enterHost']) {
    this.enterHost = enterHost;
  }

  connectionTo(host: string): Promise<SshConnection> {
    const known = this.open.get(host);
    if (known !== undefined) return known;
    const entering = this.enterHost(host);
    this.open.set(host, entering);
    const forget = (): void => {
      if (this.open.get(host) === entering) this.open.delete(host);
    };
    entering.then((connection) => {
      connection.onLost(forget);
      if (this.closed) connection.close();
    }, forget);
    return entering;
  }

  close(): void {
    this.closed = true;
    for (const entering of this.open.values())
      entering.then(
        (connection) => connection.close(),
        () => {},
      );
  }
}

/** Connects to `host:port`, `[address]:port` or a socket path, from this computer or from a host. */
export async function connectFrom(connection: SshConnection | null, address: string): Promise<Duplex> {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  if (connection !== null) return host === undefined ? connection.openSocket(address) : connection.openWay(host, Number(port));
  const socket = host === undefined ? connect(address) : connect({ port: Number(port), host, lookup: lookUpHost });
  try {
    await once(socket, 'connect');
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** Opens the source of a monitor in the plan. Throws a HoldfastError with the cause and what to do. */
async function openMonitor(monitor: Monitor, way: MonitorWay): Promise<MonitorSource> {
  switch (monitor.kind) {
    case 'machine':
      return openMachine(monitor, way.connection);
    case 'nginx':
      return openNginx(monitor, way);
    case 'varnish':
      return openVarnish(monitor, way);
    case 'haproxy':
      return openHaproxy(monitor, way);
    case 'redis':
      return openRedis(monitor, way);
    case 'postgres':
      return openPostgres(monitor, way);
    case 'mysql':
      return openMysql(monitor, way);
    case 'prometheus':
      return openPrometheus(monitor, way);
    case 'cacheHeaders':
      return openCacheHeaders(monitor, way);
    default:
      return monitor satisfies never;
  }
}
