import { formatCount, formatMs, formatPercent, isOrAre } from '#core/base/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { sumOf } from '#core/base/lists.ts';
import { isRunning } from '#core/result/schema.ts';
import type { BellResult } from '#core/result/bells.ts';
import { oversoldSentence } from '#core/result/places.ts';
import type { PeopleLine, PeopleResult } from '#core/result/people.ts';
import type { CriterionResult, Verdict } from '#core/result/verdict.ts';
import { maxFailures, MAX_FAILED_SHARE, WHOLE_RUN_NAME } from './completion.ts';
import { completeJudgement, isComplete, type JudgeInput } from './input.ts';

/** Number of people who do not meet a criterion, with the total. */
interface LostPeople {
  readonly step: string;
  readonly text: string;
  readonly words: string;
  readonly expected: number;
  readonly lost: number;
  /** Number of lost people whose loss a load generator may have caused. */
  readonly maybe: number;
  readonly maxShare: number | undefined;
  /** Reason why the run cannot decide; null if it can. */
  readonly undecided: string | null;
}

/**
 * Judges each bell, and the last milestone if the plan has people. By default, at most 1 % of the people may be lost, late or absent, and
 * nobody if there are fewer than 100. The criterion describes this run rather than the server, so people are counted and no confidence
 * bound is used.
 */
export function judgePeople(input: JudgeInput): CriterionResult[] {
  if (isRunning(input.head.state)) return [];
  const lost = [...(input.bells ?? []).map((bell) => lostAtBell(bell, input)), ...lostBeforeAim(input)];
  return lost.filter(({ maxShare }) => maxShare !== 1).flatMap((one) => judgeLost(one, input));
}

function lostAtBell(bell: BellResult, { plan }: JudgeInput): LostPeople {
  const { expected, served, late, absent, failed, unfinished, awayBecause, isCalledOff } = bell;
  const lost = failed + unfinished + late + absent;
  const { many } = findNouns(plan.people);
  return {
    step: bell.step,
    text: `${many} who are there at the bell “${bell.bell}” and are served`,
    words: `${formatCount(served)} of ${formatCount(expected)} ${many} were served at the bell “${bell.bell}”: ${formatCount(failed + unfinished)} ${isOrAre(failed + unfinished)} lost, ${formatCount(late)} came late, and ${formatCount(absent)} never came`,
    expected,
    lost,
    maybe: awayBecause?.generator ?? 0,
    maxShare: getOwn(plan.bells ?? {}, bell.bell)?.maxLostShare,
    undecided: isCalledOff === true ? 'the bell was called off before it rang' : null,
  };
}

function lostBeforeAim({ plan, people, evidence }: JudgeInput): LostPeople[] {
  const aim = people?.milestones.at(-1);
  if (plan.people === undefined || people === undefined || aim === undefined) return [];
  const notStarted = sumOf(people.lines, (line) => (line.end === 'notStarted' ? line.people : 0));
  const byGenerator = sumOf([...plan.load.stages.keys()], (stage) => evidence.journeyCounts(stage).notStartedGenerator);
  return [
    {
      step: aim.step,
      text: `${people.many} who reach “${aim.name}”`,
      words: `${formatCount(people.done)} of ${formatCount(people.total)} ${people.many} ${people.done === 1 ? 'has' : 'have'} reached “${aim.name}”`,
      expected: people.total,
      // People who saw that no place was left do not count as lost.
      lost: people.total - people.done - countTurnedAway(people),
      maybe: Math.min(notStarted, byGenerator),
      maxShare: plan.people.maxLostShare,
      undecided: null,
    },
  ];
}

function countTurnedAway({ lines }: PeopleResult): number {
  return sumOf(lines, ({ end, people }) => (end === 'turnedAway' ? people : 0));
}

function judgeLost({ step, text, words, expected, lost, maybe, maxShare, undecided }: LostPeople, input: JudgeInput): CriterionResult[] {
  if (expected === 0) return [];
  const allowed = maxShare === undefined ? maxFailures(expected) : Math.floor(maxShare * expected);
  const limit = maxShare ?? (allowed === 0 ? 0 : MAX_FAILED_SHARE);
  const found = `${words}; ${allowed === 0 ? 'nobody may be lost' : `${formatCount(allowed)} may be lost`}.`;
  const facts = { measured: lost / expected, limit, unit: 'share', counted: expected, over: lost } as const;
  const named = {
    criterion: { kind: 'errors', step, maxShare: limit },
    text: limit === 0 ? `all ${text}` : `at least ${formatPercent(1 - limit)} of ${text}`,
    stage: WHOLE_RUN_NAME,
    step,
  } as const;
  const judged = (
    outcome: CriterionResult['outcome'],
    reason: string,
    unknownBecause: CriterionResult['unknownBecause'] = null,
  ): CriterionResult[] => [
    { ...named, ...completeJudgement({ ...facts, outcome, reason, unknownBecause }), isDefault: true, isOfPeople: true },
  ];
  if (undecided !== null) return judged('unknown', `Inconclusive: ${undecided}.`, 'interrupted');
  const isStopped = input.head.state !== 'finished';
  if (lost - maybe > allowed && !isStopped) return judged('failed', found);
  if (lost > allowed && !isStopped)
    return judged(
      'unknown',
      `${found} The load generators could not start ${formatCount(maybe)} of them, which decides the outcome.`,
      'generator',
    );
  // People who were still active when the run was stopped are not lost.
  if (!isComplete(input)) return judged('unknown', `${found} Inconclusive: the run did not reach its end.`, 'interrupted');
  return judged('passed', found);
}

function findNouns(people: { readonly one: string; readonly many: string } | undefined): { readonly one: string; readonly many: string } {
  return people ?? { one: 'person', many: 'people' };
}

/** Maximum number of kinds of ends that a headline names. */
const MAX_NAMED = 3;

/**
 * Returns sentences about people for the headline: “118 of 120 pupils handed in; 2 gave up at “start” (502).”, “600 of 600 acknowledged
 * answers are stored.”, “The last pupil was served by “start” after 7.9 s.” Empty for a plan without people and bells.
 */
export function describePeople({ people, places, bells = [] }: Pick<JudgeInput, 'people' | 'places' | 'bells'>): string[] {
  if (people === undefined || people.total === 0) return [];
  const { one, many, total, done, lines, items, milestones } = people;
  const aim = milestones.at(-1);
  const others = lines.filter(({ end }) => end !== 'done').toSorted((some, other) => other.people - some.people);
  const named = others.slice(0, others.length > MAX_NAMED ? MAX_NAMED - 1 : MAX_NAMED).map(formatLine);
  const rest = sumOf(others.slice(named.length), (line) => line.people);
  const turnedAway = countTurnedAway(people);
  const otherEnds = [...named, ...(rest > 0 ? [`${formatCount(rest)} ended elsewhere`] : [])];
  if (turnedAway > 0 && turnedAway === total - done) otherEnds.push('nobody was lost');
  const aimText =
    places !== undefined && places.step === aim?.step
      ? `got one of ${formatCount(places.places)} places`
      : isVerb(aim?.name ?? '')
        ? aim?.name
        : `reached “${aim?.name ?? 'the end'}”`;
  const [bell] = bells;
  return [
    ...(places === undefined ? [] : oversoldSentence(places)),
    `${formatCount(done)} of ${formatCount(total)} ${total === 1 ? one : many} ${aimText}${otherEnds.length === 0 ? '' : `; ${otherEnds.join(turnedAway > 0 ? '; ' : ', ')}`}.`,
    ...describeItems(items),
    ...(bell?.lastServedMs === null || bell === undefined || bell.served === 0
      ? []
      : [`The last ${one} was served by “${bell.step}” ${formatMs(bell.lastServedMs)} after the bell.`]),
  ];
}

/** Returns whether a milestone is written as what people did: “handed in”. The name of a step does not fit into a sentence. */
function isVerb(name: string): boolean {
  return /^\p{Ll}+(ed|t|n|in|out|up)\b/u.test(name);
}

function formatLine({ end, label, milestone, items, people }: PeopleLine): string {
  if (end === 'underWay' && items === null && milestone !== null) return `${formatCount(people)} came no further than “${milestone}”`;
  return `${formatCount(people)} ${label}`;
}

function describeItems(items: PeopleResult['items']): string[] {
  if (items === null || items.by === null || items.stored === null) return [];
  const { acknowledged, stored, missing, unacknowledged, one, many } = items;
  const unknown = acknowledged - stored - (missing ?? 0);
  if (unknown === acknowledged && acknowledged > 0)
    return [
      `Whether the ${formatCount(acknowledged)} acknowledged ${acknowledged === 1 ? one : many} ${isOrAre(acknowledged)} stored is unknown.`,
    ];
  const more =
    unacknowledged === null || unacknowledged === 0
      ? ''
      : `; ${formatCount(unacknowledged)} more ${isOrAre(unacknowledged)} stored without acknowledgement`;
  const lost = missing === null || missing === 0 ? '' : `, and ${formatCount(missing)} ${isOrAre(missing)} missing`;
  const open = unknown <= 0 ? '' : `; for ${formatCount(unknown)} it is unknown`;
  return [
    `${formatCount(stored)} of ${formatCount(acknowledged)} acknowledged ${acknowledged === 1 ? one : many} ${isOrAre(stored)} stored${lost}${open}${more}.`,
  ];
}

/** Returns whether a failed criterion is about people or their items: then the sentences about people say why. */
export function isOfPeople(criteria: readonly CriterionResult[]): boolean {
  return criteria.some(({ outcome, isOfPeople: ofPeople, isOfStorage }) => outcome === 'failed' && (ofPeople ?? isOfStorage) === true);
}

/** Returns whether the sentences about people come first in the headline. */
export function peopleComeFirst(outcome: Verdict['outcome'], criteria: readonly CriterionResult[]): boolean {
  return outcome === 'passed' || outcome === 'measured' || (outcome === 'failed' && isOfPeople(criteria));
}
