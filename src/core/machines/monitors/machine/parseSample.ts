/** One reading of a Linux machine. null or missing values are unknown. */
export interface MachineSample {
  readonly uptimeSeconds: number | null;
  readonly cpu: CpuTicks | null;
  /** Ticks by core number. */
  readonly cores: ReadonlyMap<string, CpuTicks>;
  readonly loadOneMinute: number | null;
  readonly memory: { readonly totalBytes: number; readonly usedBytes: number; readonly swapBytes: number | null } | null;
  readonly links: readonly { readonly name: string; readonly received: number; readonly sent: number }[];
  readonly timeWait: number | null;
  readonly established: number | null;
  readonly retransmitted: number | null;
  readonly listenDrops: number | null;
  readonly listenOverflows: number | null;
  readonly processes: readonly ProcessSample[];
  readonly containers: readonly { readonly name: string; readonly cpuSeconds: number | null; readonly memoryBytes: number | null }[];
}

/** Ticks since boot. `used` excludes idle time and time spent waiting for disks; it includes stolen time. */
export interface CpuTicks {
  readonly all: number;
  readonly used: number;
  readonly stolen: number;
  readonly ioWait: number;
}

export interface ProcessSample {
  readonly pid: number;
  readonly name: string;
  /** Processor time of the process and its threads, in ticks, since the process started. */
  readonly ticks: number;
  readonly residentPages: number;
}

/** Parses the concatenated files that the script prints; each line is recognized by its form. */
export function parseSample(text: string): MachineSample {
  const lines = text.split('\n');
  const tcp = table(lines, 'Tcp');
  const tcpExtended = table(lines, 'TcpExt');
  return {
    uptimeSeconds: firstNumber(lines, /^(\d+\.\d+) \d+\.\d+$/),
    cpu: parseTicks(lines.find((line) => line.startsWith('cpu '))),
    cores: parseCores(lines),
    loadOneMinute: firstNumber(lines, /^(\d+\.\d+) \d+\.\d+ \d+\.\d+ \d+\/\d+ \d+$/),
    memory: parseMemory(lines),
    links: linksOf(lines),
    timeWait: firstNumber(lines, /^TCP:.*\btw (\d+)/),
    established: tcp.get('CurrEstab') ?? null,
    retransmitted: tcp.get('RetransSegs') ?? null,
    listenDrops: tcpExtended.get('ListenDrops') ?? null,
    listenOverflows: tcpExtended.get('ListenOverflows') ?? null,
    processes: lines.flatMap(readProcess),
    containers: lines.flatMap(parseContainer),
  };
}

function firstNumber(lines: readonly string[], form: RegExp): number | null {
  for (const line of lines) {
    const [, value] = form.exec(line) ?? [];
    if (value !== undefined) return Number(value);
  }
  return null;
}

/** Parses the ticks user, nice, system, idle, iowait, irq, softirq and steal (guest times are included in user); see proc_stat(5). */
function parseTicks(line: string | undefined): CpuTicks | null {
  const ticks = line?.trim().split(/\s+/).slice(1).map(Number);
  if (ticks === undefined || ticks.length < 8) return null;
  const all = ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0);
  const [, , , idle = 0, ioWait = 0, , , stolen = 0] = ticks;
  return Number.isFinite(all) ? { all, used: all - idle - ioWait, stolen, ioWait } : null;
}

function parseCores(lines: readonly string[]): Map<string, CpuTicks> {
  const cores = new Map<string, CpuTicks>();
  for (const line of lines) {
    const [, core] = /^cpu(\d+) /.exec(line) ?? [];
    const ticks = core === undefined ? null : parseTicks(line);
    if (core !== undefined && ticks !== null) cores.set(core, ticks);
  }
  return cores;
}

function parseMemory(lines: readonly string[]): MachineSample['memory'] {
  const bytes = (name: string): number | null => {
    const kibibytes = firstNumber(lines, new RegExp(String.raw`^${name}:\s+(\d+) kB$`));
    return kibibytes === null ? null : kibibytes * 1_024;
  };
  const totalBytes = bytes('MemTotal');
  const available = bytes('MemAvailable');
  if (totalBytes === null || available === null) return null;
  const swapTotal = bytes('SwapTotal');
  const swapFree = bytes('SwapFree');
  return {
    totalBytes,
    usedBytes: totalBytes - available,
    swapBytes: swapTotal === null || swapFree === null ? null : swapTotal - swapFree,
  };
}

/** Parses /proc/net/dev. The number of bytes is the first of eight numbers received, and the first of eight sent. */
function linksOf(lines: readonly string[]): MachineSample['links'] {
  return lines.flatMap((line) => {
    const [, name, numbers] = /^\s*([^\s:]+):\s*(\d+(?:\s+\d+){15,})\s*$/.exec(line) ?? [];
    const [received, , , , , , , , sent] = numbers?.split(/\s+/).map(Number) ?? [];
    return name === undefined || received === undefined || sent === undefined ? [] : [{ name, received, sent }];
  });
}

/** Parses a table of /proc/net/snmp or netstat: a row of names and a row of numbers, both with the same prefix. */
function table(lines: readonly string[], word: string): Map<string, number> {
  const [names = [], numbers = []] = lines.filter((line) => line.startsWith(`${word}: `)).map((line) => line.split(/\s+/).slice(1));
  return new Map(names.flatMap((name, index) => (/^-?\d+$/.test(numbers[index] ?? '') ? [[name, Number(numbers[index])]] : [])));
}

/** Parses /proc/PID/stat; see proc_pid_stat(5). The process name is in parentheses and may contain parentheses. */
function readProcess(line: string): ProcessSample[] {
  const [, pid, name, others] = /^(\d+) \((.*)\) [A-Za-z] (.*)$/.exec(line) ?? [];
  const fields = others?.split(' ').map(Number) ?? [];
  // `others` begins with the 4th field; utime and stime are the 14th and 15th fields, and rss is the 24th.
  const [user, system, resident] = [fields[10], fields[11], fields[20]];
  if (pid === undefined || name === undefined || user === undefined || system === undefined || resident === undefined) return [];
  return [{ pid: Number(pid), name, ticks: user + system, residentPages: resident }];
}

function parseContainer(line: string): MachineSample['containers'] {
  const [, name, microseconds, memory] = /^container (\S+) (\d+|-) (\d+|-)$/.exec(line) ?? [];
  if (name === undefined) return [];
  return [
    {
      name,
      cpuSeconds: microseconds === '-' ? null : Number(microseconds) / 1_000_000,
      memoryBytes: memory === '-' ? null : Number(memory),
    },
  ];
}
