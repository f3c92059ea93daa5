import { formatCount, formatMs, formatNumber, formatShare } from '#core/base/units.ts';
import { highestOf, type VisitFigures, type VisitMedian, type VisitsResult } from '#core/result/visits.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { atLevel } from '#core/judgement/verdict/words.ts';
import { figure, type Found, type MeasuredRun, type Rule } from '../rule.ts';

type Page = VisitsResult['pages'][number];

/** A rule about each watched page. */
function ofEachPage(id: string, find: (page: Page, facts: MeasuredRun) => Omit<Found, 'id'> | null): Rule {
  return {
    id,
    find: (facts) =>
      (facts.visits?.pages ?? []).flatMap((page) => {
        const found = find(page, facts);
        return found === null ? [] : [{ id: `${id}.${page.name}`, ...found }];
      }),
  };
}

/** A page that is painted this much later, for certain, is slower for whoever waits. */
const SLOWER = 1.2;
const LEAST_SLOWER_MS = 100;
/** web.dev calls a page good that shows its largest part within this time. */
const GOOD_MS = 2_500;

const WAITED: Readonly<Record<Page['kind'], string>> = {
  page: 'Waited: until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  step: 'Waited: from the click, or the start of the navigation, until the largest part of the page was painted, in a real browser beside the load (median, 95 % interval).',
  journey: 'Waited: all steps of the journey together, in a real browser beside the load (median, 95 % interval).',
};

type Part = Page['stages'][number];

/** What somebody waits for a page without load and at the highest load that it was seen at. */
interface Wait {
  readonly calm: NonNullable<VisitMedian>;
  readonly loaded: NonNullable<VisitMedian>;
  readonly highest: Part;
  readonly stage: MeasuredRun['plan']['load']['stages'][number];
  /** For certain, and by as much as somebody notices. */
  readonly isSlower: boolean;
}

/** null where one of both is unknown. */
function waitOf({ before, stages }: Page, { plan }: MeasuredRun): Wait | null {
  const highest = highestOf(stages);
  const calm = before?.largestPaintMs ?? null;
  const loaded = highest?.figures.largestPaintMs ?? null;
  const stage = highest === null ? undefined : plan.load.stages[highest.index];
  if (highest === null || stage === undefined || calm === null || loaded === null) return null;
  const surelyMs = loaded.low ?? loaded.median;
  return { calm, loaded, highest, stage, isSlower: surelyMs > SLOWER * calm.median && surelyMs - calm.median > LEAST_SLOWER_MS };
}

/** Steps of a journey that the load did not make slower: one finding names them all. */
function calmSteps({ kind, name }: Page, facts: MeasuredRun): { readonly name: string; readonly wait: Wait }[] {
  if (kind !== 'journey') return [];
  return (facts.visits?.pages ?? []).flatMap((step) => {
    const wait = step.journey === name ? waitOf(step, facts) : null;
    return wait === null || wait.isSlower ? [] : [{ name: step.name, wait }];
  });
}

/** What the load does to somebody who opens the page: the one sentence that everybody understands. */
export const visitorsWait = ofEachPage('visitorsWait', (page, facts) => {
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
    // A whole journey may take as long as it likes: its slower steps are told by themselves.
    level: isSlower && kind !== 'journey' && loaded.median > GOOD_MS ? 'warning' : 'info',
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
});

/** “3.4 s (2.9 to 4.1 s)”. */
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

/** From this share of its visits on it is said that a part of a run has hardly been seen. */
const MUCH_SLOWED = 0.5;

/** Visits that the computer of the browser slowed say nothing of the server. */
export const visitsSlowed: Rule = {
  id: 'visitsSlowed',
  find({ visits }) {
    const all = (visits?.visits ?? []).filter(({ when }) => when === 'during');
    const slowed = all.filter(({ slowedBy }) => slowedBy !== null);
    const by = (cause: (typeof all)[number]['slowedBy'], what: string) => {
      const count = slowed.filter(({ slowedBy }) => slowedBy === cause).length;
      return count === 0 ? [] : [figure(what, formatCount(count))];
    };
    if (slowed.length === 0 || slowed.length <= MUCH_SLOWED * all.length) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The browser’s own computer slowed ${formatCount(slowed.length)} of ${formatCount(all.length)} visits under load (${formatShare(slowed.length / all.length)}). They count for nothing.`,
        evidence: ['What else ran there took the browser’s turns: the load, or other programs.'],
        figures: [
          ...by('overloaded', 'While a load generator was overloaded'),
          ...by('starved', 'The page waited for a processor'),
          ...by('steal', 'The hypervisor took processor time'),
        ],
        remedy: 'Send the load from another machine, send less, or watch from another machine.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

/** Visits that became fewer, so that the load stayed what was planned. */
export const visitsStoppedEarly: Rule = {
  id: 'visitsStoppedEarly',
  find({ visits }) {
    const last = visits?.stepsBack.at(-1);
    if (last === undefined || last.pauseSeconds === 0) return [];
    return [
      {
        id: this.id,
        level: 'info',
        sentence:
          last.pauseSeconds === null
            ? `Visits ended after ${formatMs(1_000 * last.second)}: they overloaded the load generator beside them.`
            : `Visits became fewer after ${formatMs(1_000 * last.second)}: they overloaded the load generator beside them.`,
        evidence: ['The load comes first. Seconds with a visit were overloaded more than twice as often as seconds without.'],
        remedy: 'Send the load from another machine, or watch from one. Visits then do not disturb it.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

/** Parts of the page that visitors did not get. */
export const filesMissing = ofEachPage('filesMissing', ({ name, stages, before }) => {
  const highest = highestOf(stages);
  const missing = Object.entries(highest?.figures.missing ?? {});
  const [first] = missing.toSorted(([, one], [, other]) => other - one);
  if (highest === null || first === undefined) return null;
  const isNew = Object.keys(before?.missing ?? {}).length === 0;
  return {
    level: isNew ? 'warning' : 'info',
    sentence: `Visitors of “${name}” did not get all of its files${isNew ? ' under load' : ''}: ${first[0]}.`,
    evidence: isNew ? ['Without load, all of them came.'] : ['They are missing without load too.'],
    figures: missing.map(([what, count]) => figure(what, formatCount(count))),
    remedy: 'Look for these files in the log of the server. A page without its styles or scripts may be of no use.',
    confidence: 'certain',
    range: null,
  };
});

/** What a page would load from elsewhere was not sent: nobody has agreed to it. */
export const hostsLeftOut = ofEachPage('hostsLeftOut', ({ name, before, stages }) => {
  const figures = before ?? stages[0]?.figures;
  const hosts = Object.entries(figures?.leftOut ?? {});
  if (hosts.length === 0) return null;
  return {
    level: 'info',
    sentence: `“${name}” loads files from hosts that the plan does not name: ${hosts.map(([host]) => host).join(', ')}. They were left out.`,
    evidence: ['What comes from them is missing in every visit.'],
    figures: hosts.map(([host, count]) => figure(host, formatCount(count))),
    remedy: 'If the page needs them, name them in “otherHosts” of the watched page. They then get requests of visitors only.',
    confidence: 'certain',
    range: null,
  };
});
