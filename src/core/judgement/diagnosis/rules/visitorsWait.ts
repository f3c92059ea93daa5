import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { highestOf, type VisitFigures, type VisitMedian, type VisitsResult } from '#core/result/visits.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { atLevel } from '#core/judgement/verdict/words.ts';
import { figure, type Found, type MeasuredRun, type Rule } from '../rule.ts';

type Page = VisitsResult['pages'][number];

/** Smallest certain slowdown of a page that is reported, as a ratio and in ms. */
const MIN_SLOWDOWN_RATIO = 1.2;
const MIN_SLOWDOWN_MS = 100;
/** web.dev rates a page as good if its largest part appears within this time. */
const MAX_GOOD_PAINT_MS = 2_500;

const WAITED: Readonly<Record<Page['kind'], string>> = {
  page: 'Waited: until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  step: 'Waited: from the click, or the start of the navigation, until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  journey: 'Waited: all steps of the journey together, in a real browser beside the load (median, 95 % interval).',
};

type Part = Page['stages'][number];

/** A visitor's wait without load and at the highest visited load. */
interface Wait {
  readonly calm: NonNullable<VisitMedian>;
  readonly loaded: NonNullable<VisitMedian>;
  readonly highest: Part;
  readonly stage: MeasuredRun['plan']['load']['stages'][number];
  /** Certainly slower, by a noticeable amount. */
  readonly isSlower: boolean;
}

/** Returns null if either is unknown. */
function waitOf({ before, stages }: Page, { plan }: MeasuredRun): Wait | null {
  const highest = highestOf(stages);
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

/** Returns the steps of a journey that the load did not slow, for a single finding. */
function calmSteps({ kind, name }: Page, facts: MeasuredRun): { readonly name: string; readonly wait: Wait }[] {
  if (kind !== 'journey') return [];
  return (facts.visits?.pages ?? []).flatMap((step) => {
    const wait = step.journey === name ? waitOf(step, facts) : null;
    return wait === null || wait.isSlower ? [] : [{ name: step.name, wait }];
  });
}

/** Reports a visitor's wait without load and under load. */
export const visitorsWait: Rule = {
  id: 'visitorsWait',
  find: (facts) =>
    (facts.visits?.pages ?? []).flatMap((page) => {
      const found = findWait(page, facts);
      return found === null ? [] : [{ id: `visitorsWait.${page.name}`, ...found }];
    }),
};

function findWait(page: Page, facts: MeasuredRun): Omit<Found, 'id'> | null {
  const { name, kind, before } = page;
  const { stages: measured, visits } = facts;
  const wait = waitOf(page, facts);
  if (wait === null) return null;
  const { calm, loaded, highest, stage, isSlower } = wait;
  const whole = visits?.pages.find((one) => one.kind === 'journey' && one.name === page.journey);
  if (!isSlower && whole !== undefined && waitOf(whole, facts) !== null) return null;
  const calmOnes = calmSteps(page, facts);
  const span = measured[highest.index];
  return {
    // A whole journey has no time limit; its slower steps have findings of their own.
    level: isSlower && kind !== 'journey' && loaded.median > MAX_GOOD_PAINT_MS ? 'warning' : 'info',
    sentence: `A visitor waited ${formatMs(calm.median)} for “${name}” without load and ${medianWords(loaded)} ${atLevel(levelOf(stage))}.`,
    evidence: [
      WAITED[kind],
      ...(visits?.from == null ? [] : [`Seen from ${visits.from}.`]),
      ...(calmOnes.length === 0 ? [] : [`Not clearly slower: ${calmOnes.map((step) => `“${step.name}”`).join(', ')}.`]),
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
    range:
      span === undefined || span.startedAtSecond === null || span.endedAtSecond === null
        ? null
        : { fromSecond: span.startedAtSecond, toSecond: span.endedAtSecond },
  };
}

/** Example: “3.4 s (2.9 to 4.1 s)”. */
function medianWords({ median, low, high }: NonNullable<VisitMedian>): string {
  return low === null || high === null ? formatMs(median) : `${formatMs(median)} (${formatMs(low)} to ${formatMs(high)})`;
}

function pair(
  what: string,
  before: VisitFigures | null,
  loaded: VisitFigures,
  of: (figures: VisitFigures) => VisitMedian,
  words: (value: number) => string,
): NonNullable<Found['figures']> {
  const calm = before === null ? null : of(before);
  const busy = of(loaded);
  return calm === null || busy === null ? [] : [figure(`${what} without load, with it`, `${words(calm.median)}, ${words(busy.median)}`)];
}
