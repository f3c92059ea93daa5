import { optionError } from '../optionError.ts';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import type { RUN_FORMATS, SERIES_FORMATS, StreamItem, SEARCH_FORMATS } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { fileSafe } from '#core/base/text.ts';
import type { CliContext } from '../context.ts';
import { openTextDestination } from '../output/jsonFile.ts';
import { pdfCalledOff } from '#backend/reports/printPdf.ts';
import { READING_WHAT_WAS_MEASURED } from '#core/presentation/document/titles.ts';

export type ReportSource = { readonly runId: string } | { readonly seriesId: string } | { readonly searchId: string };

const STAGES: Readonly<Record<StreamItem<'reports.pdf'>['stage'], string>> = {
  reading: READING_WHAT_WAS_MEASURED,
  printing: 'Printing …',
  done: '',
};

/** Generates a PDF report, with progress on a terminal. Ctrl-C cancels. */
function makePdf({ source, paper = 'A4', onePage, client, context }: ReportWork): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let pdf: Uint8Array | null = null;
    const end = (act: () => void): void => {
      release();
      act();
    };
    const close = client.open(
      'reports.pdf',
      { of: source, paper, onePage },
      {
        onItem({ stage, file }) {
          if (file !== null) pdf = Buffer.from(file.base64, 'base64');
          else if (context.err.isTerminal) void context.err.write(`${STAGES[stage]}\n`);
        },
        onEnd(problem) {
          end(() => (pdf === null ? reject(problem ?? pdfCalledOff()) : resolve(pdf)));
        },
      },
    );
    const release = context.onInterrupt(() => {
      close();
      end(() => reject(pdfCalledOff()));
    });
  });
}

/** Kinds of report files, named as their options. */
export const REPORT_KINDS = ['pdf', 'html', 'md', 'json', 'csv', 'steps', 'junit', 'hlog'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

type TextKind = Exclude<ReportKind, 'pdf'>;

const RUN_FORMAT: Readonly<Record<TextKind, (typeof RUN_FORMATS)[number]>> = {
  html: 'html',
  md: 'markdown',
  json: 'json',
  csv: 'csv',
  steps: 'steps',
  junit: 'junit',
  hlog: 'hlog',
};
const SERIES_FORMAT: Readonly<Partial<Record<TextKind, (typeof SERIES_FORMATS)[number]>>> = {
  html: 'html',
  md: 'markdown',
  json: 'json',
  csv: 'csv',
  junit: 'junit',
};

const ENDINGS: Readonly<Record<ReportKind, string>> = {
  pdf: '.pdf',
  html: '.html',
  md: '.md',
  json: '.json',
  csv: '.csv',
  steps: '-steps.csv',
  junit: '-junit.xml',
  hlog: '.hlog',
};
const SEARCH_FORMAT: Readonly<Partial<Record<TextKind, (typeof SEARCH_FORMATS)[number]>>> = { html: 'html', md: 'markdown', json: 'json' };

/** Source and options of reports. */
export interface ReportWork {
  readonly source: ReportSource;
  readonly paper: Paper | undefined;
  /** Whether the report is only a summary of one page. */
  readonly onePage: boolean;
  readonly client: Client;
  readonly context: CliContext;
}

/** Generates the content of a file. Throws `BAD_OPTION` for a kind that a series or a search does not have. */
export async function reportContent(kind: ReportKind, work: ReportWork): Promise<string | Uint8Array> {
  if (kind === 'pdf') return makePdf(work);
  const { source, paper, onePage, client } = work;
  const onPaper = { onePage, ...(paper === undefined ? {} : { paper }) };
  if ('runId' in source) return (await client.call('runs.export', { ...source, format: RUN_FORMAT[kind], ...onPaper })).content;
  if ('searchId' in source) {
    const format = SEARCH_FORMAT[kind];
    if (format === undefined) throw notOf('search', 'runs', kind);
    return (await client.call('searches.export', { ...source, format, ...onPaper })).content;
  }
  const format = SERIES_FORMAT[kind];
  if (format === undefined) throw notOf('series', 'cells', kind);
  return (await client.call('series.export', { ...source, format, ...onPaper })).content;
}

function notOf(what: string, parts: string, kind: ReportKind): HoldfastError {
  return optionError(
    `A ${what} has no --${kind}; its ${parts} have one.`,
    `Name a run of it: holdfast report RUN. The JSON of the ${what} has their ids.`,
  );
}

/** Saves the reports of all runs of a series into a folder, in the order of execution. Returns the number of files. */
export async function saveCells(
  seriesId: string,
  kinds: readonly ReportKind[],
  folder: string,
  work: Omit<ReportWork, 'source'>,
): Promise<number> {
  const { client, context } = work;
  const { rows } = await client.call('series.result', { seriesId });
  const directory = resolve(context.currentDirectory, folder);
  await mkdir(directory, { recursive: true });
  let count = 0;
  for (const { runId, position, cell, repeat } of rows.flatMap(({ runs }) => runs)) {
    if (runId === null) continue;
    const name = `${String(position + 1).padStart(3, '0')}-${fileSafe(cell)}-repeat-${repeat}`;
    for (const kind of kinds) {
      const content = await reportContent(kind, { ...work, source: { runId } });
      const destination = await openTextDestination(join(directory, `${name}${ENDINGS[kind]}`), context.currentDirectory, context.out);
      try {
        await destination.save(content);
      } finally {
        await destination.discard();
      }
      count += 1;
    }
  }
  return count;
}
