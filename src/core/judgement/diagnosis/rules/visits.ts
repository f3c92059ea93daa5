import { addNames } from '#core/base/foreignNames.ts';
import { formatCount, formatMs, formatNumber, formatPart, formatShare } from '#core/base/units.ts';
import { findHighest, type VisitFigures, type VisitMedian, type VisitsResult } from '#core/result/visits.ts';
import { type Draft, figure, type Figure, type MeasuredRun, rangeOfStage, type Rule, rule } from '../rule.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { formatAtLevel } from '#core/judgement/verdict/labels.ts';

type Page = VisitsResult['pages'][number];

/** Returns a rule that reports a property once for all pages that share it, such as the steps of a journey. */
function ruleForAlikePages<Alike>(
  id: string,
  read: (page: Page) => Alike | null,
  report: (alike: Alike, pages: readonly Page[]) => Draft,
): Rule {
  return rule(id, ({ visits }) => {
    // The steps of a journey lack the same files as the journey as a whole.
    const lacking = (visits?.pages ?? []).flatMap((page) => {
      const alike = page.kind === 'journey' ? null : read(page);
      return alike === null ? [] : [{ page, alike }];
    });
    return [...Map.groupBy(lacking, ({ alike }) => JSON.stringify(alike)).values()].flatMap((group) => {
      const [first] = group;
      const pages = group.map(({ page }) => page);
      return first === undefined ? [] : [{ of: first.page.name, ...report(first.alike, pages) }];
    });
  });
}

const namesOf = (pages: readonly Page[]): string => pages.map(({ name }) => `“${name}”`).join(', ');

function sumCounts(pages: readonly Page[], counts: (page: Page) => Readonly<Record<string, number>>): readonly Figure[] {
  return Object.entries(addNames(pages.map(counts))).map(([what, count]) => figure(what, formatCount(count)));
}

/** Share of slowed visits from which a part of the run was hardly observed. */
const MIN_SLOWED_SHARE = 0.5;

/** Finds visits that the browser's own computer slowed down. Such visits say nothing about the server. */
export const visitsSlowed = rule('visitsSlowed', ({ visits }) => {
  const all = (visits?.visits ?? []).filter(({ when }) => when === 'during');
  const slowed = all.filter(({ slowedBy }) => slowedBy !== null);
  const formatCause = (cause: (typeof all)[number]['slowedBy'], what: string) => {
    const count = slowed.filter(({ slowedBy }) => slowedBy === cause).length;
    return count === 0 ? [] : [figure(what, formatCount(count))];
  };
  if (slowed.length === 0 || slowed.length <= MIN_SLOWED_SHARE * all.length) return [];
  return {
    level: 'warning',
    sentence: `The browser’s own computer slowed ${formatPart(slowed.length, all.length)} visits under load (${formatShare(slowed.length / all.length)}). They count for nothing.`,
    evidence: ['What else ran there took the browser’s turns: the load, or other programs.'],
    figures: [
      ...formatCause('overloaded', 'While a load generator was overloaded'),
      ...formatCause('starved', 'The page waited for a processor'),
      ...formatCause('steal', 'The hypervisor took processor time'),
    ],
    remedy: 'Send the load from another machine, send less, or watch from another machine.',
  };
});

/** Finds that visits were made less often, or not at all, to keep the planned load. */
export const visitsStoppedEarly = rule('visitsStoppedEarly', ({ visits }) => {
  const last = visits?.stepsBack.at(-1);
  if (last === undefined || last.pauseSeconds === 0) return [];
  return {
    level: 'info',
    sentence:
      last.pauseSeconds === null
        ? `Visits ended after ${formatMs(1_000 * last.second)}: they overloaded the load generator beside them.`
        : `Visits became fewer after ${formatMs(1_000 * last.second)}: they overloaded the load generator beside them.`,
    evidence: ['The load comes first. Seconds with a visit were overloaded more than twice as often as seconds without.'],
    remedy: 'Send the load from another machine, or watch from one. Visits then do not disturb it.',
  };
});

const findMissing = ({ stages }: Page): Readonly<Record<string, number>> => findHighest(stages)?.figures.missing ?? {};

/** Finds parts of pages that visitors did not receive. */
export const filesMissing = ruleForAlikePages(
  'filesMissing',
  (page) => {
    const [first] = Object.entries(findMissing(page)).toSorted(([, one], [, other]) => other - one);
    return first === undefined ? null : { first: first[0], isNew: Object.keys(page.before?.missing ?? {}).length === 0 };
  },
  ({ first, isNew }, pages) => ({
    level: isNew ? 'warning' : 'info',
    sentence: `Visitors of ${namesOf(pages)} did not get all of ${pages.length === 1 ? 'its' : 'their'} files${isNew ? ' under load' : ''}: ${first}.`,
    evidence: isNew ? ['Without load, all of them came.'] : ['They are missing without load too.'],
    figures: sumCounts(pages, findMissing),
    remedy: 'Look for these files in the log of the server. A page without its styles or scripts may be of no use.',
  }),
);

const countLeftOut = ({ before, stages }: Page): Readonly<Record<string, number>> => (before ?? stages[0]?.figures)?.leftOut ?? {};

/** Finds third-party resources of pages, which are not requested because their owners have not agreed. */
export const hostsLeftOut = ruleForAlikePages(
  'hostsLeftOut',
  (page) => {
    const hosts = Object.keys(countLeftOut(page)).toSorted();
    return hosts.length === 0 ? null : hosts;
  },
  (hosts, pages) => ({
    level: 'info',
    sentence: `${namesOf(pages)} ${pages.length === 1 ? 'loads' : 'load'} files from ${hosts.length === 1 ? 'a host' : 'hosts'} that the plan does not name: ${hosts.join(', ')}. They were left out.`,
    evidence: ['What comes from there is missing in every visit.'],
    figures: sumCounts(pages, countLeftOut),
    remedy: 'If a page needs them, name their hosts in “otherHosts” of the watched page. They then get requests of visitors only.',
  }),
);

/** Minimum certain slowdown of a page that is reported, as a ratio and in ms. */
const MIN_SLOWDOWN_RATIO = 1.2;
const MIN_SLOWDOWN_MS = 100;
/** Maximum time in ms at which web.dev rates a page as good: its largest part must appear within this time. */
const MAX_GOOD_PAINT_MS = 2_500;

const WAIT_TEXTS: Readonly<Record<Page['kind'], string>> = {
  page: 'Waited: until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  step: 'Waited: from the click, or the start of the navigation, until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  journey: 'Waited: all steps of the journey together, in a real browser beside the load (median, 95 % interval).',
};

type Part = Page['stages'][number];

/** A visitor's wait without load, and at the highest load with visits. */
interface Wait {
  readonly calm: NonNullable<VisitMedian>;
  readonly loaded: NonNullable<VisitMedian>;
  readonly highest: Part;
  readonly stage: MeasuredRun['plan']['load']['stages'][number];
  /** Whether the page is certainly slower, by a noticeable amount. */
  readonly isSlower: boolean;
}

/** Returns the wait for a page; null if the wait with or without load is unknown. */
function findWaitOfPage({ before, stages }: Page, { plan }: MeasuredRun): Wait | null {
  const highest = findHighest(stages);
  const calm = before?.largestPaintMs ?? null;
  const loaded = highest?.figures.largestPaintMs ?? null;
  const stage = highest === null ? undefined : plan.load.stages[highest.index];
  if (highest === null || stage === undefined || calm === null || loaded === null) return null;
  const surelyMs = loaded.low ?? loaded.median;
  return {
    calm,
    loaded,
    highest,
    stage,
    isSlower: surelyMs > MIN_SLOWDOWN_RATIO * calm.median && surelyMs - calm.median > MIN_SLOWDOWN_MS,
  };
}

/** Returns the steps of a journey that the load did not slow down. They share a single finding. */
function calmSteps({ kind, name }: Page, facts: MeasuredRun): { readonly name: string; readonly wait: Wait }[] {
  if (kind !== 'journey') return [];
  return (facts.visits?.pages ?? []).flatMap((step) => {
    const wait = step.journey === name ? findWaitOfPage(step, facts) : null;
    return wait === null || wait.isSlower ? [] : [{ name: step.name, wait }];
  });
}

/** Reports a visitor's wait without load and under load. */
export const visitorsWait = rule('visitorsWait', (facts) => (facts.visits?.pages ?? []).flatMap((page) => findWait(page, facts) ?? []));

function findWait(page: Page, facts: MeasuredRun): Draft | null {
  const { name, kind, before } = page;
  const { stages: measured, visits } = facts;
  const wait = findWaitOfPage(page, facts);
  if (wait === null) return null;
  const { calm, loaded, highest, stage, isSlower } = wait;
  const whole = visits?.pages.find((one) => one.kind === 'journey' && one.name === page.journey);
  if (!isSlower && whole !== undefined && findWaitOfPage(whole, facts) !== null) return null;
  const calmOnes = calmSteps(page, facts);
  const span = measured[highest.index];
  return {
    of: name,
    // A whole journey has no time limit; its slower steps have findings of their own.
    level: isSlower && kind !== 'journey' && loaded.median > MAX_GOOD_PAINT_MS ? 'warning' : 'info',
    sentence: `A visitor waited ${formatMs(calm.median)} for “${name}” without load and ${formatMedian(loaded)} ${formatAtLevel(levelOf(stage))}.`,
    evidence: [
      WAIT_TEXTS[kind],
      visits?.from != null && `Seen from ${visits.from}.`,
      calmOnes.length > 0 && `Not clearly slower: ${calmOnes.map((step) => `“${step.name}”`).join(', ')}.`,
    ],
    figures: [
      ...pair('First byte', before, highest.figures, ({ firstByteMs }) => firstByteMs, formatMs),
      ...pair('First paint', before, highest.figures, ({ firstPaintMs }) => firstPaintMs, formatMs),
      ...pair('Usable', before, highest.figures, ({ usableMs }) => usableMs, formatMs),
      ...pair('Click until the next paint', before, highest.figures, ({ clickMs }) => clickMs, formatMs),
      ...pair(
        'Layout shift',
        before,
        highest.figures,
        ({ layoutShift }) => layoutShift,
        (value) => formatNumber(value),
      ),
      ...calmOnes.map((step) =>
        figure(`“${step.name}” without load, with it`, `${formatMs(step.wait.calm.median)}, ${formatMs(step.wait.loaded.median)}`),
      ),
      figure(
        'Visits that count',
        `${formatCount(highest.figures.visits - highest.figures.slowed)} of ${formatCount(highest.figures.visits)}`,
      ),
    ],
    remedy: isSlower
      ? 'Compare the parts: a late first byte is the server’s own time, a late first paint behind an early first byte is that of styles and scripts.'
      : kind === 'journey'
        ? 'Nothing to do: at this load the steps take as long as without one.'
        : 'Nothing to do: at this load the page appears as it does without one.',
    confidence: loaded.low === null ? 'possible' : 'certain',
    range: rangeOfStage(span),
  };
}

/** Example: “3.4 s (2.9 to 4.1 s)”. */
function formatMedian({ median, low, high }: NonNullable<VisitMedian>): string {
  return low === null || high === null ? formatMs(median) : `${formatMs(median)} (${formatMs(low)} to ${formatMs(high)})`;
}

function pair(
  what: string,
  before: VisitFigures | null,
  loaded: VisitFigures,
  of: (figures: VisitFigures) => VisitMedian,
  words: (value: number) => string,
): readonly Figure[] {
  const calm = before === null ? null : of(before);
  const busy = of(loaded);
  return calm === null || busy === null ? [] : [figure(`${what} without load, with it`, `${words(calm.median)}, ${words(busy.median)}`)];
}
