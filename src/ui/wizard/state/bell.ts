import { z } from 'zod';
import { LATE_USERS } from '#core/plan/schema/bells.ts';
import { type Load, loadSchema } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { fromLoad, type LoadEntry, numberEntry } from './loadEntry.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** The first bell of a plan, in the form in which the wizard asks for it. */
export const bellEntrySchema = z.strictObject({
  /** Name of the step that all users send together. */
  step: z.string(),
  atSeconds: numberEntry,
  late: z.enum(LATE_USERS),
  /** Whether users reload the step after a response of 502, 503 or 504, or after no response. */
  reloads: z.boolean(),
});
export type BellEntry = z.infer<typeof bellEntrySchema>;

type PlanOfBell = Partial<Pick<Plan, 'journey' | 'bells'>>;

/** Returns the first bell of a plan; null if there is none. */
export function readBell({ journey = [], bells = {} }: PlanOfBell): BellEntry | null {
  const step = journey.find(({ gate }) => gate !== undefined && getOwn(bells, gate) !== undefined);
  const bell = step?.gate === undefined ? undefined : getOwn(bells, step.gate);
  return step === undefined || bell === undefined
    ? null
    : { step: step.name, atSeconds: bell.atSeconds, late: bell.late, reloads: step.reload !== undefined };
}

const NEW_BELL = 'start';
const USUAL_RELOAD = { most: 3, fromSeconds: 3, toSeconds: 10 };

/** Returns the parts of a plan with this bell in place of the plan's first bell. If `entry` is null, the first bell is removed. */
export function withBell({ journey = [], bells = {} }: PlanOfBell, entry: BellEntry | null): PlanOfBell {
  const before = readBell({ journey, bells });
  const name = journey.find((step) => step.name === before?.step)?.gate ?? NEW_BELL;
  const others = Object.fromEntries(Object.entries(bells).filter(([bell]) => bell !== name));
  if (entry !== null && typeof entry.atSeconds !== 'number') return {};
  const steps = journey.map((step) => {
    const { gate, reload, ...rest } = step;
    if (step.name === entry?.step) return { ...rest, gate: name, ...(entry.reloads ? { reload: reload ?? USUAL_RELOAD } : {}) };
    return gate === name ? rest : step;
  });
  const own = entry === null ? {} : { [name]: { atSeconds: Number(entry.atSeconds), late: entry.late } };
  const all = { ...others, ...own };
  return { journey: steps, bells: Object.keys(all).length === 0 ? undefined : all };
}

/** Returns the steps of the journey that may wait for a bell, as choices. */
export function gateSteps({ journey }: Pick<Plan, 'journey'>): { readonly value: string; readonly label: string }[] {
  return journey
    .filter(({ background, explains, measured }) => background === undefined && explains === undefined && measured !== false)
    .map(({ name }) => ({ value: name, label: name }));
}

const USUAL_PEOPLE = 100;
const USUAL_WINDOW_SECONDS = 50;
const USUAL_BELL_SECONDS = 60;
/** Time in seconds from the bell to the end of the load. */
export const REST_SECONDS = 60;

interface ProposedBell extends BellLoad {
  readonly entry: BellEntry;
}

/** Proposes a bell: everybody logs in within the minute before the second step, or before the only step if there is only one. */
export function proposeBell(plan: Plan): ProposedBell {
  const steps = gateSteps(plan);
  const step = steps.find((_, index) => index === Math.min(1, steps.length - 1))?.value ?? '';
  return {
    entry: { step, atSeconds: USUAL_BELL_SECONDS, late: 'continue', reloads: true },
    people: countPeople(plan.load),
    windowSeconds: USUAL_WINDOW_SECONDS,
  };
}

function countPeople(load: Load): number {
  return load.model === 'users' ? Math.max(1, ...load.stages.map(({ users }) => users)) : USUAL_PEOPLE;
}

/** The people who arrive before a bell. */
export interface BellLoad {
  readonly people: NumberEntry;
  readonly windowSeconds: NumberEntry;
}

/**
 * Returns the people of a load for a bell: a number of arrivals within a login window, and none after that. Returns null for any other
 * load.
 */
export function readBellLoad({ model, stages }: LoadEntry): BellLoad | null {
  const [first, rest, ...others] = stages;
  if (model !== 'arrivals' || first?.kind !== 'count' || rest?.kind !== 'constant' || rest.numbers.perSecond !== 0 || others.length > 0)
    return null;
  return { people: first.numbers.arrivals ?? '', windowSeconds: first.numbers.seconds ?? '' };
}

/** Returns the load for a bell. The think time of the previous load is kept. */
export function loadOfBell(
  load: LoadEntry,
  { people, windowSeconds, atSeconds }: BellLoad & { readonly atSeconds: NumberEntry },
): LoadEntry {
  const { login, after } = { login: 'login window', after: 'after the bell' };
  const made = fromLoad(
    loadSchema.parse({
      model: 'arrivals',
      stages: [
        { kind: 'count', name: login, arrivals: 1, seconds: 1 },
        { kind: 'constant', name: after, perSecond: 0, seconds: 1 },
      ],
    }),
  );
  const numbers = (window: NumberEntry, at: NumberEntry): NumberEntry =>
    typeof window === 'number' && typeof at === 'number' ? Math.max(1, at - window) + REST_SECONDS : '';
  const [first, rest] = made.stages;
  if (first === undefined || rest === undefined) return load;
  return {
    ...made,
    thinkTime: load.model === 'connections' ? made.thinkTime : load.thinkTime,
    stages: [
      { ...first, numbers: { ...first.numbers, arrivals: people, seconds: windowSeconds } },
      { ...rest, numbers: { ...rest.numbers, seconds: numbers(windowSeconds, atSeconds) } },
    ],
  };
}
