import { isSteady } from '#core/work/load/stages.ts';
import { formatCount, formatMs, formatNumber, formatRate } from '#core/base/units.ts';
import { answered, figure, sickShare, type Found, type Rule } from '../rule.ts';

/** Rates that differ by no more are the same. */
const FLAT = 1.12;
/** The highest level has to be so many times the lowest to show anything. */
const LEAST_RANGE = 2;
/** Times have to grow by this part of what the levels grow by. */
const GROWS_ALONG = 0.7;
const LEAST_ANSWERS = 50;
const MOST_FAILED = 0.05;
const MOST_SICK = 0.2;

/** Already the lightest level of a series got as many answers a second as the heaviest: where the limit begins lies below all of them. */
export const saturatedBelow: Rule = {
  id: 'saturatedBelow',
  find(facts) {
    const levels = facts.stages
      .flatMap(({ name, counted, level, rates, latency, requests, startedAtSecond, endedAtSecond }) => {
        const perSecond = rates.completedPerSecond;
        const mean = latency.response.mean;
        const isLevel = counted && level.unit !== 'arrivalsPerSecond' && isSteady(level);
        if (!isLevel || perSecond === null || typeof mean !== 'number' || answered(requests) < LEAST_ANSWERS) return [];
        // What fails is quick and says nothing of what it can do.
        if (requests.sent - requests.ok > MOST_FAILED * requests.sent) return [];
        return [{ name, level: level.to, unit: level.unit, perSecond, mean, from: startedAtSecond, to: endedAtSecond }];
      })
      .toSorted((one, other) => one.level - other.level);
    const [lightest, heaviest] = [levels[0], levels.at(-1)];
    if (lightest === undefined || heaviest === undefined || heaviest.level < LEAST_RANGE * lightest.level || sickShare(facts) > MOST_SICK)
      return [];
    const rates = levels.map(({ perSecond }) => perSecond);
    if (Math.max(...rates) > FLAT * Math.min(...rates)) return [];
    // With pauses between, the same rate of more visitors would need no longer times.
    if (heaviest.mean / lightest.mean < GROWS_ALONG * (heaviest.level / lightest.level)) return [];
    const who = lightest.unit === 'users' ? 'users' : 'connections';
    const one = lightest.level === 1;
    const found: Found = {
      id: this.id,
      level: one ? 'info' : 'warning',
      sentence: one
        ? `It works on one request at a time: ${formatRate(lightest.perSecond)} with a single visitor and ${formatRate(heaviest.perSecond)} with ${formatCount(heaviest.level)}. More visitors only wait longer.`
        : `It was full from the beginning: ${formatRate(lightest.perSecond)} with ${formatCount(lightest.level)} ${who} and ${formatRate(heaviest.perSecond)} with ${formatCount(heaviest.level)}. More of them only waited longer, and where the limit begins lies below ${formatCount(lightest.level)}.`,
      evidence: [
        `From ${formatCount(lightest.level)} to ${formatCount(heaviest.level)} ${who} the answers a second stayed the same, and times grew ${formatNumber(heaviest.mean / lightest.mean)} times: R = N / X − Z.`,
        'The number of visitors that it “held” says nothing here: they were not served, they queued.',
      ],
      figures: levels.map(({ name, level, perSecond, mean }) =>
        figure(`“${name}”, ${formatCount(level)} ${who}`, `${formatRate(perSecond)}, mean ${formatMs(mean)}`),
      ),
      remedy: one
        ? 'More workers, processes or servers let it work on several at a time.'
        : `Run it again from ${formatCount(Math.max(1, Math.round(lightest.level / 8)))} ${who} on. What bounds it, the server, the line or what made the load, the other findings and the monitors tell.`,
      confidence: 'likely',
      range:
        lightest.from === null || heaviest.to === null
          ? null
          : { fromSecond: Math.min(lightest.from, heaviest.from ?? lightest.from), toSecond: Math.max(heaviest.to, lightest.to ?? 0) },
    };
    return [found];
  },
};
