import { addNames } from '#core/base/foreignNames.ts';
import { formatPart, formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { highestOf, type VisitsResult } from '#core/result/visits.ts';
import { figure, type Found, type Rule } from '../rule.ts';

type Page = VisitsResult['pages'][number];

/** Returns a rule that reports a property once for all pages that share it, such as the steps of a journey. */
function ofAlikePages<Alike>(
  id: string,
  read: (page: Page) => Alike | null,
  tell: (alike: Alike, pages: readonly Page[]) => Omit<Found, 'id'>,
): Rule {
  return {
    id,
    find({ visits }) {
      // The steps of a journey lack the same as the journey.
      const lacking = (visits?.pages ?? []).flatMap((page) => {
        const alike = page.kind === 'journey' ? null : read(page);
        return alike === null ? [] : [{ page, alike }];
      });
      return [...Map.groupBy(lacking, ({ alike }) => JSON.stringify(alike)).values()].flatMap((group) => {
        const [first] = group;
        const pages = group.map(({ page }) => page);
        return first === undefined ? [] : [{ id: `${id}.${first.page.name}`, ...tell(first.alike, pages) }];
      });
    },
  };
}

const namesOf = (pages: readonly Page[]): string => pages.map(({ name }) => `“${name}”`).join(', ');

/** Sums the counts of these pages. */
function countsOf(pages: readonly Page[], counts: (page: Page) => Readonly<Record<string, number>>): NonNullable<Found['figures']> {
  return Object.entries(addNames(pages.map(counts))).map(([what, count]) => figure(what, formatCount(count)));
}

/** Share of slowed visits from which a part of the run counts as hardly seen. */
const MIN_SLOWED_SHARE = 0.5;

/** Finds visits that the browser's computer slowed, which say nothing about the server. */
export const visitsSlowed: Rule = {
  id: 'visitsSlowed',
  find({ visits }) {
    const all = (visits?.visits ?? []).filter(({ when }) => when === 'during');
    const slowed = all.filter(({ slowedBy }) => slowedBy !== null);
    const by = (cause: (typeof all)[number]['slowedBy'], what: string) => {
      const count = slowed.filter(({ slowedBy }) => slowedBy === cause).length;
      return count === 0 ? [] : [figure(what, formatCount(count))];
    };
    if (slowed.length === 0 || slowed.length <= MIN_SLOWED_SHARE * all.length) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The browser’s own computer slowed ${formatPart(slowed.length, all.length)} visits under load (${formatShare(slowed.length / all.length)}). They count for nothing.`,
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

/** Finds visits that were made less often to keep the planned load. */
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

const missingOf = ({ stages }: Page): Readonly<Record<string, number>> => highestOf(stages)?.figures.missing ?? {};

/** Finds parts of pages that visitors did not get. */
export const filesMissing = ofAlikePages(
  'filesMissing',
  (page) => {
    const [first] = Object.entries(missingOf(page)).toSorted(([, one], [, other]) => other - one);
    return first === undefined ? null : { first: first[0], isNew: Object.keys(page.before?.missing ?? {}).length === 0 };
  },
  ({ first, isNew }, pages) => ({
    level: isNew ? 'warning' : 'info',
    sentence: `Visitors of ${namesOf(pages)} did not get all of ${pages.length === 1 ? 'its' : 'their'} files${isNew ? ' under load' : ''}: ${first}.`,
    evidence: isNew ? ['Without load, all of them came.'] : ['They are missing without load too.'],
    figures: countsOf(pages, missingOf),
    remedy: 'Look for these files in the log of the server. A page without its styles or scripts may be of no use.',
    confidence: 'certain',
    range: null,
  }),
);

const leftOutOf = ({ before, stages }: Page): Readonly<Record<string, number>> => (before ?? stages[0]?.figures)?.leftOut ?? {};

/** Finds third-party resources of pages, which are not requested because their owners have not agreed. */
export const hostsLeftOut = ofAlikePages(
  'hostsLeftOut',
  (page) => {
    const hosts = Object.keys(leftOutOf(page)).toSorted();
    return hosts.length === 0 ? null : hosts;
  },
  (hosts, pages) => ({
    level: 'info',
    sentence: `${namesOf(pages)} ${pages.length === 1 ? 'loads' : 'load'} files from ${hosts.length === 1 ? 'a host' : 'hosts'} that the plan does not name: ${hosts.join(', ')}. They were left out.`,
    evidence: ['What comes from there is missing in every visit.'],
    figures: countsOf(pages, leftOutOf),
    remedy: 'If a page needs them, name their hosts in “otherHosts” of the watched page. They then get requests of visitors only.',
    confidence: 'certain',
    range: null,
  }),
);
