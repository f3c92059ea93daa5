import { changeWords, hostChangeSchema } from '#core/machines/checks/finding.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import {
  PROCESSOR_ACCOUNT_COLUMNS,
  PROCESSOR_ACCOUNTS_NOTE,
  PROCESSOR_ACCOUNTS_TITLE,
  processorAccountRows,
  processorAccounts,
  monitorRows,
} from '#core/machines/monitors/monitorTables.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { formatBytes, formatCount, formatMs, formatPercent, formatRate, formatSeconds, UNKNOWN_TEXT, countOf } from '#core/base/units.ts';
import { listLoadedTimes } from '#core/result/stageTimes.ts';
import type { GeneratorReading, RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { systemName } from '#core/base/text.ts';
import { column, list, numbers, type Passage, table, text } from './model.ts';
import { resultGeneratorBlocks } from './generators.ts';
import { instantText } from './words.ts';

type Generator = RunResult['generators'][number];

/** Returns the load generators, their utilization and their self-tests. */
export function generatorBlocks({ generators }: Pick<RunResult, 'generators'>): Passage[] {
  if (generators.length === 0) return text('No data about the load generator.');
  return [
    ...table('Load generators', generators, [
      column('Machine', ({ name, hostname }) => ({ text: capitalizeStart(name), about: name === hostname ? '' : hostname })),
      column('Hardware', ({ cores, memoryBytes }) => `${countOf(cores, 'core')}, ${formatBytes(memoryBytes)} memory`),
      column('Software', ({ platform, nodeVersion }) => `${systemName(platform)}, Node ${nodeVersion}`),
      column('Engine', ({ engine, engineVersion, threads }) => `${engine} ${engineVersion}, ${countOf(threads, 'thread')}`),
      column('Overload', healthText),
    ]),
    ...busyTable(generators),
    ...list('Self-tests', generators.map(selfTestText)),
  ];
}

function healthText({ overloadedSeconds, sharesMachineWithTarget, keptAwake, lost }: Generator): string {
  const parts = [
    overloadedSeconds === 0 ? 'not overloaded' : `overloaded for ${formatSeconds(overloadedSeconds)}`,
    sharesMachineWithTarget ? 'shares its cores with the server' : '',
    keptAwake === true ? 'sleep was prevented' : '',
    lost === null ? '' : `lost at ${formatElapsed(lost.second)}: ${lost.text}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** One utilization figure of a load generator. */
interface BusyFigure {
  readonly name: string;
  readonly explanation: string;
  readonly of: (reading: GeneratorReading) => number | null;
  readonly format: (value: number) => string;
  /** Whether the figure exists only for loads with scheduled starts. */
  readonly isOfPlans?: boolean;
}

const BUSY_FIGURES: readonly BusyFigure[] = [
  {
    name: 'Busiest thread',
    explanation: 'Share of one core used by the busiest sending thread; overloaded above 90 %.',
    of: ({ threadCpu }) => threadCpu,
    format: formatPercent,
  },
  {
    name: 'Waiting for a core',
    explanation: 'Share of the second in which a thread was ready but other programs held all cores.',
    of: ({ threadWait }) => threadWait,
    format: formatPercent,
  },
  {
    name: 'All cores',
    explanation: 'Use of all cores by all programs on the machine.',
    of: ({ machineCpu }) => machineCpu,
    format: formatPercent,
  },
  {
    name: 'CPU steal',
    explanation: 'Time that the host of this virtual machine gave to other machines.',
    of: ({ steal }) => steal,
    format: formatPercent,
  },
  {
    name: 'Event-loop delay',
    explanation: 'How late a response may be noticed because the thread is busy (p99).',
    of: ({ eventLoopDelayMs }) => eventLoopDelayMs,
    format: formatMs,
  },
  {
    name: 'Schedule lag',
    explanation: 'How much later than planned requests were sent in the second (p99).',
    of: ({ scheduleLagMs }) => scheduleLagMs,
    format: formatMs,
    isOfPlans: true,
  },
  {
    name: 'Garbage collection',
    explanation: 'Time spent freeing memory during the second.',
    of: ({ garbageCollectionMs }) => garbageCollectionMs,
    format: formatMs,
  },
  {
    name: 'Memory used',
    explanation: 'Memory of the Holdfast process that sends the requests.',
    of: ({ memoryBytes }) => memoryBytes,
    format: formatBytes,
  },
  {
    name: 'Open files and connections',
    explanation: 'Every connection uses one; the limit is set by the system (file descriptors).',
    of: ({ openFiles }) => openFiles,
    format: formatCount,
  },
  {
    name: 'Ports in TIME_WAIT',
    explanation: 'Closed connections keep their port for about a minute; when no port is free, no new connection can be opened.',
    of: ({ timeWaitSockets }) => timeWaitSockets,
    format: formatCount,
  },
];

/** Returns the utilization in the last second. With several load generators, each figure is the worst value. */
export function readingTable(reading: GeneratorReading, names: string, count: number): Passage[] {
  return table(
    count > 1 ? 'Last second, worst value of all load generators' : `${capitalizeStart(names)}, last second`,
    BUSY_FIGURES.filter(({ isOfPlans, of }) => isOfPlans !== true || of(reading) !== null),
    [
      column('Figure', ({ name, explanation }) => ({ text: name, explanation })),
      numbers('Value', ({ of, format }) => known(of(reading), format)),
    ],
  );
}

function busyTable(generators: readonly Generator[]): Passage[] {
  const read = generators.filter(({ readings }) => readings.length > 0);
  return table(
    'Use of the load generators, worst second',
    read.length === 0 ? [] : BUSY_FIGURES,
    [
      column('Figure', ({ name, explanation }) => ({ text: name, explanation })),
      ...read.map(({ name, readings }) =>
        numbers<BusyFigure>(capitalizeStart(name), ({ of, format }) => {
          const values = readings.flatMap((reading) => of(reading) ?? []);
          return values.length === 0 ? '–' : format(values.reduce((most, value) => Math.max(most, value)));
        }),
      ),
    ],
    '–: not available on this machine.',
  );
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? UNKNOWN_TEXT : format(value);
}

function selfTestText({ name, selfTest }: Generator): string {
  if (selfTest === null) return `${capitalizeStart(name)}: no self-test before the run.`;
  const { at, passed, failed, maxRequestsPerSecond } = selfTest;
  if (failed.length > 0)
    return `${capitalizeStart(name)}: ${formatCount(failed.length)} checks failed on ${instantText(at)}: ${failed.join(', ')}.`;
  const reaches = maxRequestsPerSecond === null ? '' : `, up to ${formatRate(maxRequestsPerSecond, 'requests')}`;
  return `${capitalizeStart(name)}: all ${formatCount(passed)} checks passed on ${instantText(at)}${reaches}.`;
}

/** Returns the load generators, with the part of the load of each. */
export function machineBlocks(result: Pick<RunResult, 'generators'>): Passage[] {
  return [...generatorBlocks(result), ...resultGeneratorBlocks(result)];
}

/** Returns the settings that were changed on machines before the run. */
export function tuningBlocks({ events }: Pick<RunResult, 'events'>): Passage[] {
  const changes = events.flatMap(({ kind, text, data }) => {
    if (kind !== 'hostChanged') return [];
    const change = hostChangeSchema.safeParse(data);
    return [change.success ? `${changeWords(change.data)} (${instantText(change.data.appliedAt)})` : text];
  });
  const none = 'None by Holdfast. Changes by others are unknown.';
  return list('Settings changed before the run', changes.length === 0 ? [none] : changes);
}

/** Returns mean and maximum of all monitored values that were not always 0, and the processor use in attached graphs. */
export function monitorBlocks(result: Pick<RunResult, 'monitors' | 'plan' | 'stages'>): Passage[] {
  const { monitors } = result;
  return [
    ...monitors.flatMap((monitor) =>
      table(`${capitalizeStart(monitor.name)}${ROLE_WORDS[monitor.role]}`, monitorRows(monitor), [
        column('Figure', ({ name }) => name),
        numbers('Mean', ({ mean }) => mean),
        numbers('Max', ({ highest }) => highest),
        numbers('At', ({ atSecond }) => formatElapsed(atSecond)),
      ]),
    ),
    ...processorBlocks(result),
    ...list(
      'Not watched',
      monitors.flatMap(({ name, state, problem }) =>
        state === 'lost' || state === 'unavailable' ? [`${name}: ${state === 'lost' ? 'lost. ' : ''}${problem ?? ''}`] : [],
      ),
    ),
  ];
}

/** Compares the processor use in attached graphs with the values of the kernel; empty if there are no graphs. */
export function processorBlocks(result: Pick<RunResult, 'monitors' | 'plan' | 'stages'>): Passage[] {
  return table(
    PROCESSOR_ACCOUNTS_TITLE,
    processorAccountRows(processorAccounts(result.monitors, listLoadedTimes(result))),
    PROCESSOR_ACCOUNT_COLUMNS.map((head, index) => ({ ...head, cell: (row: readonly string[]) => row[index] ?? '' })),
    PROCESSOR_ACCOUNTS_NOTE,
  );
}

/** Role of a machine in the test, shown after its name. */
const ROLE_WORDS: Readonly<Record<MonitorResult['role'], string>> = {
  generator: ' (load generator)',
  target: '',
  hop: ' (proxy or database)',
};
