import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchOptions } from '#backend/browser/openBrowser.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import type { Report } from '#core/presentation/document/model.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import type { RunResult } from '#core/result/schema.ts';
import { poppler } from '../testing/poppler.ts';

interface PaperLine {
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

/** One browser for all reports. How the browser is started is tested in printPdf.test.ts. */
let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ ...launchOptions(browserOfWalks() ?? chromium.executablePath()), headless: true });
});
afterAll(() => browser.close());

/** Page margins in points. */
const [TOP, BOTTOM] = [42.5, 48.2];

/** Returns the lines of each page from top to bottom, and the lowest position that they reach, without the text in the margins. */
async function pagesOf(report: Report): Promise<{ readonly used: number; readonly lines: readonly PaperLine[] }[]> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-pages-'));
  try {
    const file = join(directory, 'report.pdf');
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.setContent(renderHtml(report, 'A4'));
    await page.pdf({ path: file, preferCSSPageSize: true, printBackground: true });
    await page.close();
    const layout = await poppler('pdftotext', ['-bbox-layout', file, '-']);
    return layout
      .split('<page ')
      .slice(1)
      .map((page) => {
        const height = Number(/height="([\d.]+)"/.exec(page)?.[1]);
        const lines = [...page.matchAll(/<line [^>]*yMin="([\d.]+)"[^>]*yMax="([\d.]+)">(.*?)<\/line>/gs)]
          .map(([, top, bottom, words = '']) => ({
            top: Number(top),
            bottom: Number(bottom),
            text: [...words.matchAll(/<word [^>]*>([^<]*)</g)].map(([, word]) => word).join(' '),
          }))
          .filter(({ top }) => top < height - BOTTOM)
          .sort((one, other) => one.bottom - other.bottom);
        return { used: ((lines.at(-1)?.bottom ?? TOP) - TOP) / (height - TOP - BOTTOM), lines };
      });
  } finally {
    await rm(directory, { recursive: true });
  }
}

function listHeadings({ sections }: Report): Set<string> {
  return new Set(
    sections.flatMap(({ title, blocks }) => [
      title,
      ...blocks.flatMap((block) =>
        block.kind === 'heading'
          ? [block.text]
          : block.kind === 'list' || block.kind === 'pairs' || block.kind === 'table' || block.kind === 'code'
            ? [block.title]
            : [],
      ),
    ]),
  );
}

const sample = sampleResult();
const [finding] = sample.findings;
/** Varies the number of reasons, findings and criteria, so that blocks begin at different heights of a page. */
const lengthenResult = (count: number): RunResult => ({
  ...sample,
  verdict: {
    ...sample.verdict,
    next: Array.from({ length: count }, (_, at) => ({
      kind: `${at}`,
      label: 'Repeat the run',
      explanation: 'One run does not show how much runs vary.',
      plan: null,
    })),
  },
  findings: finding === undefined ? [] : Array.from({ length: count }, () => finding),
  criteria: Array.from({ length: count }, () => sample.criteria).flat(),
});

const RUNS: readonly (readonly [name: string, result: RunResult])[] = [
  ['a run', sample],
  ['a run of arrivals', arrivalsResult()],
  ['a run of a second', sampleResult({ windows: sample.windows.slice(0, 1), durationSeconds: 0.6 })],
  [
    'a run that failed',
    sampleResult({
      run: { ...sample.run, state: 'failed', endedBecause: { code: 'failure', text: 'The disk was full.' } },
      windows: [],
      criteria: [],
    }),
  ],
  ...[3, 5, 8, 13].map((count) => [`a run with ${count} of each`, lengthenResult(count)] as const),
];

it.each(RUNS)('the PDF fills the pages of %s, and ends no page with a heading', async (_name, result) => {
  const report = runReport(result);
  const pages = await pagesOf(report);
  const headings = listHeadings(report);
  expect(pages.length).toBeGreaterThan(1);
  for (const [at, { used, lines }] of pages.entries()) {
    if (at < pages.length - 1) expect(used, `page ${at + 1} of ${pages.length}`).toBeGreaterThan(1 / 3);
    expect(headings, `the end of page ${at + 1}`).not.toContain(lines.at(-1)?.text);
  }
});

/** Builds a report with tables of the given lengths, each with a heading and a sentence, so that the tables begin at different heights. */
function tablesReport(rowCounts: readonly number[]): Report {
  const [start, pad] = [{ kind: 'heading', text: 'Pad' } as const, { kind: 'text', text: 'A line in between.' } as const];
  return {
    title: 'Tables',
    facts: [],
    origin: '',
    sections: rowCounts.map((count, at) => ({
      id: `s${at}`,
      title: `Section ${at}`,
      blocks: [
        start,
        ...Array.from({ length: (at * 7) % 23 }, () => pad),
        { kind: 'heading', text: `Heading ${at}` },
        { kind: 'text', text: `Introduction ${at}` },
        {
          kind: 'table',
          title: `Table ${at}`,
          columns: [{ name: `Name ${at}` }, { name: 'Figure', numeric: true }],
          rows: Array.from({ length: count }, (_, row) => [`t${at} row ${row}`, `${row}`]),
        },
      ],
    })),
  };
}

it('the PDF starts each table below its heading and leaves no single row on a page', async () => {
  const pages = await pagesOf(tablesReport(Array.from({ length: 36 }, (_, at) => 14 + (at % 5))));
  expect(pages.length).toBeGreaterThan(15);
  for (const [at, { lines }] of pages.entries()) {
    const rows = new Map<string, number>();
    for (const { text } of lines) {
      const [, table] = /^(t\d+) row/.exec(text) ?? [];
      if (table !== undefined) rows.set(table, (rows.get(table) ?? 0) + 1);
    }
    for (const [table, count] of rows) expect(count, `rows of ${table} on page ${at + 1}`).toBeGreaterThan(1);
    expect(lines.at(-1)?.text, `the end of page ${at + 1}`).not.toMatch(/^(Heading|Introduction|Table|Name|Section|Pad)/);
  }
});

it('the PDF prints a long plan in two columns', async () => {
  const text = Array.from({ length: 90 }, (_, line) => `line-${line}:`).join('\n');
  const report: Report = {
    title: 'Code',
    facts: [],
    origin: '',
    sections: [{ id: 'plan', title: 'Plan', blocks: [{ kind: 'code', title: 'Plan', text }] }],
  };
  const pages = await pagesOf(report);
  const lines = pages.flatMap(({ lines: all }) => all);
  expect(lines.map(({ text: line }) => line)).toEqual(expect.arrayContaining(text.split('\n')));
  // Lines that are next to each other in two columns have the same height.
  expect(new Set(lines.filter(({ text: line }) => line.startsWith('line-')).map(({ top }) => Math.round(top))).size).toBeLessThan(60);
});
