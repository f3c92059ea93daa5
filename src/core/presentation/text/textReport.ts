import type { SeriesResult } from '#core/series/result.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { RunResult, Verdict } from '#core/result/schema.ts';
import type { Block, BlockOf, Report } from '../document/model.ts';
import { runReport } from '../document/runReport.ts';
import { seriesReport } from '../document/seriesReport.ts';
import { searchReport } from '../document/searchReport.ts';
import { evidenceLines, FINDING_WORDS } from '../document/words.ts';
import { passageLines, WIDE_COLUMNS } from './textTable.ts';

/** Sections omitted on a terminal; the reports contain them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['commands', 'method', 'repeat', 'validity']);

export const MARKS: Readonly<Record<Verdict['outcome'], string>> = { passed: '✓', failed: '✗', inconclusive: '–', measured: '·' };

/** Formats the result of a run for a terminal of `width` columns (default 100): the verdict, the reasons, then the figures. Plain text without colours. */
export function formatText(result: RunResult, width?: number): string {
  return reportText(runReport(result), width);
}

/** Formats the result of a series for a terminal. */
export function formatSeriesText(result: SeriesResult): string {
  return reportText(seriesReport(result), WIDE_COLUMNS);
}

/** Formats the result of a search for a terminal. */
export function formatSearchText(result: SearchResult): string {
  return reportText(searchReport(result), WIDE_COLUMNS);
}

/** Formats a report as plain text. The first section has no title; charts are omitted, because tables have their figures. */
function reportText({ title, facts, sections, origin }: Report, width?: number): string {
  const parts = sections
    .filter(({ id }) => !LEFT_OUT.has(id))
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
      return [`${MARKS[block.outcome]} ${block.sentence}`];
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
