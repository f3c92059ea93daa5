import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { getOwn } from '#core/base/ownMembers.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { formatPeopleCsv } from '#core/presentation/formats/peopleCsv.ts';
import { parseFeed } from '#core/work/feeds/parseFeed.ts';
import { namePeople } from '#core/work/feeds/peopleNames.ts';
import { type Paper, PAPERS } from '#core/presentation/html/style.ts';
import type { Client } from '#contract/rpc/client.ts';
import { formatCount } from '#core/base/units.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { StreamItem } from '#contract/api.ts';
import type { RUN_FORMATS, SERIES_FORMATS, SEARCH_FORMATS } from '#contract/replies.ts';
import { fileSafe } from '#core/base/text.ts';
import { pdfCalledOff } from '#backend/reports/printPdf.ts';
import { LOADING_MEASUREMENTS } from '#core/presentation/document/words.ts';
import { optionError } from '../output/problems.ts';
import { openTextDestination, type TextDestination, standardOutputTwice } from '../output/jsonFile.ts';
import { findRunId, findSeriesId, findSearchId, isSeriesId, isSearchId, ANY_RUN, findSide } from '../running/findRun.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { formatAnnotations } from '#core/presentation/formats/annotationFormat.ts';
import { formatComment } from '#core/presentation/formats/commentFormat.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Verdict } from '#core/result/verdict.ts';
import { readPlanFile } from '../plans/source.ts';
import { compareWithBaseline } from '../running/againstBaseline.ts';
import { MAX_POINTS } from '../running/perform.ts';
import { addTolerance, STORED_BASELINE } from './baselineOptions.ts';

const STORIES: Readonly<Record<ReportKind, string>> = {
  pdf: 'the report as PDF, printed by Chromium, Chrome or Edge on this computer',
  html: 'the report as one HTML file, which needs no network',
  md: 'the report as Markdown',
  json: 'everything as JSON',
  csv: 'second by second as CSV; of a series, its table',
  steps: 'stages and steps as CSV',
  people: 'what became of each person as CSV, by pseudonym',
  junit: 'the pass criteria as JUnit XML, for build servers',
  hlog: 'response times as a log of HDR histograms',
  sealed: 'the report with its data, signed by this installation (HTML), for holdfast verify',
};

interface ReportFlags extends Readonly<Partial<Record<ReportKind, string>>> {
  readonly series?: string;
  readonly cells?: string;
  readonly paper?: Paper;
  readonly onePage?: true;
  readonly names?: string;
  readonly format?: BuildFormat;
  readonly baseline?: string;
  readonly tolerance: number;
  readonly link?: string;
  readonly plan?: string;
}

export const addReport: AddCommand = (program, { context }) => {
  const command = program
    .command('report')
    .description('save the report of a run, a series or a search as PDF, HTML, Markdown, JSON, CSV, JUnit XML or HDR log')
    .argument('[run]', ANY_RUN)
    .option('--series <id>', 'report of a series: its table, then each cell with its runs');
  for (const kind of REPORT_KINDS) command.option(`--${kind} <file>`, STORIES[kind]);
  command
    .option('--cells <folder>', 'for a series: also save a report of each run in this folder, in the same formats')
    .addOption(new Option('--paper <size>', 'paper size of a PDF or an HTML file (default for PDF: A4)').choices(PAPERS))
    .option('--one-page', 'one page of PDF, HTML or Markdown: verdict, key figures, first reasons and the main chart')
    .option('--names <file>', 'with --people: add names of people from this file of accounts')
    .optionsGroup('In a build:')
    .addOption(
      new Option(
        '--format <form>',
        'print a comment for a pull request (at most 40 lines of Markdown), or annotations (GitHub workflow commands for criteria that did not pass)',
      ).choices(BUILD_FORMATS),
    )
    .option('--baseline <runs>', 'with --format comment: compare with these runs, or with “preset”, as in holdfast run');
  addTolerance(command)
    .option('--link <url>', 'with --format comment: address of the full report')
    .option('--plan <file>', 'with --format annotations: plan file whose lines are annotated')
    .addHelpText('after', '\nA file - is standard output (not for a PDF). Each file appears under its name when it is complete.')
    .action(async (run: string | undefined, flags: ReportFlags) => {
      const { format } = flags;
      if (format !== undefined) {
        refuseFiles(flags);
        await withClient(context, (client) => printForBuild(run, { ...flags, format }, client, context));
        return;
      }
      const files = listWantedFiles(flags);
      await withClient(context, async (client) => {
        const source = await readSource(client, run, flags);
        const { paper, onePage = false, names } = flags;
        const work = { source, paper, onePage, names, client, context };
        const saved = await saveAll(files, work);
        const cells = await saveEachCell(files, flags.cells, work);
        const reportedTexts = [...saved, ...cells];
        if (reportedTexts.length > 0) await context.err.write(`Saved: ${reportedTexts.join(', ')}\n`);
      });
    });
};

/** Throws `BAD_OPTION` if files are named together with `--format`, which prints to standard output. */
function refuseFiles(flags: ReportFlags): void {
  const named = REPORT_KINDS.find((kind) => flags[kind] !== undefined);
  if (named !== undefined) throw optionError(`--format prints and --${named} saves a file.`, 'Call the command once for each.');
}

interface WantedFile {
  readonly kind: ReportKind;
  readonly file: string;
}

/** Returns the requested files. Throws `BAD_OPTION` for none, for a PDF on standard output, and for two files there. */
function listWantedFiles(flags: ReportFlags): WantedFile[] {
  const files = REPORT_KINDS.flatMap((kind) => (flags[kind] === undefined ? [] : [{ kind, file: flags[kind] }]));
  if (files.length === 0)
    throw optionError(
      'Name a format and a file.',
      `For example: holdfast report last --pdf report.pdf (options: ${REPORT_KINDS.map((kind) => `--${kind}`).join(', ')})`,
    );
  if (flags.pdf === '-') throw optionError('A PDF is not written to a terminal.', 'Name a file: --pdf report.pdf');
  if (files.filter(({ file }) => file === '-').length > 1) throw standardOutputTwice();
  return files;
}

async function readSource(client: Client, run: string | undefined, { series, cells }: ReportFlags): Promise<ReportSource> {
  if (series !== undefined && run !== undefined) throw optionError('A report is of a run or of a series.', 'Leave one of them out.');
  const id = series ?? run;
  if (id === undefined)
    throw optionError('Name a run.', 'For example: holdfast report last --html report.html. To list runs: holdfast runs');
  if (series !== undefined || isSeriesId(id)) return { seriesId: await findSeriesId(client, id) };
  if (cells !== undefined)
    throw optionError('Only a series has cells.', 'Name one: holdfast report --series ID. To list series: holdfast series');
  return isSearchId(id) ? { searchId: await findSearchId(client, id) } : { runId: await findRunId(client, id) };
}

/** Opens all files before the first report is generated, and saves them at the end. Returns their names. */
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
async function saveEachCell(files: readonly WantedFile[], folder: string | undefined, work: ReportWork): Promise<string[]> {
  if (folder === undefined || !('seriesId' in work.source)) return [];
  const kinds = files.map(({ kind }) => kind);
  const count = await saveCells(work.source.seriesId, kinds, folder, work);
  return [`${formatCount(count)} reports of cells in ${folder}`];
}

type ReportSource = { readonly runId: string } | { readonly seriesId: string } | { readonly searchId: string };

const STAGES: Readonly<Record<StreamItem<'reports.pdf'>['stage'], string>> = {
  reading: LOADING_MEASUREMENTS,
  printing: 'Printing …',
  done: '',
};

/** Generates a PDF report, and shows progress on a terminal. Ctrl-C cancels it. */
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

/** Kinds of report files. Each is named like its option. */
const REPORT_KINDS = ['pdf', 'html', 'md', 'json', 'csv', 'steps', 'people', 'junit', 'hlog', 'sealed'] as const;
type ReportKind = (typeof REPORT_KINDS)[number];

type TextKind = Exclude<ReportKind, 'pdf'>;

const RUN_FORMAT: Readonly<Record<TextKind, (typeof RUN_FORMATS)[number]>> = {
  html: 'html',
  md: 'markdown',
  json: 'json',
  csv: 'csv',
  steps: 'steps',
  people: 'people',
  junit: 'junit',
  hlog: 'hlog',
  sealed: 'sealed',
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
  people: '-people.csv',
  junit: '-junit.xml',
  hlog: '.hlog',
  sealed: '-sealed.html',
};
const SEARCH_FORMAT: Readonly<Partial<Record<TextKind, (typeof SEARCH_FORMATS)[number]>>> = { html: 'html', md: 'markdown', json: 'json' };

interface ReportWork {
  readonly source: ReportSource;
  readonly paper: Paper | undefined;
  readonly onePage: boolean;
  /** Accounts file with the names of people; undefined to print pseudonyms. */
  readonly names: string | undefined;
  readonly client: Client;
  readonly context: CliContext;
}

/** Generates the content of a file. Throws `BAD_OPTION` for a kind that a series or a search does not have. */
async function reportContent(kind: ReportKind, work: ReportWork): Promise<string | Uint8Array> {
  if (kind === 'pdf') return makePdf(work);
  const { source, paper, onePage, client } = work;
  const onPaper = { onePage, ...(paper === undefined ? {} : { paper }) };
  if ('runId' in source && kind === 'people' && work.names !== undefined) return namedPeopleCsv(source.runId, work.names, work);
  if ('runId' in source) return (await client.call('runs.export', { ...source, format: RUN_FORMAT[kind], ...onPaper })).content;
  if ('searchId' in source) {
    const format = SEARCH_FORMAT[kind];
    if (format === undefined) throw noSuchReport('search', 'runs', kind);
    return (await client.call('searches.export', { ...source, format, ...onPaper })).content;
  }
  const format = SERIES_FORMAT[kind];
  if (format === undefined) throw noSuchReport('series', 'cells', kind);
  return (await client.call('series.export', { ...source, format, ...onPaper })).content;
}

/**
 * Returns the CSV of people, with names from a file. Throws `BAD_OPTION` if the file cannot be read, or if the plan does not show who had
 * which row.
 */
async function namedPeopleCsv(runId: string, file: string, { client, context }: ReportWork): Promise<string> {
  const result = await client.call('runs.result', { runId });
  const { plan, people } = result;
  const owner = listPlaceholderNames(plan.people?.name ?? '').map((name) => readValueName(name).owner)[0] ?? null;
  const feed = owner === null ? undefined : getOwn(plan.feeds ?? {}, owner);
  if (people === undefined || owner === null || feed === undefined)
    throw optionError(
      'The plan of this run does not say how people are named.',
      'Add people: name to the plan, for example {{account.user}}.',
    );
  if (feed.order === 'once')
    throw optionError(
      `Rows of “${owner}” are used once, so the file no longer shows who had which.`,
      'Leave out --names, or use order: unique.',
    );
  const text = await readFile(resolve(context.currentDirectory, file), 'utf8').catch(() => {
    throw optionError(`${file} cannot be read.`, 'Name the file of accounts that the run used.');
  });
  return formatPeopleCsv(result, namePeople(plan, people.rows, owner, parseFeed(text, { ...feed, file })));
}

function noSuchReport(what: string, parts: string, kind: ReportKind): HoldfastError {
  return optionError(
    `A ${what} has no --${kind}; its ${parts} have one.`,
    `Name a run of it: holdfast report RUN. The JSON of the ${what} has their ids.`,
  );
}

/** Saves the reports of all runs of a series into a folder, in the order of execution. Returns the number of files. */
async function saveCells(
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

/** Formats in which a result is printed for a build. */
const BUILD_FORMATS = ['comment', 'annotations'] as const;
type BuildFormat = (typeof BUILD_FORMATS)[number];

interface BuildFlags {
  readonly format: BuildFormat;
  readonly baseline?: string;
  readonly tolerance: number;
  readonly link?: string;
  readonly plan?: string;
}

/** Prints a run, or a series that repeats one test, for a build. Throws `BAD_OPTION` for a search and for options that do not fit. */
async function printForBuild(id: string | undefined, flags: BuildFlags, client: Client, context: CliContext): Promise<void> {
  if (id === undefined || isSearchId(id))
    throw optionError('--format needs a run or a series of repeats.', 'For example: holdfast report last --format comment');
  const runIds = isSeriesId(id) ? (await findSide(client, id)).runIds : [await findRunId(client, id)];
  const results: RunResult[] = [];
  for (const runId of runIds) results.push(await client.call('runs.result', { runId, maxPoints: MAX_POINTS }));
  const result = findWorst(results);
  await context.out.write(
    flags.format === 'annotations'
      ? await annotationsText(result, flags, context)
      : formatComment({
          result,
          runCount: results.length,
          comparison: await readComparison(runIds, flags.baseline, client),
          tolerance: flags.tolerance,
          reportUrl: checkLink(flags.link),
        }),
  );
}

/** Outcomes, worst first. */
const SEVERITY: readonly Verdict['outcome'][] = ['failed', 'inconclusive', 'passed', 'measured'];

function findWorst(results: readonly RunResult[]): RunResult {
  const [worst] = results.toSorted((one, other) => SEVERITY.indexOf(one.verdict.outcome) - SEVERITY.indexOf(other.verdict.outcome));
  if (worst !== undefined) return worst;
  throw new HoldfastError({ code: 'NOT_WHOLE', message: 'The series has no runs: none was started.', hint: 'To list runs: holdfast runs' });
}

async function annotationsText(result: RunResult, { plan }: BuildFlags, { currentDirectory }: CliContext): Promise<string> {
  if (plan === undefined)
    throw optionError('Name the plan file.', 'For example: holdfast report last --format annotations --plan load/plan.yaml');
  return formatAnnotations(result, { path: plan, text: await readPlanFile(plan, currentDirectory) });
}

async function readComparison(runIds: readonly string[], baseline: string | undefined, client: Client): Promise<Comparison | null> {
  if (baseline === undefined) return null;
  return compareWithBaseline(baseline === STORED_BASELINE ? null : await findSide(client, baseline), runIds, client);
}

/** Returns the link. Throws `BAD_OPTION` unless it is an http or https address. */
function checkLink(link: string | undefined): string | undefined {
  if (link === undefined || (/^https?:\/\//i.test(link) && URL.canParse(link))) return link;
  throw optionError('The link is not an address.', 'For example: --link https://ci.example.org/artifacts/load.html');
}
