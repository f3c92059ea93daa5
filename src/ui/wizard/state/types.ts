import type { Probe } from '#contract/replies.ts';
import type { Problem } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type Way, wayOf } from '#core/plan/url.ts';
import type { LoadEntry } from './loadEntry.ts';
import type { Loss, Maker, Places } from './where.ts';

/** The pages of the wizard, in order. Run and Result follow them under the address of the run. */
export const WIZARD_PAGES = ['question', 'target', 'load', 'where', 'check'] as const;
export type WizardPageId = (typeof WIZARD_PAGES)[number];

/** A number field's content: the number, or what was typed while it is none. */
export type NumberEntry = number | string;

/** Where the plan comes from: a preset and its answers, or a plan that was run or proposed before. */
export type Source = { readonly kind: 'preset'; readonly id: string } | { readonly kind: 'plan'; readonly plan: Plan };

/** A header as it is edited. A secret one holds only a reference; its value never enters the state. */
export interface HeaderEntry {
  readonly id: number;
  readonly name: string;
  readonly value:
    | { readonly kind: 'clear'; readonly text: string }
    | { readonly kind: 'kept'; readonly secret: string }
    | { readonly kind: 'toKeep' };
}

/** A cookie that the backend keeps; `names` is empty for one that was pasted. */
export interface KeptCookie {
  readonly secret: string;
  readonly names: readonly string[];
  readonly from: 'login' | 'typed' | 'plan';
}

export interface TargetEntry {
  readonly id: number;
  readonly url: string;
  readonly name: string;
  readonly headers: readonly HeaderEntry[];
  readonly cookie: KeptCookie | null;
}

interface ObjectiveScope {
  readonly id: number;
  /** Empty: every step (or stage) by itself. */
  readonly step: string;
  readonly stage: string;
  /** About whole pages and not their requests by themselves. */
  readonly ofPages: boolean;
}
export type ObjectiveEntry = ObjectiveScope &
  (
    | { readonly kind: 'responseTime'; readonly percentile: number; readonly limitMs: NumberEntry }
    | { readonly kind: 'errors'; readonly maxPercent: NumberEntry }
    | { readonly kind: 'throughput'; readonly minPerSecond: NumberEntry }
    | { readonly kind: 'apdex'; readonly thresholdMs: NumberEntry; readonly min: NumberEntry }
  );
export type ObjectiveKind = ObjectiveEntry['kind'];

/** What was entered on the page Load for one source. null: as the source has it, not edited by hand. */
export interface LoadEntries {
  readonly answers: Readonly<Record<string, NumberEntry>>;
  readonly load: LoadEntry | null;
  readonly objectives: readonly ObjectiveEntry[] | null;
}

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

/** What a practice server filled in beside its addresses: true of it and of no other server. */
export interface PracticeAnswers {
  /** {@link sourceKey} of the preset that was answered. */
  readonly source: string;
  readonly urls: readonly string[];
  readonly answers: Readonly<Record<string, NumberEntry>>;
}

export interface WizardState {
  readonly source: Source | null;
  readonly targets: readonly TargetEntry[];
  /** By {@link sourceKey}, so that trying another preset loses nothing. */
  readonly entries: Readonly<Record<string, LoadEntries>>;
  /** Whether certificates are verified; null: as the source has it. */
  readonly verifiesCertificates: boolean | null;
  /** PEM text of the authority that is trusted instead of the public ones, empty for those; null: as the source has it. */
  readonly authority: string | null;
  readonly username: string;
  /** null when no practice server is aimed at. */
  readonly practice: PracticeAnswers | null;
  /** Keys of what the person has agreed to here, and of what stood in a plan that was opened or imported and nobody had agreed to. */
  readonly agreed: readonly string[];
  readonly foreign: readonly string[];
  /** What each machine is for the load. */
  readonly places: Places;
  /** What it means when one of several places is lost; null: as the source has it. */
  readonly onLost: Loss | null;
  /** Whose program makes the load; null: as the source has it. */
  readonly maker: Maker | null;
  /** Whether it is counted which answers came from a cache; null: as the source has it. */
  readonly countsCache: boolean | null;
  /** The furthest page that may be opened; a change on an earlier page takes it back. */
  readonly reached: WizardPageId;
  readonly nextId: number;
  /** By id of the target. */
  readonly probes: Readonly<Record<number, Asked<Probe>>>;
  readonly login: Asked<LoginOutcome>;
}

export const EMPTY_ENTRIES: LoadEntries = { answers: {}, load: null, objectives: null };

export function sourceKey(source: Source): string {
  return source.kind === 'preset' ? `preset:${source.id}` : `plan:${source.plan.name}:${JSON.stringify(source.plan.load)}`;
}

/** What was entered for the chosen source. */
export function entriesOf(state: WizardState): LoadEntries {
  return (state.source && getOwn(state.entries, sourceKey(state.source))) ?? EMPTY_ENTRIES;
}

type CertificateChoice = Pick<WizardState, 'source' | 'verifiesCertificates' | 'authority'>;

/** How certificates of the targets are judged: as the earlier plan says, apart from what was chosen here. */
export function tlsOf({ source, verifiesCertificates, authority }: CertificateChoice): Plan['tls'] {
  return chosenTls(source?.kind === 'plan' ? source.plan.tls : { verify: true }, verifiesCertificates, authority);
}

/** null for what was not chosen: it stays as it is. */
export function chosenTls(tls: Plan['tls'], verifies: boolean | null, authority: string | null): Plan['tls'] {
  const { ca: earlier, ...others } = tls;
  const ca = authority ?? earlier ?? '';
  return { ...others, verify: verifies ?? tls.verify, ...(ca === '' ? {} : { ca }) };
}

/** How the targets of an earlier plan are reached, apart from what was chosen here. */
export function wizardWay(state: CertificateChoice, tls: Plan['tls'] = tlsOf(state)): Way {
  return wayOf({ tls, connections: state.source?.kind === 'plan' ? state.source.plan.connections : { reuse: 'always' } });
}

export const EMPTY_STATE: WizardState = {
  source: null,
  targets: [{ id: 1, url: '', name: '', headers: [], cookie: null }],
  entries: {},
  verifiesCertificates: null,
  authority: null,
  username: '',
  practice: null,
  agreed: [],
  foreign: [],
  places: {},
  onLost: null,
  maker: null,
  countsCache: null,
  reached: 'question',
  nextId: 2,
  probes: {},
  login: { status: 'idle' },
};
