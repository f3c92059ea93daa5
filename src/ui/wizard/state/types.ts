import { z } from 'zod';
import type { Probe } from '#contract/replies.ts';
import type { Problem } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { type ConnectionSettings, connectionSettings } from '#core/plan/url.ts';
import { choicesSchema, DEFAULTS, withChoices } from './choices.ts';
import { loadEntrySchema, numberEntry } from './loadEntry.ts';

/** The pages of the wizard, in order. */
export const WIZARD_PAGES = ['question', 'target', 'load', 'check'] as const;
export type WizardPageId = (typeof WIZARD_PAGES)[number];

/** Source of the plan: a preset with entered values, or an existing plan, such as that of an earlier run. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preset'), id: z.string() }),
  z.strictObject({
    kind: z.literal('plan'),
    plan: planSchema,
    /** Whether Holdfast proposed the load, because the source has none. */
    isLoadProposed: z.boolean().default(false),
  }),
]);
export type Source = z.infer<typeof sourceSchema>;

/** Reference to a secret that the backend holds in memory. */
const sessionReference = z.string().max(200);

/** A header that is being edited. Secret values are references; the secrets themselves never enter the state. */
const headerEntrySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  value: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('clear'), text: z.string() }),
    z.strictObject({ kind: z.literal('kept'), secret: sessionReference }),
    z.strictObject({ kind: z.literal('toKeep') }),
  ]),
});
export type HeaderEntry = z.infer<typeof headerEntrySchema>;

/** A cookie that the backend has stored. `names` is empty for a pasted cookie. */
const keptCookieSchema = z.strictObject({
  secret: sessionReference,
  names: z.array(z.string()).readonly(),
  from: z.enum(['login', 'typed', 'plan']),
});
export type KeptCookie = z.infer<typeof keptCookieSchema>;

const targetEntrySchema = z.strictObject({
  id: z.int(),
  url: z.string(),
  name: z.string(),
  headers: z.array(headerEntrySchema).readonly(),
  cookie: keptCookieSchema.nullable(),
});
export type TargetEntry = z.infer<typeof targetEntrySchema>;

/** Numbers of each kind of criterion, by their names in plans. The field for `maxShare` shows percent. */
export const CRITERION_NUMBERS = {
  responseTime: ['percentile', 'maxMs'],
  errors: ['maxShare'],
  throughput: ['minPerSecond'],
  apdex: ['min', 'thresholdMs'],
} as const;
export type CriterionKind = keyof typeof CRITERION_NUMBERS;
export type CriterionNumber = (typeof CRITERION_NUMBERS)[CriterionKind][number];

const criterionEntrySchema = z.strictObject({
  id: z.int(),
  kind: z.enum(['responseTime', 'errors', 'throughput', 'apdex']),
  /** Name of the step or stage. If it is empty, the criterion applies to each step or stage separately. */
  step: z.string(),
  stage: z.string(),
  /** What the criterion judges, such as whole pages instead of single requests. */
  of: z.enum(['requests', 'pages', 'events', 'streams', 'visits']).default('requests'),
  numbers: z.partialRecord(z.enum(['percentile', 'maxMs', 'maxShare', 'minPerSecond', 'min', 'thresholdMs']), numberEntry),
});
export type CriterionEntry = z.infer<typeof criterionEntrySchema>;

const answerEntries = z.record(z.string(), numberEntry);

/** Entries on the page Load for one source. null means the default of the source. */
const loadEntriesSchema = z.strictObject({
  answers: answerEntries,
  load: loadEntrySchema.nullable(),
  criteria: z.array(criterionEntrySchema).readonly().nullable(),
});
export type LoadEntries = z.infer<typeof loadEntriesSchema>;

/**
 * The part of the wizard's state that survives a reload. It contains no password. Cookies and secret headers are references to the
 * backend's memory.
 */
export const draftSchema = z.strictObject({
  version: z.literal(4),
  source: sourceSchema.nullable().default(null),
  targets: z
    .array(targetEntrySchema)
    .min(1)
    .readonly()
    .default([{ id: 1, url: '', name: '', headers: [], cookie: null }]),
  /** Entries by {@link sourceKey}. Opening another preset therefore loses no entries. */
  entries: z.record(z.string(), loadEntriesSchema).default({}),
  choices: choicesSchema.default({}),
  username: z.string().default(''),
  /** Values that a practice server has filled in and that apply only to it; null if there are none. */
  practice: z
    .strictObject({
      /** {@link sourceKey} of the preset for which the values were filled in. */
      source: z.string(),
      urls: z.array(z.string()).readonly(),
      answers: answerEntries,
    })
    .nullable()
    .default(null),
  /**
   * Keys of permissions that were given in the wizard. `foreign` has the keys that an opened or imported plan needs and that have not been
   * given.
   */
  agreed: z.array(z.string()).readonly().default([]),
  foreign: z.array(z.string()).readonly().default([]),
  /** The furthest page that may be opened. A change on an earlier page sets it back. */
  reached: z.enum(WIZARD_PAGES).default('question'),
});

/** A request to the backend. `about` identifies the input of the request; responses to another input are ignored. */
export type Asked<Result> =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly about: string }
  | { readonly status: 'responded'; readonly about: string; readonly result: Result }
  | { readonly status: 'failed'; readonly about: string; readonly problem: Problem };

export interface LoginOutcome {
  readonly cookieNames: readonly string[];
  readonly explanation: string;
}

/** The whole state: entries, and responses from the backend. */
export type WizardState = Readonly<Omit<z.infer<typeof draftSchema>, 'version'>> & {
  /** Probes by the id of the target. */
  readonly probes: Readonly<Record<number, Asked<Probe>>>;
  readonly login: Asked<LoginOutcome>;
};

export const EMPTY_ENTRIES: LoadEntries = { answers: {}, load: null, criteria: null };

export function sourceKey(source: Source): string {
  return source.kind === 'preset' ? `preset:${source.id}` : `plan:${source.plan.name}:${JSON.stringify(source.plan.load)}`;
}

/** Returns the entries for the chosen source. */
export function listEntries(state: WizardState): LoadEntries {
  return (state.source && getOwn(state.entries, sourceKey(state.source))) ?? EMPTY_ENTRIES;
}

/** Returns the TLS settings for the targets: those of the earlier plan, with the choices about certificates applied. */
export function readTls({ source, choices: { verify, authority } }: Pick<WizardState, 'source' | 'choices'>): Plan['tls'] {
  return withChoices(source?.kind === 'plan' ? source.plan : DEFAULTS, { verify, authority }).tls;
}

/** Returns the connection settings of the earlier plan, with the choices about certificates applied. */
export function wizardConnection(state: Pick<WizardState, 'source' | 'choices'>, tls: Plan['tls'] = readTls(state)): ConnectionSettings {
  return connectionSettings({ tls, connections: (state.source?.kind === 'plan' ? state.source.plan : DEFAULTS).connections });
}

/** Returns the state that belongs to a draft, without responses from the backend. */
export function stateOf({ version: _version, ...draft }: z.infer<typeof draftSchema>): WizardState {
  return { ...draft, probes: {}, login: { status: 'idle' } };
}

export const EMPTY_STATE: WizardState = stateOf(draftSchema.parse({ version: 4 }));
