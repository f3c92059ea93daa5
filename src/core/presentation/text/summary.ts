import { notJudgedWords } from '#core/judgement/verdict/notJudged.ts';
import { formatCount } from '#core/base/units.ts';
import type { Finding, CriterionResult, RunResult } from '#core/result/schema.ts';
import { criterionTable } from '../document/evidence.ts';
import type { Cell } from '../document/model.ts';
import { headFigures } from '../document/headFigures.ts';
import { toldReasons } from '../document/reasons.ts';
import { endedEarlyWords } from '../document/runReport.ts';
import { TITLES } from '../document/titles.ts';
import { FINDING_WORDS } from '../document/words.ts';
import { folded, textTable } from './textTable.ts';
import { MARKS } from './textReport.ts';
import { allTargets } from '#core/plan/targets.ts';

const SUMMARY_COLUMNS = 80;
/** Maximum number of lines of a summary at 80 columns or more. */
export const MAX_SUMMARY_LINES = 40;
const MAX_CRITERIA = 6;
const MAX_NEXT_STEPS = 2;
/** Number of lines at the end of a summary: an empty line and the two lines of {@link closing}. */
const CLOSING_LINES = 3;

/** Formats the result of a run for one screen: verdict, reasons, main figures, criteria and findings. `formatText` has the rest. */
export function formatSummary(result: RunResult, width = SUMMARY_COLUMNS): string {
  const { verdict } = result;
  const head = [
    ...folded(`${MARKS[verdict.outcome]} ${verdict.sentence}`, width),
    ...paragraph(notJudgedWords(verdict), width),
    ...paragraph(endedEarlyWords(result.run), width),
    '',
    ...headFigures(result).flatMap(({ name, value, note }) => item(`${name}: ${value} (${note})`, width)),
  ];
  const parts = [
    titled(
      'Why',
      toldReasons(verdict.reasons).map(({ text }) => text),
      width,
    ),
    criteriaLines(result.criteria, width),
    ...findings(result.findings, width),
    titled(
      TITLES.next,
      verdict.next.slice(0, MAX_NEXT_STEPS).map(({ label, explanation }) => `${label}. ${explanation}`),
      width,
    ),
  ].filter((lines) => lines.length > 0);
  const lines = [...head];
  let isCut = false;
  for (const part of parts) {
    if (lines.length + part.length + 1 + CLOSING_LINES <= MAX_SUMMARY_LINES) lines.push('', ...part);
    else isCut = true;
  }
  return `${[...lines, '', ...closing(result, isCut)].join('\n')}\n`;
}

/** Indents each line by two spaces. */
function paragraph(text: string, width: number): string[] {
  return text === '' ? [] : folded(text, width - 2).map((line) => `  ${line.trimStart()}`);
}

/** Like a paragraph, with the second and further lines indented by two more spaces. */
function item(text: string, width: number): string[] {
  return folded(text, width - 2).map((line) => `  ${line}`);
}

function titled(title: string, items: readonly string[], width: number): string[] {
  return items.length === 0 ? [] : [title, ...items.flatMap((text) => item(`- ${text}`, width))];
}

/** Lists the pass criteria, failed ones first. */
function criteriaLines(criteria: readonly CriterionResult[], width: number): string[] {
  const order = ['failed', 'unknown', 'passed'];
  const sorted = criteria.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  const rest = sorted.length - MAX_CRITERIA;
  return criterionTable(TITLES.criteria, sorted.slice(0, MAX_CRITERIA)).flatMap(({ title, columns, rows }) => {
    const kept = columns.flatMap(({ name }, at) => (['Criterion', 'Outcome', 'Where', 'Measured'].includes(name) ? [at] : []));
    const brief = {
      columns: kept.flatMap((at) => columns[at] ?? []),
      rows: rows.map((cells) => kept.map((at) => textOf(cells[at] ?? ''))),
    };
    return [title, ...textTable(brief, width), ...(rest > 0 ? [`  ${formatCount(rest)} more`] : [])];
  });
}

/** Returns the text of a cell without its reason, which the list “Why” has. */
function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Lists problems and warnings, each with its remedy. */
function findings(all: readonly Finding[], width: number): string[][] {
  return all
    .filter(({ level }) => level !== 'info')
    .map(({ level, sentence, remedy }) => [...folded(`${FINDING_WORDS[level]}: ${sentence}`, width), ...paragraph(remedy, width)]);
}

/** Returns the last lines, which say how to print all figures. */
function closing({ run, plan }: RunResult, isCut: boolean): string[] {
  const target = allTargets(plan)
    .map(({ url }) => url)
    .join(', ');
  return [`${run.name} · ${target}`, `${isCut ? 'More findings and all' : 'All'} figures: holdfast show ${run.id} --full`];
}
