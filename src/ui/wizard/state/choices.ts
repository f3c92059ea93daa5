import { z } from 'zod';
import { ROLES } from '#core/machines/checks/finding.ts';
import { HERE, hostNameSchema } from '#core/plan/schema/hosts.ts';
import { type Plan, PROTOCOLS } from '#core/plan/schema/plan.ts';
import { targetNameSchema } from '#core/plan/schema/step.ts';
import { watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type NumberEntry, percentOf, shareOf } from '#ui/components/numbers.ts';
import type { FieldRecord } from '#ui/components/RecordField.tsx';
import { words } from '#ui/words/words.ts';
import { bellEntrySchema, readBell, withBell } from './bell.ts';
import { numberEntry } from './loadEntry.ts';
import { rolesOf, withRoles } from './machineRoles.ts';

/** What the user chose instead of the values of the source. If a choice is missing, the value of the source applies. */
export const choicesSchema = z
  .strictObject({
    verify: z.boolean(),
    /** PEM text of the trusted authority; empty if the public authorities are trusted. */
    authority: z.string(),
    /** Share of connections that resume a TLS session, in percent. */
    resumePercent: numberEntry,
    protocol: z.enum(PROTOCOLS),
    countsCache: z.boolean(),
    /** Pages that a browser visits during the load. An address may be incomplete while the user enters it. */
    watchPages: z.array(watchPageSchema.safeExtend({ url: z.string() })).readonly(),
    /** Share of failed requests that stops the run, in percent; empty for none. */
    stopAtErrorPercent: numberEntry,
    /** Response time that stops the run, in milliseconds; empty for none. */
    stopAtMs: numberEntry,
    /** Addresses of the plan's named targets. An address may be incomplete while the user enters it. */
    namedTargets: z.record(targetNameSchema, z.string().max(2_048)),
    /** The bell at which all users send a step together; null if there is none. */
    bell: bellEntrySchema.nullable(),
    /** Host on which the browser for watched pages runs, or `here`. */
    watchFrom: hostNameSchema,
    /** What the run does if one of several load generators is lost. */
    onLost: z.enum(['continue', 'stop']),
    /** Program that sends the load. */
    program: z.enum(['holdfast', 'k6']),
    /** Role of each machine by its name; null if it has none. */
    places: z.record(z.string().max(63), z.enum(ROLES).nullable()),
  })
  .partial();
export type Choices = z.infer<typeof choicesSchema>;
export type ChoiceName = keyof Choices;
type Values = { readonly [Name in ChoiceName]-?: Exclude<Choices[Name], undefined> };

/** The parts of a plan that choices change. */
type Settings = Pick<
  Plan,
  'tls' | 'connections' | 'safety' | 'countsCache' | 'watchPages' | 'watchFrom' | 'onLostGenerator' | 'engine' | 'monitors'
> &
  Partial<Pick<Plan, 'journey' | 'bells' | 'namedTargets'>>;

interface Choice<Value> {
  /** Page after which later pages must be visited again if the choice changes; null if there is none. */
  readonly page: 'target' | 'load' | null;
  readonly read: (plan: Settings) => Value;
  readonly write: (plan: Settings, value: Value) => Partial<Settings>;
  /** Returns whether the value can be in a plan. By default, any value can. */
  readonly isValid?: (value: Value) => boolean;
  /** Description of the field; missing if the page renders the field itself. */
  readonly field?: FieldRecord;
}

const { protocol, resumption, cache, stop, where: whereTexts } = words.wizard;
/** Percentile and window of `safety.stopAtResponseTime` where a plan states none. */
const DEFAULT_TIME_STOP = { percentile: 95, seconds: 10 };

/** All choices, each with its value in a plan, its validation and its field. */
export const CHOICES: { readonly [Name in ChoiceName]: Choice<Values[Name]> } = {
  verify: { page: 'target', read: ({ tls }) => tls.verify, write: ({ tls }, verify) => ({ tls: { ...tls, verify } }) },
  authority: {
    page: 'target',
    read: ({ tls }) => tls.ca ?? '',
    write: ({ tls: { ca: _earlier, ...tls } }, ca) => ({ tls: ca === '' ? tls : { ...tls, ca } }),
  },
  resumePercent: {
    page: 'load',
    read: ({ tls }) => percentOf(tls.resume ?? 0),
    write: ({ tls }, percent) => (typeof percent === 'number' ? { tls: { ...tls, resume: shareOf(percent) } } : {}),
    isValid: (percent) => typeof percent === 'number' && percent >= 0 && percent <= 100,
    field: { kind: 'number', label: resumption.label, help: resumption.story, unit: '%', min: 0, max: 100 },
  },
  protocol: {
    page: 'load',
    read: ({ connections }) => connections.protocol ?? 'http/1.1',
    write: ({ connections }, chosen) => ({ connections: { ...connections, protocol: chosen } }),
    field: {
      kind: 'select',
      label: protocol.label,
      help: protocol.story,
      choices: PROTOCOLS.map((value) => ({ value, label: protocol.names[value] })),
    },
  },
  countsCache: {
    page: 'load',
    read: ({ countsCache }) => countsCache ?? false,
    write: (_plan, countsCache) => ({ countsCache }),
    field: { kind: 'switch', label: cache.count },
  },
  watchPages: {
    page: 'load',
    read: ({ watchPages }) => watchPages ?? [],
    write: (_plan, pages) => ({ watchPages: [...pages] }),
    isValid: (pages) => pages.every(({ url }) => watchPageSchema.shape.url.safeParse(url).success),
  },
  stopAtErrorPercent: {
    page: 'load',
    read: ({ safety }) => (safety.stopAtErrorShare === undefined ? '' : percentOf(safety.stopAtErrorShare)),
    write: ({ safety: { stopAtErrorShare: _earlier, ...safety } }, percent) => ({
      safety: typeof percent === 'number' ? { ...safety, stopAtErrorShare: shareOf(percent) } : safety,
    }),
    isValid: (percent) => isEmptyOr(percent, 100),
    field: { kind: 'number', label: stop.errors, help: stop.errorsHelp, unit: '%', min: 0.001, max: 100 },
  },
  stopAtMs: {
    page: 'load',
    read: ({ safety }) => safety.stopAtResponseTime?.maxMs ?? '',
    write: ({ safety: { stopAtResponseTime: earlier, ...safety } }, maxMs) => ({
      safety: typeof maxMs === 'number' ? { ...safety, stopAtResponseTime: { ...DEFAULT_TIME_STOP, ...earlier, maxMs } } : safety,
    }),
    isValid: (maxMs) => isEmptyOr(maxMs, 3_600_000),
    field: { kind: 'number', label: stop.time, help: stop.timeHelp, unit: 'ms', min: 0.001, max: 3_600_000 },
  },
  namedTargets: {
    page: 'target',
    read: ({ namedTargets = {} }) => Object.fromEntries(Object.entries(namedTargets).map(([name, { url }]) => [name, url])),
    write: ({ namedTargets = {} }, urls) => ({
      namedTargets: Object.fromEntries(
        Object.entries(namedTargets).map(([name, target]) => [name, { ...target, url: completeUrl(getOwn(urls, name) ?? target.url) }]),
      ),
    }),
    isValid: (urls) => Object.values(urls).every((url) => url.trim() !== '' && urlProblem(url) === null),
  },
  bell: {
    page: 'load',
    read: readBell,
    write: withBell,
    isValid: (bell) => bell === null || (typeof bell.atSeconds === 'number' && bell.atSeconds > 0),
  },
  watchFrom: { page: 'load', read: ({ watchFrom }) => watchFrom ?? HERE, write: (_plan, watchFrom) => ({ watchFrom }) },
  onLost: {
    page: null,
    read: ({ onLostGenerator }) => onLostGenerator ?? 'continue',
    write: (_plan, onLostGenerator) => ({ onLostGenerator }),
    field: {
      kind: 'cards',
      label: whereTexts.loss.title,
      choices: (['continue', 'stop'] as const).map((value) => ({ value, ...whereTexts.loss.choices[value] })),
    },
  },
  program: {
    page: null,
    read: ({ engine }) => (engine === 'k6' ? 'k6' : 'holdfast'),
    write: (_plan, program) => ({ engine: program === 'k6' ? 'k6' : 'auto' }),
    field: {
      kind: 'cards',
      label: whereTexts.engine.title,
      choices: (['holdfast', 'k6'] as const).map((value) => ({ value, ...whereTexts.engine.choices[value] })),
    },
  },
  places: {
    page: null,
    read: (plan) => Object.fromEntries(rolesOf({}, plan).flatMap(({ name, role }) => (name === HERE ? [] : [[name, role]]))),
    write: (plan, places) => withRoles(plan, places),
  },
};

function isEmptyOr(entry: NumberEntry, max: number): boolean {
  return typeof entry === 'number' ? entry > 0 && entry <= max : entry.trim() === '';
}

export const CHOICE_NAMES = choicesSchema.keyof().options;

/** Settings of a plan that states none. */
export const DEFAULTS: Settings = {
  tls: { verify: true },
  connections: { reuse: 'always' },
  safety: { errorWindowSeconds: 10 },
  engine: 'auto',
};

/** Returns the chosen value, or else the value in the plan. */
export function getChoice<Name extends ChoiceName>(name: Name, choices: Choices, plan: Settings | null): Values[Name] {
  const chosen: Choices[Name] = choices[name];
  return isDefined<Name>(chosen) ? chosen : CHOICES[name].read(plan ?? DEFAULTS);
}

function isDefined<Name extends ChoiceName>(value: Choices[Name] | undefined): value is Values[Name] {
  return value !== undefined;
}

/** Applies choices to a plan. A choice that equals the plan's own value changes nothing. */
export function withChoices<Made extends Settings>(plan: Made, choices: Choices): Made {
  const writeChoice = <Name extends ChoiceName>(made: Made, name: Name): Made => {
    const value = getChoice(name, choices, made);
    return isSame(value, CHOICES[name].read(made)) ? made : { ...made, ...CHOICES[name].write(made, value) };
  };
  return CHOICE_NAMES.reduce<Made>((made, name) => (choices[name] === undefined ? made : writeChoice(made, name)), plan);
}

/** Returns whether every choice can be in a plan. */
export function areValid(choices: Choices): boolean {
  return CHOICE_NAMES.every((name) => isValidChoice(name, choices));
}

export function isValidChoice<Name extends ChoiceName>(name: Name, choices: Choices): boolean {
  const chosen: Choices[Name] = choices[name];
  return !isDefined<Name>(chosen) || CHOICES[name].isValid?.(chosen) !== false;
}

/** Returns the choices that turn one plan into another. */
export function choicesBetween(from: Settings, to: Settings): Choices {
  const changed = CHOICE_NAMES.filter((name) => !isSame(CHOICES[name].read(from), CHOICES[name].read(to)));
  return choicesSchema.parse(Object.fromEntries(changed.map((name) => [name, CHOICES[name].read(to)])));
}

/** Returns whether two JSON values are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
