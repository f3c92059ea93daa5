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
import { formatBytes, formatCount, formatMs, formatNumber, formatRate, formatSeconds, NOT_KNOWN } from '#core/base/units.ts';
import { loadedSpans } from '#core/result/loadedTimes.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { ROLE_WORDS } from '../text/textMonitors.ts';
import { type Block, list, table } from './model.ts';
import { instantText, many, timeCell } from './words.ts';

type Generator = RunResult['generators'][number];

/** Where the load came from, and whether those machines could be believed. */
export function generatorBlocks({ generators }: Pick<RunResult, 'generators'>): Block[] {
  return [
    ...table(
      'The machines that made the load',
      ['Machine', 'Hardware', 'Software', 'Sent by', 'Did it keep up?'],
      generators.map((one) => [
        one.name === one.hostname ? one.name : `${one.name} (${one.hostname})`,
        `${many(formatCount(one.cores), 'core')}, ${formatBytes(one.memoryBytes)} memory`,
        `${one.platform}, Node ${one.nodeVersion}`,
        `${one.engine} ${one.engineVersion}, ${many(formatCount(one.threads), 'thread')}`,
        healthText(one),
      ]),
    ),
    ...table(
      'What each of them had of the load',
      ['Machine', '#Sent', '#Good', '#Answers/s', '#Received', '#Half', '#19 of 20'],
      generators.flatMap(({ name, figures }) =>
        figures === null
          ? []
          : [
              [
                name,
                formatCount(figures.sent),
                formatCount(figures.ok),
                formatRate(figures.rates.completedPerSecond),
                figures.rates.bytesPerSecond === null ? NOT_KNOWN : `${formatBytes(figures.rates.bytesPerSecond)}/s`,
                timeCell(figures.response.p50),
                timeCell(figures.response.p95),
              ],
            ],
      ),
    ),
    ...table(
      'How busy they were, in their worst second',
      ['Machine', '#Busiest thread', '#All cores', '#Taken by other machines', '#Noticed late by', '#Behind schedule', '#Open files'],
      generators.flatMap((one) => (one.readings.length === 0 ? [] : [[one.name, ...worstOf(one)]])),
      'What is missing this machine cannot tell.',
    ),
    ...list('Self-tests of these machines', generators.map(selfTestText)),
  ];
}

function healthText({ sickSeconds, sharesMachineWithTarget, lost }: Generator): string {
  const parts = [
    sickSeconds === 0 ? 'all the time' : `not for ${formatSeconds(sickSeconds)}`,
    sharesMachineWithTarget ? 'the server runs on it too and shares its cores' : '',
    lost === null ? '' : `lost at ${formatElapsed(lost.second)}: ${lost.text}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function worstOf({ readings }: Generator): string[] {
  const worst = (read: (reading: Generator['readings'][number]) => number | null): number | null =>
    readings.reduce<number | null>((most, reading) => {
      const value = read(reading);
      return value === null ? most : Math.max(most ?? value, value);
    }, null);
  const cell = (value: number | null, format: (known: number) => string): string => (value === null ? '–' : format(value));
  const percent = (share: number): string => `${formatNumber(Math.round(share * 100))} %`;
  return [
    cell(
      worst(({ threadCpu }) => threadCpu),
      percent,
    ),
    cell(
      worst(({ machineCpu }) => machineCpu),
      percent,
    ),
    cell(
      worst(({ steal }) => steal),
      percent,
    ),
    cell(
      worst(({ eventLoopDelayMs }) => eventLoopDelayMs),
      formatMs,
    ),
    cell(
      worst(({ scheduleLagMs }) => scheduleLagMs),
      formatMs,
    ),
    cell(
      worst(({ openFiles }) => openFiles),
      formatCount,
    ),
  ];
}

function selfTestText({ name, selfTest }: Generator): string {
  if (selfTest === null) return `${name}: it had never been self-tested when the run began.`;
  const { at, passed, failed } = selfTest;
  return failed.length === 0
    ? `${name}: all ${formatCount(passed)} checks passed on ${instantText(at)}.`
    : `${name}: ${formatCount(failed.length)} checks failed on ${instantText(at)}: ${failed.join(', ')}.`;
}

/** What was changed on machines before the run, as it was noted then. */
export function tuningBlocks({ events }: Pick<RunResult, 'events'>): Block[] {
  const changes = events.flatMap(({ kind, text, data }) => {
    if (kind !== 'hostChanged') return [];
    const change = hostChangeSchema.safeParse(data);
    return [change.success ? `${changeWords(change.data)} (${instantText(change.data.appliedAt)})` : text];
  });
  const none = 'Holdfast had changed no setting of any machine when this run began. What others changed it cannot know.';
  return list('Settings that were changed before the run', changes.length === 0 ? [none] : changes);
}

/** What was watched while the load went: mean and highest value of everything that was not 0 throughout, and what attached graphs say of the same. */
export function monitorBlocks(result: Pick<RunResult, 'monitors' | 'plan' | 'stages'>): Block[] {
  const { monitors } = result;
  return [
    ...monitors.flatMap((monitor) =>
      table(
        titleOf(monitor),
        ['What', '#Mean', '#Highest', '#At'],
        monitorRows(monitor).map(({ name, mean, highest, atSecond }) => [name, mean, highest, formatElapsed(atSecond)]),
      ),
    ),
    ...table(
      PROCESSOR_ACCOUNTS_TITLE,
      PROCESSOR_ACCOUNT_COLUMNS.map(({ name, numeric }) => (numeric ? `#${name}` : name)),
      processorAccountRows(processorAccounts(monitors, loadedSpans(result))),
      PROCESSOR_ACCOUNTS_NOTE,
    ),
    ...list(
      'Not watched',
      monitors.flatMap(({ name, state, problem }) =>
        state === 'lost' || state === 'unavailable' ? [`${name}: ${state === 'lost' ? 'lost. ' : ''}${problem ?? ''}`] : [],
      ),
    ),
  ];
}

function titleOf({ name, role }: MonitorResult): string {
  return `How ${name}${ROLE_WORDS[role]} was`;
}
