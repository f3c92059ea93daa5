import { optionError } from '../optionError.ts';
import { Option } from 'commander';
import { type Paper, PAPERS } from '#core/presentation/html/style.ts';
import type { Client } from '#contract/rpc/client.ts';
import { formatCount } from '#core/base/units.ts';
import { openTextDestination, type TextDestination, twoOnStandardOutput } from '../output/jsonFile.ts';
import { findRunId, findSeriesId, findSearchId, isSeriesId, isSearchId, ANY_RUN } from '../running/findRun.ts';
import { REPORT_KINDS, reportContent, type ReportKind, type ReportSource, type ReportWork, saveCells } from '../running/reportFiles.ts';
import { type AddCommand, withBackend } from './command.ts';

const STORIES: Readonly<Record<ReportKind, string>> = {
  pdf: 'the report as PDF, printed by Chromium, Chrome or Edge on this computer',
  html: 'the report as one HTML file, which needs no network',
  md: 'the report as Markdown',
  json: 'everything as JSON',
  csv: 'second by second as CSV; of a series, its table',
  steps: 'stages and steps as CSV',
  junit: 'the pass criteria as JUnit XML, for build servers',
  hlog: 'response times as a log of HDR histograms',
};

interface ReportFlags extends Readonly<Partial<Record<ReportKind, string>>> {
  readonly series?: string;
  readonly cells?: string;
  readonly paper?: Paper;
  readonly onePage?: true;
}

export const addReport: AddCommand = (program, { context }) => {
  const command = program
    .command('report')
    .description(
      'save the report of a run, a series or a search: for people (PDF, HTML, Markdown) and for programs (JSON, CSV, JUnit XML, HDR log)',
    )
    .argument('[run]', ANY_RUN)
    .option('--series <id>', 'of a series: its table first, then each cell with its runs');
  for (const kind of REPORT_KINDS) command.option(`--${kind} <file>`, STORIES[kind]);
  command
    .option('--cells <folder>', 'of a series: also a report of each run of its cells, in this folder and the same formats')
    .addOption(new Option('--paper <size>', 'paper size of a PDF or an HTML file (default for PDF: A4)').choices(PAPERS))
    .option('--one-page', 'one page of PDF, HTML or Markdown: verdict, key figures, first reasons and the main chart')
    .addHelpText('after', '\nA file - is standard output (not for a PDF). Each file appears under its name when it is complete.')
    .action(async (run: string | undefined, flags: ReportFlags) => {
      const files = wantedFiles(flags);
      await withBackend(context, async (backend) => {
        const client = backend.client();
        const work = { source: await sourceOf(client, run, flags), paper: flags.paper, onePage: flags.onePage ?? false, client, context };
        const saved = await saveAll(files, work);
        const cells = await savedCells(files, flags.cells, work);
        const told = [...saved, ...cells];
        if (told.length > 0) await context.err.write(`Saved: ${told.join(', ')}\n`);
      });
    });
};

interface WantedFile {
  readonly kind: ReportKind;
  readonly file: string;
}

/** Throws `BAD_OPTION` if no file is requested or two would go to standard output. */
function wantedFiles(flags: ReportFlags): WantedFile[] {
  const files = REPORT_KINDS.flatMap((kind) => (flags[kind] === undefined ? [] : [{ kind, file: flags[kind] }]));
  if (files.length === 0)
    throw optionError(
      'Name a format and a file.',
      `For example: holdfast report last --pdf report.pdf (options: ${REPORT_KINDS.map((kind) => `--${kind}`).join(', ')})`,
    );
  if (flags.pdf === '-') throw optionError('A PDF is not written to a terminal.', 'Name a file: --pdf report.pdf');
  if (files.filter(({ file }) => file === '-').length > 1) throw twoOnStandardOutput();
  return files;
}

async function sourceOf(client: Client, run: string | undefined, { series, cells }: ReportFlags): Promise<ReportSource> {
  if (series !== undefined && run !== undefined) throw optionError('A report is of a run or of a series.', 'Leave one of them out.');
  const named = series ?? run;
  if (named === undefined)
    throw optionError('Name a run.', 'For example: holdfast report last --html report.html. To list runs: holdfast runs');
  if (series !== undefined || isSeriesId(named)) return { seriesId: await findSeriesId(client, named) };
  if (cells !== undefined)
    throw optionError('Only a series has cells.', 'Name one: holdfast report --series ID. To list series: holdfast series');
  return isSearchId(named) ? { searchId: await findSearchId(client, named) } : { runId: await findRunId(client, named) };
}

/** Opens every file before the first is generated, and saves all at the end. Returns their names. */
async function saveAll(files: readonly WantedFile[], work: ReportWork): Promise<string[]> {
  const { context } = work;
  const opened: { readonly kind: ReportKind; readonly destination: TextDestination }[] = [];
  try {
    for (const { kind, file } of files)
      opened.push({ kind, destination: await openTextDestination(file, context.currentDirectory, context.out) });
    const made: (() => Promise<void>)[] = [];
    for (const { kind, destination } of opened) {
      const content = await reportContent(kind, work);
      made.push(() => destination.save(content));
    }
    for (const save of made) await save();
    return files.flatMap(({ file }) => (file === '-' ? [] : [file]));
  } finally {
    for (const { destination } of opened) await destination.discard();
  }
}

/** Saves the files of each cell. Returns a line with their number and folder. */
async function savedCells(files: readonly WantedFile[], folder: string | undefined, work: ReportWork): Promise<string[]> {
  if (folder === undefined || !('seriesId' in work.source)) return [];
  const kinds = files.map(({ kind }) => kind);
  const count = await saveCells(work.source.seriesId, kinds, folder, work);
  return [`${formatCount(count)} reports of cells in ${folder}`];
}
