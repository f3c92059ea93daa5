import { formatCount, formatMs, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatVisitor, listWatched } from '#core/plan/watchPages.ts';
import type { BellResult } from '#core/result/bells.ts';
import type { RunResult } from '#core/result/schema.ts';
import { type Filmstrip, findHighest, type Visit, type VisitFigures, type VisitMedian, type VisitsResult } from '#core/result/visits.ts';
import { type BlockOf, numbers, column, type Passage, pairs, table, text, type RichCell } from './model.ts';
import { formatElapsed } from '../charts/units.ts';
import { withoutAbsent } from '#core/base/lists.ts';

type Visits = Pick<RunResult, 'visits'>;
type Page = VisitsResult['pages'][number];

interface Row {
  readonly name: string;
  readonly figures: VisitFigures;
}

/** Returns a row for each page and step that visitors with a browser opened. */
export function visitOverview({ visits }: Visits): Passage[] {
  return visits === null ? [] : [...introduction(visits), ...overview(visits)];
}

/** Returns a table for each page, with a row for each part of the run. */
export function visitTables({ visits }: Visits): Passage[] {
  if (visits === null) return [];
  const { pages, browserCores } = visits;
  return [
    ...pages.flatMap((page) => (page.kind === 'journey' ? journeyTable(page) : pageTable(page))),
    ...pairs('The browser itself', browserCores === null ? [] : [['Processor during a visit', `${formatNumber(browserCores)} cores`]]),
  ];
}

/** Returns the overview and all tables. For a single page, the table replaces the overview. */
export function visitBlocks({ visits }: Visits): Passage[] {
  if (visits === null) return [];
  return [...introduction(visits), ...(visits.pages.length === 1 ? [] : overview(visits)), ...visitTables({ visits })];
}

function introduction({ pages, browser, from }: VisitsResult): Passage[] {
  return text(
    `A real browser (${browser}) visited beside the load${from === null ? '' : `, seen from ${from}`}. Times are medians with their 95 % interval, from the start of the navigation${pages.some(({ kind }) => kind === 'step') ? ', of steps from their click' : ''}. Visits that ${from ?? 'this computer'} slowed count for nothing.`,
  );
}

function overview({ pages }: VisitsResult): Passage[] {
  const explanation = 'Largest Contentful Paint; of a journey, of all its steps together.';
  const all = ({ before, stages, after }: Page): VisitFigures[] =>
    [before, ...stages.map(({ figures }) => figures), after].flatMap((figures) => figures ?? []);
  const sumOf = (page: Page, field: 'visits' | 'slowed' | 'failed'): string =>
    formatCount(all(page).reduce((sum, figures) => sum + figures[field], 0));
  return table('Time until the largest paint', pages, [
    column('Page', ({ kind, name }) => ({ text: kind === 'journey' ? `${name}, all steps` : name, isPart: kind === 'step' })),
    numbers('Without load', ({ before }) => timeCell(before?.largestPaintMs ?? null), { explanation }),
    numbers('Highest load', ({ stages }) => timeCell(findHighest(stages)?.figures.largestPaintMs ?? null), { explanation }),
    numbers('Visits', (page) => sumOf(page, 'visits')),
    numbers('Slowed', (page) => sumOf(page, 'slowed')),
    numbers('Failed', (page) => sumOf(page, 'failed')),
  ]);
}

function titleOf(page: Page): string {
  const about = formatVisitor(page);
  const of = page.journey === null ? '' : `, step of “${page.journey}”`;
  return `${page.kind === 'journey' ? 'Journey' : 'Visits of'} “${page.name}”${of}${about === '' ? '' : ` (${about})`}`;
}

function journeyTable(page: Page): Passage[] {
  return table(
    titleOf(page),
    rowsOf(page),
    [
      column('Load', ({ name }) => name),
      numbers('Visits', ({ figures }) => countCell(figures)),
      numbers('Waited in all', ({ figures }) => timeCell(figures.largestPaintMs), {
        explanation: 'The largest paints of all steps together, without the pauses between them. Of visits that saw every step.',
      }),
      numbers('Failed', ({ figures }) => formatCount(figures.failed)),
    ],
    describePage(page),
  );
}

function pageTable(page: Page): Passage[] {
  return table(
    titleOf(page),
    rowsOf(page),
    withoutAbsent([
      column('Load', ({ name }) => name),
      numbers('Visits', ({ figures }) => countCell(figures)),
      numbers('First byte', ({ figures }) => timeCell(figures.firstByteMs)),
      numbers('First paint', ({ figures }) => timeCell(figures.firstPaintMs)),
      numbers('Largest paint', ({ figures }) => timeCell(figures.largestPaintMs), {
        explanation: 'Largest Contentful Paint: until the largest picture or text in view was painted.',
      }),
      numbers('Usable', ({ figures }) => timeCell(figures.usableMs), {
        explanation: 'Painted, own scripts run, and half a second without a task of 50 ms or more.',
      }),
      numbers('Layout shift', ({ figures }) => medianCell(figures.layoutShift, (value) => value.toFixed(2)), {
        explanation: 'Cumulative Layout Shift: how much of the page moved while it loaded. 0.1 or less is good.',
      }),
      page.click !== null &&
        numbers<Row>('Click', ({ figures }) => timeCell(figures.clickMs), {
          explanation: 'From the click until the next paint, once the page was usable. 200 ms or less is good.',
        }),
      numbers('Requests', ({ figures }) => (figures.requests === null ? '–' : formatNumber(figures.requests.median)), { minor: true }),
      numbers('Files missing', ({ figures }) => formatCount(Object.values(figures.missing).reduce((sum, count) => sum + count, 0)), {
        minor: true,
      }),
    ]),
    describePage(page),
  );
}

function rowsOf({ before, stages, after }: Page): Row[] {
  return [
    ...(before === null ? [] : [{ name: 'Without load, before', figures: before }]),
    ...stages.map(({ name, figures }) => ({ name, figures })),
    ...(after === null ? [] : [{ name: 'Without load, after', figures: after }]),
  ];
}

function countCell({ visits, slowed, failed }: VisitFigures): RichCell | string {
  const about = [...(slowed === 0 ? [] : [`${formatCount(slowed)} slowed`]), ...(failed === 0 ? [] : [`${formatCount(failed)} failed`])];
  return about.length === 0 ? formatCount(visits) : { text: formatCount(visits), about: about.join(', ') };
}

function timeCell(median: VisitMedian): RichCell | string {
  return medianCell(median, formatMs);
}

function medianCell(median: VisitMedian, format: (value: number) => string): RichCell | string {
  if (median === null) return '–';
  const { low, high } = median;
  return low === null || high === null
    ? format(median.median)
    : { text: format(median.median), about: `${format(low)} to ${format(high)}` };
}

function describePage({ address, before, stages, after }: Page): string {
  const all = [before, ...stages.map(({ figures }) => figures), after].flatMap((figures) => figures ?? []);
  const problems = [...new Set(all.flatMap((figures) => Object.keys(figures.problems)))];
  const failed = problems.length === 0 ? '' : `Failed visits: ${problems.join(', ')}.`;
  return address === '' || failed === '' ? `${address}${failed}` : `${address}. ${failed}`;
}

/** Returns the last visit during a run. */
export function describeLastVisit(plan: Pick<Plan, 'watchPages'>, visit: Visit): Passage[] {
  const watched = listWatched(plan)[visit.page];
  const click = watched?.step === null ? watched.page.click : watched?.step.click;
  const time = (ms: number | null): string => (ms === null ? '–' : formatMs(ms));
  return pairs(
    'Last visit',
    withoutAbsent([
      ['Page', watched?.name ?? '–'],
      visit.problem !== null && (['Failed', visit.problem] as const),
      ['First byte', time(visit.firstByteMs)],
      ['First paint', time(visit.firstPaintMs)],
      ['Largest paint', time(visit.largestPaintMs)],
      ['Usable', time(visit.usableMs)],
      click !== undefined && (['Click', time(visit.clickMs)] as const),
      ['Begun at', formatElapsed(Math.max(0, visit.second))],
    ]),
  );
}

/** Possible intervals between pictures of a film. The smallest that gives the longest film few pictures is used. */
const STEPS_MS = [100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
const MAX_PICTURES = 8;

/** Returns films of each page, without load and at the highest load, aligned at the same moments. */
export function filmBlocks({ visits }: Visits): BlockOf<'film'>[] {
  if (visits === null) return [];
  return visits.pages.flatMap((page, number) =>
    alignFilms(
      page,
      visits.filmstrips.filter((film) => film.page === number && film.bell === undefined),
      (film) => filmName(film, page, visits),
    ),
  );
}

/** Returns films of each page that a visitor opened at the bell, below the films of the same page without load. */
export function openingFilmBlocks({ visits }: Visits, { bell, atSecond }: Pick<BellResult, 'bell' | 'atSecond'>): BlockOf<'film'>[] {
  if (visits === null) return [];
  const findVisit = ({ visit }: Filmstrip): Visit | undefined => visits.visits.find(({ number }) => number === visit);
  return visits.pages.flatMap((page, number) => {
    const films = visits.filmstrips.filter((film) => film.page === number);
    const opening = films.filter((film) => film.bell === bell);
    const calm = films.filter((film) => film.bell === undefined && findVisit(film)?.when === 'before');
    if (opening.length === 0) return [];
    return alignFilms(page, [...calm, ...opening], (film) => {
      const visit = findVisit(film);
      const after = visit === undefined ? '' : formatSeconds(Math.max(0, Math.round((visit.second - atSecond) * 10) / 10));
      return film.bell === undefined ? filmName(film, page, visits) : `From ${after} after the bell${formatSeen(visit)}`;
    });
  });
}

/** Returns the films of a page, aligned at the same moments; empty if no film has a picture. */
function alignFilms({ name }: Page, strips: readonly Filmstrip[], nameOf: (film: Filmstrip) => string): BlockOf<'film'>[] {
  const films = strips.filter(({ frames }) => frames.length > 0);
  if (films.length === 0) return [];
  const longestMs = Math.max(...films.map(({ frames }) => frames.at(-1)?.atMs ?? 0));
  const stepMs = STEPS_MS.find((step) => longestMs / step <= MAX_PICTURES) ?? longestMs / MAX_PICTURES;
  return [
    {
      kind: 'film',
      title: `“${name}”, moment by moment`,
      strips: films.map((film) => ({ name: nameOf(film), pictures: choosePictures(film, stepMs) })),
    },
  ];
}

function filmName({ visit }: Filmstrip, { stages }: Page, { visits }: VisitsResult): string {
  const found = visits.find(({ number }) => number === visit);
  const stage = stages.find(({ index }) => index === found?.stage);
  return `${stage === undefined ? 'Without load' : stage.name}${formatSeen(found)}`;
}

/** Returns the problem or the largest paint of a visit, as the end of a film's name. */
function formatSeen(visit: Pick<Visit, 'largestPaintMs' | 'problem'> | undefined): string {
  if (visit?.problem != null) return `, failed: ${visit.problem}`;
  return visit?.largestPaintMs == null ? '' : `, largest paint after ${formatMs(visit.largestPaintMs)}`;
}

/** Returns the picture at each interval until the last change of the page. */
function choosePictures({ frames }: Filmstrip, stepMs: number): BlockOf<'film'>['strips'][number]['pictures'] {
  const lastMs = frames.at(-1)?.atMs ?? 0;
  const count = Math.max(1, Math.ceil(lastMs / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const atMs = (index + 1) * stepMs;
    return { at: formatMs(atMs), jpeg: frames.findLast((frame) => frame.atMs <= atMs)?.jpeg ?? null };
  });
}
