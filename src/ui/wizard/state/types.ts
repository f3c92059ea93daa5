import { z } from 'zod';
import type { Probe } from '#contract/replies.ts';
import type { Problem } from '#core/base/errors.ts';
import { ROLES } from '#core/machines/checks/finding.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type Plan, planSchema, PROTOCOLS } from '#core/plan/schema/plan.ts';
import { hostNameSchema } from '#core/plan/schema/hosts.ts';
import { watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { type ConnectionSettings, connectionSettingsOf } from '#core/plan/url.ts';
import { type NumberEntry, shareOf } from '#ui/components/numbers.ts';
import { loadEntrySchema, numberEntry } from './loadEntry.ts';

/** The pages of the wizard, in order. */
export const WIZARD_PAGES = ['question', 'target', 'load', 'check'] as const;
export type WizardPageId = (typeof WIZARD_PAGES)[number];

/** Source of the plan: a preset with entered values, or an earlier or proposed plan. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preset'), id: z.string() }),
  z.strictObject({
    kind: z.literal('plan'),
    plan: planSchema,
    /** Whether Holdfast proposed the load because the source has none. */
    isLoadProposed: z.boolean().default(false),
  }),
]);
export type Source = z.infer<typeof sourceSchema>;

/** Reference to a secret in the backend's memory. */
const sessionReference = z.string().max(200);

/** An edited header. Secret values are references; the values themselves never enter the state. */
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

/** A cookie that the backend stores; `names` is empty for a pasted one. */
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

const scope = {
  id: z.int(),
  /** Name of the step (or stage); empty: each one separately. */
  step: z.string(),
  stage: z.string(),
  /** Unit that the criterion judges, such as whole pages instead of single requests. */
  of: z.enum(['requests', 'pages', 'events', 'streams', 'visits']).default('requests'),
};
const criterionEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('responseTime'), ...scope, percentile: z.number(), maxMs: numberEntry }),
  z.strictObject({ kind: z.literal('errors'), ...scope, maxPercent: numberEntry }),
  z.strictObject({ kind: z.literal('throughput'), ...scope, minPerSecond: numberEntry }),
  z.strictObject({ kind: z.literal('apdex'), ...scope, thresholdMs: numberEntry, min: numberEntry }),
]);
export type CriterionEntry = z.infer<typeof criterionEntrySchema>;
export type CriterionKind = CriterionEntry['kind'];

const answerEntries = z.record(z.string(), numberEntry);

/** Entries of the page Load for one source. null: default of the source, not edited by hand. */
const loadEntriesSchema = z.strictObject({
  answers: answerEntries,
  load: loadEntrySchema.nullable(),
  criteria: z.array(criterionEntrySchema).readonly().nullable(),
});
export type LoadEntries = z.infer<typeof loadEntriesSchema>;

/**
 * The part of the wizard's state that survives a reload. It contains no password; cookies and secret headers are references to the
 * backend's memory.
 */
export const draftSchema = z.strictObject({
  version: z.literal(3),
  source: sourceSchema.nullable().default(null),
  targets: z
    .array(targetEntrySchema)
    .min(1)
    .readonly()
    .default([{ id: 1, url: '', name: '', headers: [], cookie: null }]),
  /** Entries by {@link sourceKey}, so that opening another preset loses nothing. */
  entries: z.record(z.string(), loadEntriesSchema).default({}),
  /** Whether certificates are verified; null: default of the source. */
  verifiesCertificates: z.boolean().nullable().default(null),
  /** PEM text of the trusted authority, empty for the public ones; null: default of the source. */
  authority: z.string().nullable().default(null),
  username: z.string().default(''),
  /** Values that a practice server filled in and that apply only to it; null without a practice server. */
  practice: z
    .strictObject({
      /** {@link sourceKey} of the preset with these values. */
      source: z.string(),
      urls: z.array(z.string()).readonly(),
      answers: answerEntries,
    })
    .nullable()
    .default(null),
  /** Keys of permissions given here; `foreign`: keys of permissions that an opened or imported plan needs and nobody gave. */
  agreed: z.array(z.string()).readonly().default([]),
  foreign: z.array(z.string()).readonly().default([]),
  /** Role of each machine. */
  places: z.record(z.string().max(63), z.enum(ROLES).nullable()).default({}),
  /** Reaction to the loss of one of several load generators; null: default of the source. */
  onLost: z.enum(['continue', 'stop']).nullable().default(null),
  /** Program that sends the load; null: default of the source. */
  maker: z.enum(['holdfast', 'k6']).nullable().default(null),
  /** Whether cached responses are counted; null: default of the source. */
  countsCache: z.boolean().nullable().default(null),
  /** Edited list of pages that a browser visits during the load; null: default of the source. */
  watchPages: z
    .array(watchPageSchema.safeExtend({ url: z.string() }))
    .readonly()
    .nullable()
    .default(null),
  /** Host of that browser, or `here`; null: default of the source. */
  watchFrom: hostNameSchema.nullable().default(null),
  /** HTTP version; null: default of the source. */
  protocol: z.enum(PROTOCOLS).nullable().default(null),
  /** Share of connections that resume a TLS session, in percent; null: default of the source. */
  resumePercent: numberEntry.nullable().default(null),
  /** The furthest page that may be opened; a change on an earlier page resets it. */
  reached: z.enum(WIZARD_PAGES).default('question'),
  nextId: z.int().default(2),
});

/** A request to the backend. `about` identifies its input; responses to another input are ignored. */
export type Asked<Result> =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly about: string }
  | { readonly status: 'answered'; readonly about: string; readonly result: Result }
  | { readonly status: 'failed'; readonly about: string; readonly problem: Problem };

export interface LoginOutcome {
  readonly cookieNames: readonly string[];
  readonly explanation: string;
}

/** Entries and responses of the backend. */
export type WizardState = Readonly<Omit<z.infer<typeof draftSchema>, 'version'>> & {
  /** Probes by the id of the target. */
  readonly probes: Readonly<Record<number, Asked<Probe>>>;
  readonly login: Asked<LoginOutcome>;
};
export type PracticeAnswers = NonNullable<WizardState['practice']>;

export const EMPTY_ENTRIES: LoadEntries = { answers: {}, load: null, criteria: null };

export function sourceKey(source: Source): string {
  return source.kind === 'preset' ? `preset:${source.id}` : `plan:${source.plan.name}:${JSON.stringify(source.plan.load)}`;
}

/** Returns the entries for the chosen source. */
export function entriesOf(state: WizardState): LoadEntries {
  return (state.source && getOwn(state.entries, sourceKey(state.source))) ?? EMPTY_ENTRIES;
}

type CertificateChoice = Pick<WizardState, 'source' | 'verifiesCertificates' | 'authority'>;

type TlsEntry = Partial<Pick<WizardState, 'verifiesCertificates' | 'authority' | 'resumePercent'>>;

/** Returns the TLS settings of the targets: those of the earlier plan, overridden by choices in the wizard. */
export function tlsOf({ source, verifiesCertificates, authority }: CertificateChoice): Plan['tls'] {
  return chosenTls(source?.kind === 'plan' ? source.plan.tls : { verify: true }, { verifiesCertificates, authority });
}

/** Choices beside the load; null or missing: default of the source. */
export type BesidesEntry = Partial<Pick<WizardState, 'countsCache' | 'protocol' | 'watchPages' | 'watchFrom'>>;

/** Returns the settings of the page Load beside the load itself. */
export function chosenBesides(
  { connections }: Pick<Plan, 'connections'>,
  { countsCache = null, protocol = null, watchPages = null, watchFrom = null }: BesidesEntry,
): Partial<Pick<Plan, 'countsCache' | 'connections' | 'watchPages' | 'watchFrom'>> {
  return {
    ...(watchPages === null ? {} : { watchPages: [...watchPages] }),
    ...(watchFrom === null ? {} : { watchFrom }),
    ...(countsCache === null ? {} : { countsCache }),
    ...(protocol === null ? {} : { connections: { ...connections, protocol } }),
  };
}

/** Returns whether the entry is a number from 0 to 100. */
export function isPercent(entry: NumberEntry): boolean {
  return typeof entry === 'number' && entry >= 0 && entry <= 100;
}

/** Applies choices to TLS settings; null or missing choices change nothing. */
export function chosenTls(
  tls: Plan['tls'],
  { verifiesCertificates = null, authority = null, resumePercent = null }: TlsEntry,
): Plan['tls'] {
  const { ca: earlier, ...others } = tls;
  const ca = authority ?? earlier ?? '';
  return {
    ...others,
    verify: verifiesCertificates ?? tls.verify,
    ...(ca === '' ? {} : { ca }),
    ...(typeof resumePercent === 'number' ? { resume: shareOf(resumePercent) } : {}),
  };
}

/** Returns the connection settings of the earlier plan, overridden by choices in the wizard. */
export function wizardConnection(state: CertificateChoice, tls: Plan['tls'] = tlsOf(state)): ConnectionSettings {
  return connectionSettingsOf({ tls, connections: state.source?.kind === 'plan' ? state.source.plan.connections : { reuse: 'always' } });
}

/** Returns the state of a draft, without responses of the backend. */
export function stateOf({ version: _version, ...draft }: z.infer<typeof draftSchema>): WizardState {
  return { ...draft, probes: {}, login: { status: 'idle' } };
}

export const EMPTY_STATE: WizardState = stateOf(draftSchema.parse({ version: 3 }));
