import { formatMs, formatNumber, formatSeconds, formatShare, countOf, UNKNOWN_TEXT, type TimeMs } from '#core/base/units.ts';
import { causeLines } from '#core/result/generatorNames.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { ruleOf } from '#core/judgement/diagnosis/rule.ts';
import { NOT_SEEN_CODE, OVERLOADED_CODE } from '#core/judgement/verdict/reasons.ts';
import type { Verdict } from '#core/result/verdict.ts';
import type { BlockOf } from './model.ts';
import { NO_CRITERIA, OUTCOME_TITLES } from '#core/judgement/verdict/labels.ts';

/** Returns the block of a verdict. In older results, a verdict consists only of the sentence. */
export function makeVerdictBlock({ outcome, sentence, parts }: Pick<Verdict, 'outcome' | 'sentence' | 'parts'>): BlockOf<'verdict'> {
  const verdictParts = parts ?? { load: '', cause: '', more: '' };
  return { kind: 'verdict', outcome, title: parts === undefined ? sentence.replace(/\.$/, '') : OUTCOME_TITLES[outcome], ...verdictParts };
}

export const FINDING_WORDS: Readonly<Record<Finding['level'], string>> = { problem: 'Problem', warning: 'Warning', info: 'Note' };

/** Returns the level of a finding, with its confidence and its time range: "Warning", ", likely, from 3:20 to 4:20". */
export function findingParts({ level, confidence, range }: Finding): { readonly title: string; readonly rest: string } {
  return { title: FINDING_WORDS[level], rest: `, ${confidence}${range === null ? '' : `, ${rangeText(range)}`}` };
}

/** Returns a time range: "from 0:10 to 1:28", or, if it has gaps, "9 s between 0:10 and 1:28". */
export function rangeText({ fromSecond, toSecond, spans = [] }: NonNullable<Finding['range']>): string {
  const [from, to] = [formatElapsed(fromSecond), formatElapsed(toSecond)];
  if (spans.length === 0) return `from ${from} to ${to}`;
  const seconds = spans.reduce((sum, span) => sum + span.toSecond - span.fromSecond, 0);
  return `${formatSeconds(Math.max(1, Math.round(seconds)))} between ${from} and ${to}`;
}

/** Texts for failed items, which have no time. */
const NO_TIME_TEXTS = { requests: 'requests failed', starts: 'requests failed or could not start', pages: 'pages failed' } as const;

/** Returns a percentile as text. If it is unbounded, the text states how many requests failed. */
export function percentileText(time: TimeMs, percentile: number, without: keyof typeof NO_TIME_TEXTS = 'requests'): string {
  if (time === null) return UNKNOWN_TEXT;
  if (time !== 'never') return formatMs(time);
  if (percentile >= 100) return 'at least one request failed';
  return `more than ${formatShare(Math.round(1e6 - percentile * 1e4) / 1e6)} of ${NO_TIME_TEXTS[without]}`;
}

/** Returns a time for a table cell, which has no space for a sentence. */
export function timeCell(time: TimeMs): string {
  return time === null ? '–' : formatMs(time);
}

/** Returns an instant in UTC, independent of the reader’s time zone: "2026-03-12 14:05:07 UTC". */
export function instantText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** Returns the highest load of the counted stages: "50 connections". */
export function loadText({ stages }: Pick<RunResult, 'stages'>): string {
  const counted = stages.filter((stage) => stage.counted);
  const [first, ...others] = counted.length > 0 ? counted : stages;
  if (first === undefined) return UNKNOWN_TEXT;
  const { level } = others.reduce((most, stage) => (stage.level.highest > most.level.highest ? stage : most), first);
  return levelText(level);
}

/** Returns the load of a stage: "50 connections", "500 users", "50/s", "10 → 50/s". States the peak if it is in between. */
export function levelText({ unit, from, to, highest }: RunResult['stages'][number]['level']): string {
  if (unit !== 'arrivalsPerSecond') return countOf(highest, unit === 'users' ? 'user' : 'connection');
  const [first, last] = [formatNumber(from), formatNumber(to)];
  if (highest > Math.max(from, to)) return `${first} → ${formatNumber(highest)} → ${last}/s`;
  return from === to ? `${first}/s` : `${first} → ${last}/s`;
}

/** Returns whether scheduled starts are known, so that response and service times differ. k6 does not report scheduled starts. */
export function plansStarts({ plan }: Pick<RunResult, 'plan'>): boolean {
  return plan.load.model !== 'connections' && plan.engine !== 'k6';
}

/** Returns the evidence of a finding for texts without tables: causes, figures, then their meaning. */
export function evidenceLines(finding: Pick<Finding, 'causes' | 'figures' | 'evidence'>): string[] {
  const { figures = [], evidence } = finding;
  return [...causeLines(finding), ...figures.map(({ what, value }) => `${what}: ${value}`), ...evidence];
}

/** Titles of sections and tables, on all screens and in all documents. */
export const TITLES = {
  lookAt: 'Points to check',
  leavesBehind: 'Left on the server',
  next: 'Next steps',
  criteria: 'Pass criteria',
  eachLimit: 'Pass criteria and measured values',
  findings: 'Findings',
  traces: 'Traces',
  people: 'People',
  bells: 'Bells',
  visits: 'What visitors see',
  capacity: 'Capacity',
  scaling: 'Scaling',
  behaviour: 'Behavior',
  spread: 'Latency distribution',
  timesByShare: 'Latency by percentile',
  timesOverRun: 'Latency heatmap',
  times: 'Latency percentiles',
  failuresAsTimeouts: 'Failures counted as timeouts',
  outcome: 'Request outcomes',
  commands: 'Commands run',
  effects: 'Effect of each factor',
  smallest: 'Smallest machine that passes',
  fits: 'Latency by factor',
  order: 'Order of the runs',
  method: 'Method',
  doesNotSay: 'Not covered',
  runAgain: 'Run it again',
  doAgain: 'Repeat it',
} as const;

/** Texts in place of missing figures. */
export const NO_FIGURE_TEXTS = { findings: 'No findings.', times: 'No counted responses, so no times.', criteria: NO_CRITERIA } as const;

/** Explanations of figures. */
export const EXPLANATIONS = {
  inFlight: 'Requests that were sent and have no complete response.',
  scheduleLag: 'How much later than planned requests were sent, because the load generator was busy.',
} as const;

export const NOT_FINISHED_TEXT = 'not finished';
export const NO_SECRETS_NOTE = 'No report contains secrets: “secret” in the plan only names the source of a value.';

export const LOADING_MEASUREMENTS = 'Loading the measurements …';
export const VISITING_PAGES = 'seeing the watched pages without load';
export const WAITING_FOR_RESPONSES = 'waiting for outstanding responses';

/**
 * Returns the text shown while a run with this many watched pages starts, because each page is visited before the load. Empty without
 * watched pages.
 */
export function openingPages(count: number): string {
  if (count === 0) return '';
  return `Opening ${count === 1 ? 'the page' : `${count} pages`} in a browser, to see ${count === 1 ? 'it' : 'them'} without load …`;
}

type Reason = Verdict['reasons'][number];

/** Maximum number of reasons beside the verdict in large type. */
const MAX_REASONS = 3;

/** Returns the reasons to show beside the verdict: the first few, and always the one that states what may have been missed. */
export function listReportedReasons(reasons: readonly Reason[]): Reason[] {
  const isRest = ({ code }: Reason): boolean => code === NOT_SEEN_CODE;
  return [...reasons.filter((reason) => !isRest(reason)).slice(0, MAX_REASONS), ...reasons.filter(isRest)];
}

/** Returns the reasons that are neither in the table of criteria nor among the findings. The findings explain each cause of an overload. */
export function listOtherReasons({ verdict, findings }: Pick<RunResult, 'verdict' | 'findings'>): Reason[] {
  const isExplained = findings.some((finding) => ruleOf(finding) === 'generatorLimited');
  return verdict.reasons.filter(({ code }) => !/\.(?:passed|failed|unknown)$/.test(code) && !(isExplained && code === OVERLOADED_CODE));
}
