import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { capacityOfRun } from '#core/judgement/capacity/capacity.ts';
import { capacityBlocks } from '../document/capacity.ts';
import { stageBlocks, timeBlocks } from '../document/figures.ts';
import { ledgerBlocks } from '../document/ledger.ts';
import { machineBlocks, monitorBlocks } from '../document/machines.ts';
import type { Passage } from '../document/model.ts';
import { behaviourBlocks, cacheBlocks, namedCounts, pageBlocks, serverBlocks } from '../document/special.ts';
import { evidenceLines, FINDING_WORDS } from '../document/words.ts';
import { passageLines } from './textTable.ts';

const MOST_EVENTS = 12;

/** What happened beside the load, for a terminal: monitors that were lost and came back, changes of a machine, notes of the person. */
function textEvents({ events }: Pick<RunResult, 'events'>): string[] {
  if (events.length === 0) return [];
  const rest = events.length - MOST_EVENTS;
  return [
    'What happened meanwhile',
    ...events.slice(0, MOST_EVENTS).map(({ second, text }) => `  second ${formatNumber(Math.floor(second))}: ${text}`),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}

const MARKS = { holds: '✓', breaks: '✗', unknown: '–', inconclusive: '–', measured: '·' } as const;

/** A result for a terminal: the answer first, then why, then the figures. Plain text without colours; tables fit a terminal of `width` columns, 100 when left out. */
export function formatText(result: RunResult, width?: number): string {
  const parts: readonly (readonly [title: string, passages: readonly Passage[]])[] = [
    ['Every request accounted for', ledgerBlocks(result)],
    ['What came from a cache', cacheBlocks(result)],
    ['', behaviourBlocks(result)],
    ['', timeBlocks(result)],
    ['', stageBlocks(result)],
    ['Whole pages', pageBlocks(result)],
    ['', serverBlocks(result)],
    // Its head-room is told among the findings.
    ['', capacityBlocks({ ...capacityOfRun(result), headroom: null })],
    ['', machineBlocks(result)],
    ['', monitorBlocks(result)],
  ];
  const sections = [
    answer(result),
    objectives(result),
    findings(result),
    ...parts.map(([title, passages]) => passageLines([...heading(title, passages), ...passages], width)),
    connections(result),
    textEvents(result),
    partOf(result),
    [`Run ${result.run.id} · ${result.run.state} · ${result.run.startedAt} · ${formatSeconds(result.durationSeconds)}`],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function partOf({ run: { series } }: RunResult): string[] {
  if (series === undefined) return [];
  return [`Part of the series “${series.name}”: ${series.cell}, repeat ${series.repeat}. The whole of it: holdfast show ${series.id}`];
}

function heading(title: string, passages: readonly Passage[]): Passage[] {
  return title === '' || passages.length === 0 ? [] : [{ kind: 'heading', text: title }];
}

function answer({ verdict, run, plan }: RunResult): string[] {
  const lines = [`${MARKS[verdict.outcome]} ${verdict.sentence}`];
  if (run.endedBecause) lines.push(`  It ended early: ${run.endedBecause.text}`);
  for (const reason of verdict.reasons) if (!isOfAnObjective(reason.code)) lines.push(`  · ${reason.text}`);
  if (verdict.exercised.length > 0) lines.push(`  Exercised: ${verdict.exercised.join('; ')}.`);
  if (verdict.notExercised.length > 0) lines.push(`  Not exercised: ${verdict.notExercised.join('; ')}.`);
  if (plan.lookAt.length > 0) lines.push('  What to look at:', ...plan.lookAt.map((look) => `    - ${look}`));
  for (const left of plan.leavesBehind) lines.push(`  Left behind: ${left}`);
  for (const next of verdict.next) lines.push(`  Next: ${next.label}. ${next.explanation}`);
  return lines;
}

/** Reasons of objectives stand in the list of objectives, which says the same. */
function isOfAnObjective(code: string): boolean {
  return /\.(holds|breaks|unknown)$/.test(code);
}

function objectives(result: RunResult): string[] {
  if (result.objectives.length === 0) return [];
  return [
    'What counts as good enough',
    ...result.objectives.map((objective) => `  ${MARKS[objective.outcome]} ${objective.text}: ${objective.reason}`),
  ];
}

function findings(result: RunResult): string[] {
  return result.findings.flatMap((finding) => [
    `${FINDING_WORDS[finding.level]}: ${finding.sentence}`,
    ...evidenceLines(finding).map((line) => `  · ${line}`),
    `  ${finding.remedy}`,
  ]);
}

/** Where connections went. Known from the end of the run on. */
function connections({ server }: RunResult): string[] {
  const used = namedCounts(server.addresses);
  return used === '' ? [] : [`Connections opened to ${used}.`];
}
