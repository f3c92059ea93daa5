import { formatMs, formatNumber, formatSeconds, formatShare, many, NOT_KNOWN, type TimeMs } from '#core/base/units.ts';
import { causeLines } from '#core/result/overloadWords.ts';
import type { Finding, RunResult, Verdict } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';

/** The sentence of a verdict, parted for its first word to stand out: of a run, it is the outcome. */
export function verdictParts({ sentence }: Pick<Verdict, 'sentence'>): { readonly title: string; readonly rest: string } {
  const [title = ''] = /^[^\s:.]+/.exec(sentence) ?? [];
  return { title, rest: sentence.slice(title.length) };
}

/** The same for a report, in which the headline stands in one line, and the rest of the sentence below it. */
export function verdictHeadline({ headline, sentence }: Pick<Verdict, 'headline' | 'sentence'>): {
  readonly headline: string;
  readonly detail: string;
} {
  const detail = sentence.slice(headline.length + 1).trim();
  return { headline, detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}` };
}

export const FINDING_WORDS: Readonly<Record<Finding['level'], string>> = { problem: 'Problem', warning: 'Warning', info: 'Note' };

/** How much a finding matters, how sure it is and where it lies: "Warning", ", likely, from 3:20 to 4:20". */
export function findingParts({ level, confidence, range }: Finding): { readonly title: string; readonly rest: string } {
  return { title: FINDING_WORDS[level], rest: `, ${confidence}${range === null ? '' : `, ${rangeText(range)}`}` };
}

/** When it was: "from 0:10 to 1:28", and where only some of these seconds are meant "9 s between 0:10 and 1:28". */
export function rangeText({ fromSecond, toSecond, spans = [] }: NonNullable<Finding['range']>): string {
  const [from, to] = [formatElapsed(fromSecond), formatElapsed(toSecond)];
  if (spans.length === 0) return `from ${from} to ${to}`;
  const seconds = spans.reduce((sum, span) => sum + span.toSecond - span.fromSecond, 0);
  return `${formatSeconds(Math.max(1, Math.round(seconds)))} between ${from} and ${to}`;
}

/** What has no time, of all that was asked for. */
const WITHOUT_TIME = {
  requests: 'requests failed',
  starts: 'requests failed or could not start',
  pages: 'pages failed',
} as const;

/** A percentile in words: an unbounded one says how many requests failed instead of a number that does not exist. */
export function percentileText(time: TimeMs, percentile: number, without: keyof typeof WITHOUT_TIME = 'requests'): string {
  if (time === null) return NOT_KNOWN;
  if (time !== 'never') return formatMs(time);
  if (percentile >= 100) return 'at least one request failed';
  return `more than ${formatShare(Math.round(1e6 - percentile * 1e4) / 1e6)} of ${WITHOUT_TIME[without]}`;
}

/** The same in a table, where there is no room for a sentence. */
export function timeCell(time: TimeMs): string {
  return time === null ? '–' : formatMs(time);
}

/** An instant as everybody reads it the same, wherever the report is opened: "2026-03-12 14:05:07 UTC". */
export function instantText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** What the stages that count put on the target at most, in a few letters: "50 connections". */
export function loadText({ stages }: Pick<RunResult, 'stages'>): string {
  const counted = stages.filter((stage) => stage.counted);
  const [first, ...others] = counted.length > 0 ? counted : stages;
  if (first === undefined) return NOT_KNOWN;
  const { level } = others.reduce((most, stage) => (stage.level.highest > most.level.highest ? stage : most), first);
  return levelText(level);
}

/** What a stage put on the server: "50 connections", "500 users", "50/s", "10 → 50/s", with its peak where that lies between. */
export function levelText({ unit, from, to, highest }: RunResult['stages'][number]['level']): string {
  if (unit !== 'arrivalsPerSecond') return many(highest, unit === 'users' ? 'user' : 'connection');
  const [first, last] = [formatNumber(from), formatNumber(to)];
  if (highest > Math.max(from, to)) return `${first} → ${formatNumber(highest)} → ${last}/s`;
  return from === to ? `${first}/s` : `${first} → ${last}/s`;
}

/** Whether it is known when requests were to start, so that response times and service times are two things. k6 does not tell it. */
export function plansStarts({ plan }: Pick<RunResult, 'plan'>): boolean {
  return plan.load.model !== 'connections' && plan.engine !== 'k6';
}

/** What a finding follows from, for texts without a table: its causes, its numbers, then what they mean. */
export function evidenceLines(finding: Pick<Finding, 'causes' | 'figures' | 'evidence'>): string[] {
  const { figures = [], evidence } = finding;
  return [...causeLines(finding), ...figures.map(({ what, value }) => `${what}: ${value}`), ...evidence];
}
