import type { SeriesResult } from '#core/series/result.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import { formatNotJudged } from '#core/judgement/verdict/notJudged.ts';
import { formatCount } from '#core/base/units.ts';
import { listTargets } from '#core/plan/url.ts';
import type { Block, BlockOf, Cell, Report } from '../document/model.ts';
import { formatEndedEarly, runReport } from '../document/runReport.ts';
import { seriesReport } from '../document/seriesReport.ts';
import { searchReport } from '../document/searchReport.ts';
import { evidenceLines, FINDING_WORDS, TITLES, listReportedReasons } from '../document/words.ts';
import { criterionTable } from '../document/evidence.ts';
import { headFigures } from '../document/headFigures.ts';
import { foldText, passageLines, textTable, WIDE_COLUMNS } from './textTable.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';
import { formatAfterOutcome } from '#core/judgement/verdict/labels.ts';

/** Sections that are omitted on a terminal. Other reports contain them. */
const OMITTED_SECTIONS: ReadonlySet<string> = new Set(['commands', 'method', 'repeat', 'validity']);

const OUTCOME_MARKS: Readonly<Record<Verdict['outcome'], string>> = { passed: '✓', failed: '✗', inconclusive: '–', measured: '·' };

/**
 * Formats the result of a run for a terminal of `width` columns (default 100): the verdict, the reasons, then the figures. It is plain text
 * without colours.
 */
export function formatText(result: RunResult, width?: number): string {
  return reportText(runReport(result), width);
}

export function formatSeriesText(result: SeriesResult): string {
  return reportText(seriesReport(result), WIDE_COLUMNS);
}

export function formatSearchText(result: SearchResult): string {
  return reportText(searchReport(result), WIDE_COLUMNS);
}

/** Formats a report as plain text. The first section has no title. Charts are omitted, because tables contain their figures. */
function reportText({ title, facts, sections, origin }: Report, width?: number): string {
  const parts = sections
    .filter(({ id }) => !OMITTED_SECTIONS.has(id))
    .map(({ title: name, blocks }, place) => {
      const lines = blocksLines(blocks, width);
      return place === 0 || lines.length === 0 ? lines : [name, '='.repeat(name.length), ...lines];
    });
  return `${[...parts, [[title, ...facts].join(' · '), origin]]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function blocksLines(blocks: readonly Block[], width: number | undefined): string[] {
  return blocks.flatMap((block, place) => {
    const lines = blockLines(block, width);
    const before = blocks[place - 1]?.kind;
    const isTogether =
      before === undefined || before === 'heading' || (block.kind === 'text' && (before === 'text' || before === 'verdict'));
    return isTogether || lines.length === 0 ? lines : ['', ...lines];
  });
}

function blockLines(block: Block, width: number | undefined): string[] {
  switch (block.kind) {
    case 'verdict':
      return [`${OUTCOME_MARKS[block.outcome]} ${block.title}${formatAfterOutcome(block)}`];
    case 'tiles':
      return block.tiles.map(({ name, value, note }) => `  ${name}: ${value} (${note})`);
    case 'finding':
      return findingLines(block);
    case 'chart':
    case 'levels':
    case 'bars':
    case 'percentiles':
    case 'heatmap':
    case 'film':
    case 'code':
      return [];
    default:
      return passageLines([block], width);
  }
}

function findingLines({ finding }: BlockOf<'finding'>): string[] {
  return [
    `${FINDING_WORDS[finding.level]}: ${finding.sentence}`,
    ...evidenceLines(finding).map((line) => `  · ${line}`),
    `  ${finding.remedy}`,
  ];
}

const SUMMARY_COLUMNS = 80;
/** Maximum number of lines of a summary at 80 columns or more. */
export const MAX_SUMMARY_LINES = 40;
const MAX_CRITERIA = 6;
const MAX_NEXT_STEPS = 2;
/** Number of lines at the end of a summary: an empty line and the two lines of {@link closingLines}. */
const CLOSING_LINES = 3;

/**
 * Formats the result of a run for one screen: verdict, reasons, main figures, criteria and findings. `formatText` also contains the rest.
 */
export function formatSummary(result: RunResult, width = SUMMARY_COLUMNS, maxLines = MAX_SUMMARY_LINES): string {
  const { verdict } = result;
  const head = [
    ...foldText(`${OUTCOME_MARKS[verdict.outcome]} ${verdict.sentence}`, width),
    ...paragraph(formatNotJudged(verdict), width),
    ...paragraph(formatEndedEarly(result.run), width),
    '',
    ...headFigures(result).flatMap(({ name, value, note }) => item(`${name}: ${value} (${note})`, width)),
  ];
  const parts = [
    titledList(
      'Why',
      listReportedReasons(verdict.reasons).map(({ text }) => text),
      width,
    ),
    criteriaLines(result.criteria, width),
    ...findings(result.findings, width),
    titledList(
      TITLES.next,
      verdict.next.slice(0, MAX_NEXT_STEPS).map(({ label, explanation }) => `${label}. ${explanation}`),
      width,
    ),
  ].filter((lines) => lines.length > 0);
  const lines = [...head];
  let isCut = false;
  for (const part of parts) {
    if (lines.length + part.length + 1 + CLOSING_LINES <= maxLines) lines.push('', ...part);
    else isCut = true;
  }
  return `${[...lines, '', ...closingLines(result, isCut)].join('\n')}\n`;
}

/** Indents each line by two spaces. */
function paragraph(text: string, width: number): string[] {
  return text === '' ? [] : foldText(text, width - 2).map((line) => `  ${line.trimStart()}`);
}

/** Formats an item like a paragraph, with all lines but the first indented by two more spaces. */
function item(text: string, width: number): string[] {
  return foldText(text, width - 2).map((line) => `  ${line}`);
}

function titledList(title: string, items: readonly string[], width: number): string[] {
  return items.length === 0 ? [] : [title, ...items.flatMap((text) => item(`- ${text}`, width))];
}

/** Lists the pass criteria, failed ones first. */
function criteriaLines(criteria: readonly CriterionResult[], width: number): string[] {
  const order = ['failed', 'unknown', 'passed'];
  const sorted = criteria.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  const rest = sorted.length - MAX_CRITERIA;
  return criterionTable(TITLES.criteria, sorted.slice(0, MAX_CRITERIA)).flatMap(({ title, columns, rows }) => {
    const keptColumns = columns.flatMap(({ name }, at) => (['Criterion', 'Outcome', 'Where', 'Measured'].includes(name) ? [at] : []));
    const briefTable = {
      columns: keptColumns.flatMap((at) => columns[at] ?? []),
      rows: rows.map((cells) => keptColumns.map((at) => textOf(cells[at] ?? ''))),
    };
    return [title, ...textTable(briefTable, width), ...(rest > 0 ? [`  ${formatCount(rest)} more`] : [])];
  });
}

/** Returns the text of a cell without its reason, because the list “Why” contains the reason. */
function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Lists problems and warnings, each with a remedy. */
function findings(all: readonly Finding[], width: number): string[][] {
  return all
    .filter(({ level }) => level !== 'info')
    .map(({ level, sentence, remedy }) => [...foldText(`${FINDING_WORDS[level]}: ${sentence}`, width), ...paragraph(remedy, width)]);
}

/** Returns the last lines, which state how to print all figures. */
function closingLines({ run, plan }: RunResult, isCut: boolean): string[] {
  const target = listTargets(plan)
    .map(({ url }) => url)
    .join(', ');
  return [`${run.name} · ${target}`, `${isCut ? 'More findings and all' : 'All'} figures: holdfast show ${run.id} --full`];
}
