import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import { sumOf } from '#core/base/lists.ts';
import { PeopleSum, PERSON_ENDS, type PersonEnd, type PersonRecord, type PersonState } from '#core/measurement/people.ts';
import type { Window } from '#core/measurement/window.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { isLogin } from '#core/work/journey/storing.ts';
import { findPeopleRules, type PeopleRules } from '#core/work/journey/people.ts';

/** Ways in which a person can end, including people who never began. */
const LINE_ENDS = ['notStarted', ...PERSON_ENDS] as const;
const countSchema = z.int().min(0);

/** People with the same end. Every person is in exactly one line. */
const peopleLineSchema = z.strictObject({
  end: z.enum(LINE_ENDS),
  /** Text of the line: “handed in”, “answered 3 of 5”, “gave up at “start” (502)”. */
  label: z.string(),
  /** Furthest milestone that the people of the line reached; null before the first. */
  milestone: z.string().nullable(),
  /** Step at which the people were refused or gave up. `cause` is the status or code. null for others. */
  step: z.string().nullable(),
  cause: z.string().nullable(),
  /** Number of acknowledged items per person, for people who had not finished; null for others. */
  items: countSchema.nullable(),
  people: countSchema,
});
export type PeopleLine = z.output<typeof peopleLineSchema>;

/** Comparison of people's items with the items that the target lists or that a later step found. null: unknown. */
const storedShape = {
  acknowledged: countSchema,
  /**
   * Numbers of items that were acknowledged and stored, that were acknowledged and are missing, and that were stored without
   * acknowledgement.
   */
  stored: countSchema.nullable(),
  missing: countSchema.nullable(),
  unacknowledged: countSchema.nullable(),
};

/** One person. Persons are numbered from 1; a result never contains names. */
const personRowSchema = z.strictObject({
  person: z.int().min(1),
  end: z.enum(PERSON_ENDS),
  label: z.string(),
  milestone: z.string().nullable(),
  step: z.string().nullable(),
  cause: z.string().nullable(),
  reloads: countSchema,
  /** Row of the feeds with `order: once`, from 0; null if there is none. */
  row: countSchema.nullable(),
  ...storedShape,
});
export type PersonRow = z.output<typeof personRowSchema>;

/** Outcomes of people. The sum of `people` of all lines is `total`. */
export const peopleResultSchema = z.strictObject({
  /** Nouns for one person and for several people. */
  one: z.string(),
  many: z.string(),
  /** Number of planned people, or of those who began if they were more. */
  total: countSchema,
  lines: z.array(peopleLineSchema),
  /** Number of people who reached each milestone, with any later outcome. */
  milestones: z.array(z.strictObject({ name: z.string(), step: z.string(), reached: countSchema })),
  /** Number of people at the last milestone. */
  done: countSchema,
  /** Items of the people; null if the plan defines none. */
  items: z
    .strictObject({
      one: z.string(),
      many: z.string(),
      steps: z.array(z.string()),
      /** Number of items that each person should reach; null if the plan does not state it. */
      each: countSchema.nullable(),
      ...storedShape,
      /** How the items were compared: with a count of the target, or by a step that reads them back. null: not compared. */
      by: z.enum(['count', 'readBack']).nullable(),
    })
    .nullable(),
  /** The people with the lowest numbers. `further`: how many more have no row. */
  rows: z.array(personRowSchema),
  further: countSchema,
});
export type PeopleResult = z.output<typeof peopleResultSchema>;

/** Items of one person that are missing in a count of the target, or were stored without acknowledgement. */
export const itemsOfPersonSchema = z.strictObject({ person: countSchema, missing: countSchema, unacknowledged: countSchema });

/** Comparison of the items of all people with the target. */
export interface ComparedItems {
  readonly missing: number;
  readonly unacknowledged: number;
  /** Whether every acknowledged item was compared. */
  readonly isWhole: boolean;
  /** Items of the people for whom there are differences. */
  readonly people: readonly z.output<typeof itemsOfPersonSchema>[];
}

/** Tallies the outcomes of people over the windows of a run. */
export class PeopleTally {
  private readonly sum = new PeopleSum();

  add({ people }: Window): void {
    if (people !== undefined) this.sum.add(people);
  }

  /** States that are known, with the number of people in each. */
  get states(): readonly (PersonState & { readonly people: number })[] {
    return [...[...this.sum.records.values()].map((record) => ({ ...record, people: 1 })), ...this.sum.further.values()];
  }

  /** Returns the outcomes of people; undefined for a plan without people. `planned`: number of people whom the load was meant to start. */
  result(plan: Plan, planned: number, compared: ComparedItems | null): PeopleResult | undefined {
    const rules = findPeopleRules(plan);
    if (rules === null) return undefined;
    const { states } = this;
    const seen = sumOf(states, ({ people }) => people);
    const total = Math.max(planned, seen);
    const labels = new Labels(plan, rules);
    const by = chooseComparison(plan, rules, compared);
    const differences = new Map(compared?.people.map((found) => [found.person, found]));
    return {
      one: rules.one,
      many: rules.many,
      total,
      lines: listLines(states, total - seen, labels),
      milestones: rules.milestones.map(({ name, step }, index) => ({
        name,
        step: plan.journey[step]?.name ?? '',
        reached: sumOf(states, ({ milestones, people }) => (milestones > index ? people : 0)),
      })),
      done: sumOf(states, ({ end, people }) => (end === 'done' ? people : 0)),
      items: this.items(plan, rules, compared),
      rows: [...this.sum.records.values()]
        .toSorted((one, other) => one.person - other.person)
        .map((record) => rowOf(record, labels, by, differences)),
      further: Math.max(0, seen - this.sum.records.size),
    };
  }

  private items(plan: Plan, rules: PeopleRules, compared: ComparedItems | null): PeopleResult['items'] {
    if (rules.items.size === 0) return null;
    const acknowledged = sumOf(this.states, ({ items, people }) => items * people);
    const steps = [...rules.items].flatMap((index) => plan.journey[index] ?? []);
    const { one, many } = steps.find(({ items }) => items !== undefined)?.items ?? { one: 'item', many: 'items' };
    const records = [...this.sum.records.values()];
    const by = chooseComparison(plan, rules, compared);
    const known = { one, many, steps: steps.map(({ name }) => name), each: rules.each, acknowledged, by };
    if (by === 'count' && compared !== null) {
      const { missing, unacknowledged, isWhole } = compared;
      return { ...known, stored: isWhole ? acknowledged - missing : null, missing, unacknowledged };
    }
    if (by === 'readBack' && this.sum.further.size === 0)
      return {
        ...known,
        stored: sumOf(records, ({ confirmed }) => confirmed),
        missing: sumOf(records, ({ notFound }) => notFound),
        unacknowledged: null,
      };
    return { ...known, stored: null, missing: null, unacknowledged: null, by: null };
  }
}

/** Returns how items are compared. The count of the target is better evidence than a step that reads back. */
function chooseComparison(
  { stored = [], journey }: Plan,
  { items }: PeopleRules,
  compared: ComparedItems | null,
): 'count' | 'readBack' | null {
  const names = [...items].flatMap((index) => journey[index]?.name ?? []);
  if (compared !== null && names.every((name) => stored.some(({ step, marker }) => step === name && marker !== undefined))) return 'count';
  return names.length > 0 && names.every((name) => journey.some(({ confirms }) => confirms?.includes(name) === true)) ? 'readBack' : null;
}

function rowOf(
  record: PersonRecord,
  labels: Labels,
  by: 'count' | 'readBack' | null,
  compared: ReadonlyMap<number, Differences>,
): PersonRow {
  const { person, end, reloads, row, items: acknowledged, confirmed, notFound } = record;
  const { milestone, step, cause, label } = labels.of(record);
  const found = compared.get(person);
  const [missing, unacknowledged] = [found?.missing ?? 0, found?.unacknowledged ?? 0];
  const stored =
    by === 'count'
      ? { stored: Math.max(0, acknowledged - missing), missing, unacknowledged }
      : { stored: by === null ? null : confirmed, missing: by === null ? null : notFound, unacknowledged: null };
  return { person: person + 1, end, label, milestone, step, cause, reloads, row, acknowledged, ...stored };
}

type Differences = ComparedItems['people'][number];
type LabelledLine = Pick<PeopleLine, 'label' | 'milestone' | 'step' | 'cause' | 'items'>;

/** Texts of a plan for the ends of its people. */
class Labels {
  private readonly rules: PeopleRules;
  private readonly steps: readonly string[];
  /** For each step, the names of the steps whose items it confirms. */
  private readonly confirmed: readonly (readonly string[])[];
  /** Participle for acknowledged items, such as “answered”. */
  private readonly participle: string;
  private readonly nouns: string;
  private readonly logins: ReadonlySet<number>;

  constructor(plan: Plan, rules: PeopleRules) {
    const { journey } = plan;
    const counted = [...rules.items].flatMap((index) => journey[index]?.items ?? []);
    this.rules = rules;
    this.steps = journey.map(({ name }) => name);
    this.confirmed = journey.map(({ confirms = [] }) => confirms);
    this.logins = new Set(journey.flatMap((step, index) => (isLogin(step, plan) ? [index] : [])));
    this.participle = counted[0]?.done ?? 'acknowledged';
    this.nouns = counted[0]?.many ?? 'items';
  }

  of({ end, milestones, step, cause, items }: PersonState): LabelledLine {
    const milestone = this.rules.milestones[milestones - 1]?.name ?? null;
    const failed = end === 'refused' || end === 'gaveUp';
    const name = step === null ? null : (this.steps[step] ?? null);
    const counted = end === 'underWay' && items > 0 ? items : null;
    return {
      label: this.label(end, { milestone, name, causeText: this.causeAt(step, cause), items }),
      milestone,
      step: failed ? name : null,
      cause: failed && cause !== '' ? cause : null,
      items: counted,
    };
  }

  private label(
    end: PersonEnd,
    { milestone, name, causeText, items }: { milestone: string | null; name: string | null; causeText: string; items: number },
  ): string {
    const at = name === null ? '' : ` at “${name}”`;
    switch (end) {
      case 'underWay':
        if (items > 0) return this.itemsLabel(items);
        return milestone ?? `not ${this.rules.milestones[0]?.name ?? 'begun'}`;
      case 'waiting':
        return 'waiting for the bell';
      case 'ended':
        return milestone === null ? 'ended early' : `ended after “${milestone}”`;
      case 'late':
        return 'came after the bell and left';
      case 'refused':
        return `refused${at} (${causeText})`;
      case 'gaveUp':
        return `gave up${at} (${causeText})`;
      case 'turnedAway':
        return 'found no place left';
      case 'done':
        return this.rules.milestones.at(-1)?.name ?? 'finished';
      default:
        return end satisfies never;
    }
  }

  /** A page with wrong content may show that an earlier step was acknowledged and not stored: that step is named too. */
  private causeAt(step: number | null, cause: string): string {
    const text = causeWords(cause);
    if (step === null || text !== WRONG_CONTENT) return text;
    const confirmed = this.confirmed[step] ?? [];
    if (confirmed.length > 0) return `${text} after ${joinNames(confirmed.map((name) => `“${name}”`))}`;
    return this.logins.has(step) ? 'not logged in' : text;
  }

  private itemsLabel(items: number): string {
    const { each } = this.rules;
    const count = each === null ? formatCount(items) : `${formatCount(Math.min(items, each))} of ${formatCount(each)}`;
    return `${this.participle} ${count} ${this.nouns}`;
  }
}

const WRONG_CONTENT = 'wrong content';
const NOT_LOGGED_IN_CAUSE = 'sent to log in';
const CAUSE_TEXTS: ReadonlyMap<string, string> = new Map([
  ['', 'unknown'],
  ['NO_RESPONSE', 'no response'],
  ['NO_VALUE', 'no value to send'],
  ['LEADS_TO_LOGIN', NOT_LOGGED_IN_CAUSE],
  ['LOGIN_FORM', NOT_LOGGED_IN_CAUSE],
  ['NO_PAGE', 'no whole page'],
  ['ERROR_PAGE', 'an error page'],
  ['SHOWS_ERROR', 'the page shows an error'],
  ['SAYS_WHY', 'the page gives a reason'],
  ['WAITED_IN_VAIN', 'no result in time'],
]);

/** Returns a cause as text. A status stands for itself. */
export function causeWords(cause: string): string {
  return CAUSE_TEXTS.get(cause) ?? (/^\d{3}$/.test(cause) ? cause : WRONG_CONTENT);
}

/** Returns the lines in the order of the journey. People who are furthest from the last milestone come first. */
function listLines(states: PeopleTally['states'], notStarted: number, labels: Labels): PeopleLine[] {
  const lines = new Map<string, { -readonly [Key in keyof PeopleLine]: PeopleLine[Key] } & { order: number }>();
  for (const state of states) {
    const labelled = labels.of(state);
    const key = JSON.stringify([state.end, labelled]);
    const known = lines.get(key);
    const order = PERSON_ENDS.indexOf(state.end) * 1_000_000 + state.milestones * 10_000 + (labelled.items ?? 0);
    if (known === undefined) lines.set(key, { end: state.end, ...labelled, people: state.people, order });
    else known.people += state.people;
  }
  const none = { milestone: null, step: null, cause: null, items: null };
  return [
    ...(notStarted > 0 ? [{ end: 'notStarted' as const, label: 'did not start', ...none, people: notStarted }] : []),
    ...[...lines.values()].toSorted((one, other) => one.order - other.order).map(({ order: _order, ...line }) => line),
  ];
}
