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

/** Where the plan comes from: a preset and its answers, or a plan that was run or proposed before. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preset'), id: z.string() }),
  z.strictObject({
    kind: z.literal('plan'),
    plan: planSchema,
    /** Holdfast has proposed its load: what it was made of says nothing of one. */
    isLoadProposed: z.boolean().default(false),
  }),
]);
export type Source = z.infer<typeof sourceSchema>;

/** Stands for what the backend keeps in memory. */
const sessionReference = z.string().max(200);

/** A header as it is edited. A secret one holds only a reference; its value never enters the state. */
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

/** A cookie that the backend keeps; `names` is empty for one that was pasted. */
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
  /** Empty: every step (or stage) by itself. */
  step: z.string(),
  stage: z.string(),
  /** About whole pages and not their requests by themselves. */
  of: z.enum(['requests', 'pages', 'events', 'streams', 'visits']).default('requests'),
};
const objectiveEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('responseTime'), ...scope, percentile: z.number(), limitMs: numberEntry }),
  z.strictObject({ kind: z.literal('errors'), ...scope, maxPercent: numberEntry }),
  z.strictObject({ kind: z.literal('throughput'), ...scope, minPerSecond: numberEntry }),
  z.strictObject({ kind: z.literal('apdex'), ...scope, thresholdMs: numberEntry, min: numberEntry }),
]);
export type ObjectiveEntry = z.infer<typeof objectiveEntrySchema>;
export type ObjectiveKind = ObjectiveEntry['kind'];

const answerEntries = z.record(z.string(), numberEntry);

/** What was entered on the page Load for one source. null: as the source has it, not edited by hand. */
const loadEntriesSchema = z.strictObject({
  answers: answerEntries,
  load: loadEntrySchema.nullable(),
  objectives: z.array(objectiveEntrySchema).readonly().nullable(),
});
export type LoadEntries = z.infer<typeof loadEntriesSchema>;

/**
 * The part of the wizard that survives a reload of the window. It has no place for a password, and cookies and secret headers
 * stand in it only as references to what the backend keeps in memory.
 */
export const draftSchema = z.strictObject({
  version: z.literal(3),
  source: sourceSchema.nullable().default(null),
  targets: z
    .array(targetEntrySchema)
    .min(1)
    .readonly()
    .default([{ id: 1, url: '', name: '', headers: [], cookie: null }]),
  /** By {@link sourceKey}, so that trying another preset loses nothing. */
  entries: z.record(z.string(), loadEntriesSchema).default({}),
  /** Whether certificates are verified; null: as the source has it. */
  verifiesCertificates: z.boolean().nullable().default(null),
  /** PEM text of the authority that is trusted instead of the public ones, empty for those; null: as the source has it. */
  authority: z.string().nullable().default(null),
  username: z.string().default(''),
  /** What a practice server filled in beside its addresses: true of it and of no other server. null when none is aimed at. */
  practice: z
    .strictObject({
      /** {@link sourceKey} of the preset that was answered. */
      source: z.string(),
      urls: z.array(z.string()).readonly(),
      answers: answerEntries,
    })
    .nullable()
    .default(null),
  /** Keys of what the person has agreed to here, and of what stood in a plan that was opened or imported and nobody had agreed to. */
  agreed: z.array(z.string()).readonly().default([]),
  foreign: z.array(z.string()).readonly().default([]),
  /** What each machine is for the load. */
  places: z.record(z.string().max(63), z.enum(ROLES).nullable()).default({}),
  /** What it means when one of several places is lost; null: as the source has it. */
  onLost: z.enum(['continue', 'stop']).nullable().default(null),
  /** Whose program makes the load; null: as the source has it. */
  maker: z.enum(['holdfast', 'k6']).nullable().default(null),
  /** Whether it is counted which answers came from a cache; null: as the source has it. */
  countsCache: z.boolean().nullable().default(null),
  /** Pages that a browser visits beside the load, as they are edited; null: as the source has it. */
  watchPages: z
    .array(watchPageSchema.safeExtend({ url: z.string() }))
    .readonly()
    .nullable()
    .default(null),
  /** The host whose browser visits them, or `here`; null: as the source has it. */
  watchFrom: hostNameSchema.nullable().default(null),
  /** Which version of HTTP is spoken; null: as the source has it. */
  protocol: z.enum(PROTOCOLS).nullable().default(null),
  /** Which share of connections resumes a TLS session, in percent; null: as the source has it. */
  resumePercent: numberEntry.nullable().default(null),
  /** The furthest page that may be opened; a change on an earlier page takes it back. */
  reached: z.enum(WIZARD_PAGES).default('question'),
  nextId: z.int().default(2),
});

/** A question to the backend. `about` is the input it belongs to: an answer to another input is not taken. */
export type Asked<Result> =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly about: string }
  | { readonly status: 'answered'; readonly about: string; readonly result: Result }
  | { readonly status: 'failed'; readonly about: string; readonly problem: Problem };

export interface LoginOutcome {
  readonly cookieNames: readonly string[];
  readonly explanation: string;
}

/** What was entered, and what the backend said of it. */
export type WizardState = Readonly<Omit<z.infer<typeof draftSchema>, 'version'>> & {
  /** By id of the target. */
  readonly probes: Readonly<Record<number, Asked<Probe>>>;
  readonly login: Asked<LoginOutcome>;
};
export type PracticeAnswers = NonNullable<WizardState['practice']>;

export const EMPTY_ENTRIES: LoadEntries = { answers: {}, load: null, objectives: null };

export function sourceKey(source: Source): string {
  return source.kind === 'preset' ? `preset:${source.id}` : `plan:${source.plan.name}:${JSON.stringify(source.plan.load)}`;
}

/** What was entered for the chosen source. */
export function entriesOf(state: WizardState): LoadEntries {
  return (state.source && getOwn(state.entries, sourceKey(state.source))) ?? EMPTY_ENTRIES;
}

type CertificateChoice = Pick<WizardState, 'source' | 'verifiesCertificates' | 'authority'>;

type TlsEntry = Partial<Pick<WizardState, 'verifiesCertificates' | 'authority' | 'resumePercent'>>;

/** How certificates of the targets are judged: as the earlier plan says, apart from what was chosen here. */
export function tlsOf({ source, verifiesCertificates, authority }: CertificateChoice): Plan['tls'] {
  return chosenTls(source?.kind === 'plan' ? source.plan.tls : { verify: true }, { verifiesCertificates, authority });
}

/** null or left out: as the source has it. */
export type BesidesEntry = Partial<Pick<WizardState, 'countsCache' | 'protocol' | 'watchPages' | 'watchFrom'>>;

/** What was chosen on the page of the load beside the load itself. */
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

/** Whether it can be a share in percent: a number, and one that a plan takes. */
export function isPercent(entry: NumberEntry): boolean {
  return typeof entry === 'number' && entry >= 0 && entry <= 100;
}

/** null or left out for what was not chosen: it stays as it is. */
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

/** How the targets of an earlier plan are reached, apart from what was chosen here. */
export function wizardConnection(state: CertificateChoice, tls: Plan['tls'] = tlsOf(state)): ConnectionSettings {
  return connectionSettingsOf({ tls, connections: state.source?.kind === 'plan' ? state.source.plan.connections : { reuse: 'always' } });
}

/** The state of a draft: nothing was asked of the backend yet. */
export function stateOf({ version: _version, ...draft }: z.infer<typeof draftSchema>): WizardState {
  return { ...draft, probes: {}, login: { status: 'idle' } };
}

export const EMPTY_STATE: WizardState = stateOf(draftSchema.parse({ version: 3 }));
