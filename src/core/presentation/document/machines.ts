import { changeWords, hostChangeSchema } from '#core/machines/checks/finding.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import {
  PROCESSOR_ACCOUNT_COLUMNS,
  PROCESSOR_ACCOUNTS_NOTE,
  PROCESSOR_ACCOUNTS_TITLE,
  processorAccountRows,
  processorAccounts,
} from '#core/machines/monitors/processorAccounts.ts';
import { monitorRows } from '#core/machines/monitors/rows.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { formatBytes, formatCount, formatMs, formatPercent, formatRate, formatSeconds, NOT_KNOWN } from '#core/base/units.ts';
import { loadedTimes } from '#core/result/loadedTimes.ts';
import type { GeneratorReading, RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { column, list, numbers, type Passage, table, text } from './model.ts';
import { resultGeneratorBlocks } from './generators.ts';
import { instantText, many } from './words.ts';

type Generator = RunResult['generators'][number];

/** Where the load came from, and whether those machines could be believed. */
export function generatorBlocks({ generators }: Pick<RunResult, 'generators'>): Passage[] {
  if (generators.length === 0) return text('Nothing is known of the computer that sent the load.');
  return [
    ...table('The machines that made the load', generators, [
      column('Machine', ({ name, hostname }) => ({ text: atStart(name), about: name === hostname ? '' : hostname })),
      column('Hardware', ({ cores, memoryBytes }) => `${many(cores, 'core')}, ${formatBytes(memoryBytes)} memory`),
      column('Software', ({ platform, nodeVersion }) => `${platform}, Node ${nodeVersion}`),
      column('Sent by', ({ engine, engineVersion, threads }) => `${engine} ${engineVersion}, ${many(threads, 'thread')}`),
      column('Did it keep up?', healthText),
    ]),
    ...busyTable(generators),
    ...list('Self-tests of these machines', generators.map(selfTestText)),
  ];
}

function healthText({ sickSeconds, sharesMachineWithTarget, keptAwake, lost }: Generator): string {
  const parts = [
    sickSeconds === 0 ? 'all the time' : `not for ${formatSeconds(sickSeconds)}`,
    sharesMachineWithTarget ? 'the server runs on it too and shares its cores' : '',
    keptAwake === true ? 'it was kept from going to sleep' : '',
    lost === null ? '' : `lost at ${formatElapsed(lost.second)}: ${lost.text}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** One figure of how busy a computer is that makes the load. */
interface BusyFigure {
  readonly name: string;
  readonly explanation: string;
  readonly of: (reading: GeneratorReading) => number | null;
  readonly format: (value: number) => string;
  /** Only of loads that plan when requests start. */
  readonly isOfPlans?: boolean;
}

const BUSY_FIGURES: readonly BusyFigure[] = [
  {
    name: 'Busiest thread',
    explanation: 'Share of one core that the busiest thread sending requests used; above 90 % it cannot keep up.',
    of: ({ threadCpu }) => threadCpu,
    format: formatPercent,
  },
  {
    name: 'Waiting for a core',
    explanation: 'Share of the second in which a thread was ready to send or to read and other programs held all cores.',
    of: ({ threadWait }) => threadWait,
    format: formatPercent,
  },
  {
    name: 'All cores',
    explanation: 'Share of the time of all cores in use by anything on the machine.',
    of: ({ machineCpu }) => machineCpu,
    format: formatPercent,
  },
  {
    name: 'Taken by other machines',
    explanation: 'Time that the host of this virtual machine gave to others (CPU steal).',
    of: ({ steal }) => steal,
    format: formatPercent,
  },
  {
    name: 'Reaction delay',
    explanation: 'How late an answer may be noticed because the thread is busy (event-loop delay, p99).',
    of: ({ eventLoopDelayMs }) => eventLoopDelayMs,
    format: formatMs,
  },
  {
    name: 'Behind its schedule',
    explanation: 'How much later than planned requests were sent in the second (schedule lag, p99).',
    of: ({ scheduleLagMs }) => scheduleLagMs,
    format: formatMs,
    isOfPlans: true,
  },
  {
    name: 'Pauses for tidying memory',
    explanation: 'Time spent in garbage collection during the second.',
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
    name: 'Ports cooling down',
    explanation: 'Closed connections keep their port for about a minute (TIME_WAIT); when all ports wait, no new connection can be opened.',
    of: ({ timeWaitSockets }) => timeWaitSockets,
    format: formatCount,
  },
];

/** How busy a computer is that makes the load, in its last second. Of several, each figure is that of the one that is worst. */
export function readingTable(reading: GeneratorReading, names: string, count: number): Passage[] {
  return table(
    count > 1 ? 'The last second, of each figure the worst of them' : `${atStart(names)} in the last second`,
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
    'How busy they were, in their worst second',
    read.length === 0 ? [] : BUSY_FIGURES,
    [
      column('Figure', ({ name, explanation }) => ({ text: name, explanation })),
      ...read.map(({ name, readings }) =>
        numbers<BusyFigure>(atStart(name), ({ of, format }) => {
          const values = readings.flatMap((reading) => of(reading) ?? []);
          return values.length === 0 ? '–' : format(values.reduce((most, value) => Math.max(most, value)));
        }),
      ),
    ],
    'What is missing this machine cannot tell.',
  );
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? NOT_KNOWN : format(value);
}

function selfTestText({ name, selfTest }: Generator): string {
  if (selfTest === null) return `${atStart(name)}: no self-test had been made there when the run began.`;
  const { at, passed, failed, maxRequestsPerSecond } = selfTest;
  if (failed.length > 0)
    return `${atStart(name)}: ${formatCount(failed.length)} checks failed on ${instantText(at)}: ${failed.join(', ')}.`;
  const reaches = maxRequestsPerSecond === null ? '' : `, up to ${formatRate(maxRequestsPerSecond, 'requests')}`;
  return `${atStart(name)}: all ${formatCount(passed)} checks passed on ${instantText(at)}${reaches}.`;
}

/** The machines that made the load, with what each of several had of it. */
export function machineBlocks(result: Pick<RunResult, 'generators'>): Passage[] {
  return [...generatorBlocks(result), ...resultGeneratorBlocks(result)];
}

/** What was changed on machines before the run, as it was noted then. */
export function tuningBlocks({ events }: Pick<RunResult, 'events'>): Passage[] {
  const changes = events.flatMap(({ kind, text, data }) => {
    if (kind !== 'hostChanged') return [];
    const change = hostChangeSchema.safeParse(data);
    return [change.success ? `${changeWords(change.data)} (${instantText(change.data.appliedAt)})` : text];
  });
  const none = 'Holdfast had changed no setting of any machine when this run began. What others changed it cannot know.';
  return list('Settings that were changed before the run', changes.length === 0 ? [none] : changes);
}

/** What was watched while the load went: mean and highest value of everything that was not 0 throughout, and what attached graphs say of the same. */
export function monitorBlocks(result: Pick<RunResult, 'monitors' | 'plan' | 'stages'>): Passage[] {
  const { monitors } = result;
  return [
    ...monitors.flatMap((monitor) =>
      table(`How ${monitor.name}${ROLE_WORDS[monitor.role]} was`, monitorRows(monitor), [
        column('What', ({ name }) => name),
        numbers('Mean', ({ mean }) => mean),
        numbers('Highest', ({ highest }) => highest),
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

/** What attached graphs say of the processor, beside what the kernel counted; nothing where there are none. */
export function processorBlocks(result: Pick<RunResult, 'monitors' | 'plan' | 'stages'>): Passage[] {
  return table(
    PROCESSOR_ACCOUNTS_TITLE,
    processorAccountRows(processorAccounts(result.monitors, loadedTimes(result))),
    PROCESSOR_ACCOUNT_COLUMNS.map((head, index) => ({ ...head, cell: (row: readonly string[]) => row[index] ?? '' })),
    PROCESSOR_ACCOUNTS_NOTE,
  );
}

/** What a machine is for the load, behind its name. */
const ROLE_WORDS: Readonly<Record<MonitorResult['role'], string>> = {
  generator: ' (makes the load)',
  target: '',
  hop: ' (stands in between)',
};
