import { normalizeProgramName } from '#core/plan/schema/monitors.ts';
import { countByState, parsePortRange, parseSocketGroups, countPorts, type SocketGroup } from '#core/machines/hosts/sockets.ts';
import { addCount } from '#core/base/lists.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import { keyOf, type MonitorReading, type MonitorLimit } from '../result.ts';
import { MACHINE_CHARTS } from './catalogue.ts';
import { MACHINE_BEGIN_LINE } from './script.ts';
import { type MachineSample, parseSample, type ProcessSample } from './parseSample.ts';
import { hostAndPort } from '#core/base/hostAndPort.ts';

/** Maximum number of cores for which a chart shows each core. With more, it would be unreadable. */
const MAX_CORES = 64;
const MAX_LINKS = 8;
const MAX_DESTINATIONS = 5;
const BITS_PER_MEGABIT = 1_000_000;
const CONTAINER_ID = /[0-9a-f]{64}/;

/** Facts that the script reports when it starts. */
export interface MachineFacts {
  readonly isLinux: boolean;
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** Number of outgoing ports per destination; null if unknown. */
  readonly outgoingPorts: number | null;
}

/** Parses the facts after the mark. Output of shell start-up files precedes the mark. */
export function parseFacts(text: string): MachineFacts {
  const facts = text.slice(Math.max(0, text.lastIndexOf(MACHINE_BEGIN_LINE)));
  const readFact = (name: string): string => new RegExp(`^${name} (.+)$`, 'm').exec(facts)?.[1] ?? '';
  const ports = parsePortRange(readFact('ports'));
  return {
    isLinux: readFact('system') === 'Linux',
    ticksPerSecond: Number(readFact('tick')) || 100,
    pageBytes: Number(readFact('page')) || 4_096,
    outgoingPorts: ports === null ? null : countPorts(ports),
  };
}

/** Combines the replies of the script, and keeps those that are requested less often than every second. */
export class MachineReader {
  private readonly facts: MachineFacts;
  private groups: readonly SocketGroup[] | null = null;
  private links: ReadonlyMap<string, number | null> = new Map();
  private readonly programs: ReadonlyMap<string, string>;
  private names: ReadonlyMap<string, string> = new Map();
  private nameless = 0;
  private totalMemory: number | null = null;
  private readonly ticksOfPids = new Map<number, number>();
  private readonly secondsOfPrograms = new Map<string, number>();

  /** `programs`: full names, because Linux truncates process names. */
  constructor(facts: MachineFacts, programs: readonly string[] = []) {
    this.facts = facts;
    this.programs = new Map(programs.map((program) => [normalizeProgramName(program), program]));
  }

  /** Reads the reply to `p`: links with their speed in Mbit/s. Virtual links report none or −1. */
  takeLinks(text: string): void {
    this.links = new Map(
      [...text.matchAll(/^link (\S+) ?(-?\d*)$/gm)].map(([, name = '', speed]) => [
        name,
        Number(speed) > 0 ? Number(speed) * BITS_PER_MEGABIT : null,
      ]),
    );
  }

  /** Reads the reply to `s`, which is empty if the machine cannot list sockets. */
  takeSockets(text: string): void {
    const groups = parseSocketGroups(text);
    this.groups = groups.length === 0 ? null : groups;
  }

  /** Reads the reply to `n`: names of containers by id. */
  takeNames(text: string): void {
    this.names = new Map([...text.matchAll(/^named ([0-9a-f]{12,64}) (\S+)$/gm)].map(([, id = '', name = '']) => [id, name]));
  }

  /** Returns the number of containers in the last reading whose name is unknown. */
  namelessContainers(): number {
    return this.nameless;
  }

  /** Returns the limit lines of the charts, as far as known. */
  limits(): MonitorLimit[] {
    const memory = this.totalMemory === null ? [] : [{ chart: MACHINE_CHARTS.memory, value: this.totalMemory, words: 'total' }];
    const links = [...this.links].flatMap(([name, bitsPerSecond]) =>
      bitsPerSecond === null
        ? []
        : [{ chart: MACHINE_CHARTS.network, value: bitsPerSecond / 8, words: `speed of ${name}`, instance: name }],
    );
    const { outgoingPorts } = this.facts;
    const ports =
      outgoingPorts === null ? [] : [{ chart: MACHINE_CHARTS.holders, value: outgoingPorts, words: 'all ports for one destination' }];
    return [...memory, ...links, ...ports];
  }

  /** Reads the reply to `r`. */
  take(text: string): { readonly reading: MonitorReading; readonly uptimeSeconds: number | null } {
    const read = parseSample(text);
    const processes = read.processes.map((one) => ({ ...one, name: this.programs.get(one.name) ?? one.name }));
    const sample = { ...read, processes };
    this.totalMemory = sample.memory?.totalBytes ?? this.totalMemory;
    const gauges: Record<string, number> = {};
    const counters: Record<string, number> = {};
    const keep = (into: Record<string, number>, key: string, value: number | null | undefined): void => {
      if (value !== null && value !== undefined && Number.isFinite(value)) setOwn(into, key, value);
    };
    keep(gauges, 'load.oneMinute', sample.loadOneMinute);
    keep(gauges, 'memory.used', sample.memory?.usedBytes);
    keep(gauges, 'memory.swap', sample.memory?.swapBytes);
    keep(gauges, 'timeWait.all', sample.timeWait);
    keep(gauges, 'sockets.established', sample.established);
    keep(counters, 'tcp.retransmitted', sample.retransmitted);
    keep(counters, 'tcp.listenDrops', sample.listenDrops);
    keep(counters, 'tcp.listenOverflows', sample.listenOverflows);
    for (const [key, value] of Object.entries(collectTicks(sample))) keep(counters, key, value);
    for (const { name, received, sent } of chooseLinks(sample.links)) {
      setOwn(counters, keyOf('net.in', name), received);
      setOwn(counters, keyOf('net.out', name), sent);
    }
    for (const [key, value] of Object.entries({ ...countSockets(this.groups), ...this.sumMemory(sample.processes) }))
      keep(gauges, key, value);
    this.countTicks(sample.processes);
    for (const [name, seconds] of this.secondsOfPrograms) setOwn(counters, keyOf('process.cpu', name), seconds);
    for (const { name, cpuSeconds, memoryBytes } of sample.containers) {
      const called = this.nameOf(name);
      keep(counters, keyOf('container.cpu', called), cpuSeconds);
      keep(gauges, keyOf('container.memory', called), memoryBytes);
    }
    this.nameless = sample.containers.filter(
      ({ name }) => CONTAINER_ID.test(name) && !this.names.has(CONTAINER_ID.exec(name)?.[0] ?? ''),
    ).length;
    return { reading: { gauges, counters }, uptimeSeconds: sample.uptimeSeconds };
  }

  /**
   * Adds each process's processor time since its previous reading, because the sum of the counters would fall when a process ends. Time
   * before a process was first seen does not count.
   */
  private countTicks(processes: readonly ProcessSample[]): void {
    const seen = new Set(processes.map(({ pid }) => pid));
    for (const { pid, name, ticks } of processes) {
      const grown = Math.max(0, ticks - (this.ticksOfPids.get(pid) ?? ticks));
      this.secondsOfPrograms.set(name, (this.secondsOfPrograms.get(name) ?? 0) + grown / this.facts.ticksPerSecond);
      this.ticksOfPids.set(pid, ticks);
    }
    for (const pid of this.ticksOfPids.keys()) if (!seen.has(pid)) this.ticksOfPids.delete(pid);
    // A program without a process is forgotten. If a process of the program starts later, its processor time before the first reading is
    // unknown.
    const running = new Set(processes.map(({ name }) => name));
    for (const name of this.secondsOfPrograms.keys()) if (!running.has(name)) this.secondsOfPrograms.delete(name);
  }

  private sumMemory(processes: readonly ProcessSample[]): Record<string, number> {
    const bytes: Record<string, number> = {};
    for (const { name, residentPages } of processes) {
      const key = keyOf('process.memory', name);
      addCount(bytes, key, residentPages * this.facts.pageBytes);
    }
    return bytes;
  }

  /** Returns the container name for `docker-0123….scope`, or the start of its id if the name is unknown. */
  private nameOf(group: string): string {
    const [id] = CONTAINER_ID.exec(group) ?? [];
    if (id === undefined) return group.replace(/\.scope$/, '');
    return this.names.get(id) ?? id.slice(0, 12);
  }
}

function collectTicks({ cpu, cores }: MachineSample): Record<string, number> {
  const counters: Record<string, number> = {};
  if (cpu !== null) {
    counters['ticks.all'] = cpu.all;
    counters['ticks.used'] = cpu.used;
    counters['ticks.stolen'] = cpu.stolen;
    counters['ticks.ioWait'] = cpu.ioWait;
  }
  if (cores.size > MAX_CORES) return counters;
  for (const [core, ticks] of cores) {
    setOwn(counters, keyOf('coreTicks.all', core), ticks.all);
    setOwn(counters, keyOf('coreTicks.used', core), ticks.used);
  }
  return counters;
}

/** Returns links with traffic. Links of container networks are left out, because they repeat traffic of the machine. */
function chooseLinks(links: MachineSample['links']): MachineSample['links'] {
  return links
    .filter(({ name, received, sent }) => received + sent > 0 && !/^(?:veth|br-|docker|virbr|cni|flannel|cali)/.test(name))
    .slice(0, MAX_LINKS);
}

function countSockets(groups: readonly SocketGroup[] | null): Record<string, number> {
  if (groups === null) return {};
  const all = countByState(groups);
  const [connecting, accepting, unclear] = [
    countByState(groups, 'connecting'),
    countByState(groups, 'accepting'),
    countByState(groups, 'unclear'),
  ];
  const sum = (...counts: readonly (number | undefined)[]): number => counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  return {
    'timeWait.connecting': sum(connecting.timeWait),
    'timeWait.accepting': sum(accepting.timeWait),
    'timeWait.unclear': sum(unclear.timeWait),
    'sockets.connecting': sum(connecting.established),
    'sockets.accepting': sum(accepting.established),
    'sockets.handshake': sum(all.synSent, all.synReceived, all.newSynReceived),
    'sockets.closeWait': sum(all.closeWait),
    'sockets.closing': sum(all.finWait1, all.finWait2, all.lastAck, all.closing),
    ...countTimeWait(groups),
  };
}

/** Returns the destinations with the most ports in TIME_WAIT. */
function countTimeWait(groups: readonly SocketGroup[]): Record<string, number> {
  const byService = new Map<string, number>();
  for (const { state, end, service, count } of groups) {
    if (state !== 'timeWait' || end !== 'connecting') continue;
    const name = hostAndPort(service.address, service.port);
    byService.set(name, (byService.get(name) ?? 0) + count);
  }
  const destinations = [...byService].sort(([, one], [, other]) => other - one).slice(0, MAX_DESTINATIONS);
  return Object.fromEntries(destinations.map(([name, count]) => [keyOf('timeWait.to', name), count]));
}
