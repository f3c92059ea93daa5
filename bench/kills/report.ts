import { formatFigure, markdownTable } from '../output/table.ts';
import type { Findings } from './examine.ts';

/** A kill with its findings. */
export interface TrialReport extends Findings {
  readonly place: string;
  readonly where: string;
  /** Number of the trial. With it and the seed, the trial can be reproduced. */
  readonly trial: number;
}

export interface KillsReport {
  readonly startedAt: string;
  readonly seed: number;
  readonly struck: readonly TrialReport[];
  /** Crash points that are impossible on this machine, each with the reason. */
  readonly missing: readonly { readonly place: string; readonly why: string }[];
}

export const isRecovered = ({ problems }: Pick<Findings, 'problems'>): boolean => problems.length === 0;

/** Returns a table of the kills, and everything that Holdfast did not recover. */
export function makeMarkdown({ startedAt, seed, struck, missing }: KillsReport): string {
  const rows = new Map<string, TrialReport[]>();
  for (const one of [...struck].sort((a, b) => a.place.localeCompare(b.place) || a.where.localeCompare(b.where))) {
    const row = `${one.place}\0${one.where}`;
    rows.set(row, [...(rows.get(row) ?? []), one]);
  }
  const bad = struck.filter((one) => !isRecovered(one));
  return [
    `# Kills of ${startedAt}`,
    `${struck.length - bad.length} of ${struck.length} recovered. Seed ${seed}.`,
    markdownTable(
      ['what', 'where', 'times', 'recovered', 'most lost, s', 'out of balance', 'left-over processes'],
      [...[...rows.values()].map((those) => rowOf(those)), rowOf(struck, 'all', '')],
    ),
    ...missing.map(({ place, why }) => `Not tried: ${place}. ${why}`),
    ...bad.map(({ trial, place, where, problems }) => `- Trial ${trial}, ${place}, ${where}: ${problems.join('; ')}`),
  ].join('\n\n');
}

function rowOf(struck: readonly TrialReport[], place = struck[0]?.place ?? '', where = struck[0]?.where ?? ''): string[] {
  const lost = struck.flatMap(({ lostSeconds }) => lostSeconds ?? []);
  const sumOf = (of: (one: TrialReport) => number): string => String(struck.reduce((sum, one) => sum + of(one), 0));
  return [
    place,
    where,
    String(struck.length),
    String(struck.filter(isRecovered).length),
    formatFigure(lost.length === 0 ? null : Math.max(...lost), 1),
    sumOf(({ outOfBalance }) => outOfBalance),
    sumOf(({ leftOver }) => leftOver),
  ];
}
