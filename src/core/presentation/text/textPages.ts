import { apdexWord } from '#core/statistics/apdex.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import type { PageFigures, PagesResult } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import { textTable } from './textTable.ts';

/** “18 pages, 59 style sheets and scripts, 99 images; 381 journeys, 9,701 pages, 100,343 requests”. */
export function contentWords({ content, all }: PagesResult, { ledger }: Pick<RunResult, 'ledger'>): string {
  const { css, script, image, icon, font } = content.resources;
  const parts = [
    many(content.pages, 'page'),
    ...(css + script > 0 ? [`${formatCount(css + script)} style sheets and scripts`] : []),
    ...(image + icon > 0 ? [many(image + icon, 'image')] : []),
    ...(font > 0 ? [many(font, 'font')] : []),
  ];
  const asked = [many(ledger.journeys.started, 'journey'), many(all.started, 'page'), many(ledger.requests.sent, 'request')];
  return `${parts.join(', ')}; ${asked.join(', ')}`;
}

const COLUMNS = ['pages', 'incomplete', 'a second', 'p50', 'p95', 'max', 'Apdex', 'of requests'] as const;

/** The part of a result about whole pages; nothing where none were fetched. */
export function textPages(result: RunResult, columns?: number): string[] {
  const { pages } = result;
  if (pages === null) return [];
  const rows: [string, PageFigures][] = [
    ...pages.steps.map(({ name, figures }): [string, PageFigures] => [name, figures]),
    ...(pages.stages.length > 1 ? pages.stages.map(({ name, figures }): [string, PageFigures] => [`all, ${name}`, figures]) : []),
    ['all', pages.all],
  ];
  const left = Object.entries(pages.leftOut).map(([host, count]) => `${host} (${formatCount(count)})`);
  return [
    `Whole pages: ${contentWords(pages, result)}`,
    ...textTable({ columns: COLUMNS, rows: rows.map(([name, figures]) => [name, ...cellsOf(figures)]), width: columns }),
    `  A page is there when the last thing is there that it links to. Apdex for ${formatMs(pages.all.thresholdMs)}: of whole pages, and of all their requests by themselves.`,
    ...(left.length === 0 ? [] : [`  Links to other hosts were not followed: ${left.join(', ')}.`]),
  ];
}

function cellsOf(figures: PageFigures): string[] {
  const { complete, incomplete, completePerSecond, errorAdjusted, pageApdex, requestApdex } = figures;
  return [
    formatCount(complete + incomplete),
    formatCount(incomplete),
    formatNumber(completePerSecond),
    formatMs(errorAdjusted.p50),
    formatMs(errorAdjusted.p95),
    formatMs(errorAdjusted.max),
    apdexText(pageApdex.value),
    apdexText(requestApdex.value),
  ];
}

function apdexText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

/** “0.92 (Good)”. */
export function apdexWords(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(2)} (${apdexWord(value)})`;
}

function many(count: number, name: string): string {
  return `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}
