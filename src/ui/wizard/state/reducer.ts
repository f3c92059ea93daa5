import type { NumberEntry } from '#ui/components/numbers.ts';
import type { Probe } from '#contract/replies.ts';
import type { Problem } from '#core/base/errors.ts';
import type { Role } from '#core/machines/checks/finding.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Criterion, Plan, Protocol, Target } from '#core/plan/schema/plan.ts';
import type { AskedAgain } from './askedAgain.ts';
import { fromCriterion, fromTarget, toTarget, type NewId } from './entries.ts';
import { fromLoad } from './loadRows.ts';
import type { LoadEntry } from './loadEntry.ts';
import { oneMore } from './switchLoad.ts';
import { placesFrom, type Loss, type Maker } from './where.ts';
import {
  EMPTY_ENTRIES,
  EMPTY_STATE,
  entriesOf,
  type HeaderEntry,
  sourceKey,
  tlsOf,
  WIZARD_PAGES,
  type KeptCookie,
  type LoadEntries,
  type LoginOutcome,
  type CriterionEntry,
  type TargetEntry,
  type WizardPageId,
  type WizardState,
} from './types.ts';

export type WizardAction =
  | { readonly type: 'startedOver' }
  /** Undoes {@link WizardAction} `startedOver`. */
  | { readonly type: 'takenBack'; readonly state: WizardState }
  | { readonly type: 'presetChosen'; readonly id: string }
  /** `foreign`: keys of permissions that the plan needs and nobody gave. */
  | { readonly type: 'planTaken'; readonly plan: Plan; readonly foreign?: readonly string[]; readonly isLoadProposed?: boolean }
  | {
      /** Restores the questions of an earlier run. */
      readonly type: 'presetTaken';
      readonly asked: AskedAgain;
      readonly targets: readonly Target[];
      readonly foreign: readonly string[];
    }
  | {
      /** Sets the targets of a practice server; `answers`: values that it needs. */
      readonly type: 'targetsFilled';
      readonly targets: readonly Target[];
      readonly username: string | null;
      readonly answers: Readonly<Record<string, NumberEntry>>;
    }
  | { readonly type: 'targetAdded' }
  | { readonly type: 'targetRemoved'; readonly id: number }
  | { readonly type: 'targetChanged'; readonly id: number; readonly change: Partial<Omit<TargetEntry, 'id'>> }
  | { readonly type: 'headerAdded'; readonly id: number }
  | { readonly type: 'headerChanged'; readonly id: number; readonly headerId: number; readonly change: Partial<Omit<HeaderEntry, 'id'>> }
  | { readonly type: 'headerKept'; readonly id: number; readonly headerId: number; readonly secret: string }
  | { readonly type: 'headerRemoved'; readonly id: number; readonly headerId: number }
  | { readonly type: 'verifyingChanged'; readonly verifies: boolean }
  | { readonly type: 'authorityChanged'; readonly authority: string }
  | { readonly type: 'usernameChanged'; readonly username: string }
  | { readonly type: 'answerChanged'; readonly question: string; readonly answer: NumberEntry }
  | { readonly type: 'loadEdited'; readonly load: LoadEntry | null }
  | { readonly type: 'stageAdded'; readonly load: LoadEntry }
  | { readonly type: 'criteriaEdited'; readonly criteria: readonly CriterionEntry[] | null }
  | { readonly type: 'criterionAdded'; readonly criteria: readonly CriterionEntry[]; readonly criterion: Criterion }
  | { readonly type: 'agreementChanged'; readonly keys: readonly string[]; readonly given: boolean }
  | { readonly type: 'placeChanged'; readonly name: string; readonly role: Role | null }
  | { readonly type: 'lossChanged'; readonly onLost: Loss }
  | { readonly type: 'makerChanged'; readonly maker: Maker }
  | { readonly type: 'cacheCountingChanged'; readonly counts: boolean }
  | { readonly type: 'watchPagesChanged'; readonly pages: NonNullable<WizardState['watchPages']> }
  | { readonly type: 'watchFromChanged'; readonly host: string }
  | { readonly type: 'protocolChanged'; readonly protocol: Protocol }
  | { readonly type: 'resumptionChanged'; readonly percent: NumberEntry }
  | {
      /** Restores the load generators of an earlier run, by their names in its result. */
      readonly type: 'placesTaken';
      readonly generators: readonly string[];
    }
  | { readonly type: 'pageOpened'; readonly page: WizardPageId }
  | { readonly type: 'probeAsked'; readonly id: number }
  | { readonly type: 'probeAnswered'; readonly id: number; readonly about: string; readonly result: Probe }
  | { readonly type: 'probeFailed'; readonly id: number; readonly about: string; readonly problem: Problem }
  | { readonly type: 'loginAsked'; readonly about: string }
  | {
      readonly type: 'loginAnswered';
      readonly about: string;
      readonly cookies: readonly { readonly id: number; readonly url: string; readonly cookie: KeptCookie }[];
      readonly result: LoginOutcome;
    }
  | { readonly type: 'loginFailed'; readonly about: string; readonly problem: Problem };

/** Reducer of the wizard. Pure: ids come from the state, and actions never contain secrets. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'startedOver':
      return EMPTY_STATE;
    case 'takenBack':
      return action.state;
    case 'presetChosen':
      if (state.source?.kind === 'preset' && state.source.id === action.id) return state;
      return changedOn('question', { ...state, source: { kind: 'preset', id: action.id } });
    case 'planTaken':
      return planTaken({ ...state, agreed: [], foreign: action.foreign ?? [] }, action);
    case 'presetTaken':
      return presetTaken({ ...state, agreed: [], foreign: action.foreign }, action);
    case 'targetsFilled':
      return withIds(state, (newId) =>
        changedOn('target', {
          ...practised(state, action),
          targets: action.targets.map((target) => fromTarget(target, newId)),
          probes: {},
          login: { status: 'idle' },
          ...(action.username === null ? {} : { username: action.username }),
        }),
      );
    case 'targetAdded':
      return withIds(state, (newId) =>
        changedOn('target', { ...state, targets: [...state.targets, { id: newId(), url: '', name: '', headers: [], cookie: null }] }),
      );
    case 'targetRemoved':
      if (state.targets.length === 1) return state;
      return forgetPractice(changedOn('target', { ...state, targets: state.targets.filter((target) => target.id !== action.id) }));
    case 'targetChanged':
      return forgetPractice(changeTarget(state, action.id, (target) => ({ ...target, ...action.change })));
    case 'headerAdded':
      return withIds(state, (newId) =>
        changeTarget(state, action.id, (target) => ({
          ...target,
          headers: [...target.headers, { id: newId(), name: '', value: { kind: 'clear', text: '' } }],
        })),
      );
    case 'headerChanged':
      return changeHeaders(state, action.id, (headers) =>
        headers.map((header) => (header.id === action.headerId ? { ...header, ...action.change } : header)),
      );
    case 'headerKept':
      return changeHeaders(state, action.id, (headers) =>
        headers.map((header) =>
          header.id === action.headerId && header.value.kind === 'toKeep'
            ? { ...header, value: { kind: 'kept', secret: action.secret } }
            : header,
        ),
      );
    case 'headerRemoved':
      return changeHeaders(state, action.id, (headers) => headers.filter((header) => header.id !== action.headerId));
    case 'verifyingChanged':
      // Probes with the previous certificate setting are outdated.
      return changedOn('target', { ...state, verifiesCertificates: action.verifies, probes: {} });
    case 'authorityChanged':
      return changedOn('target', { ...state, authority: action.authority, probes: {} });
    case 'usernameChanged':
      return { ...state, username: action.username };
    case 'answerChanged': {
      const { answers } = entriesOf(state);
      return changeEntries(state, { answers: { ...answers, [action.question]: action.answer } });
    }
    case 'loadEdited':
      return changeEntries(state, { load: action.load });
    case 'stageAdded': {
      const { load } = action;
      return withIds(state, (newId) => changeEntries(state, { load: { ...load, stages: [...load.stages, oneMore(load, newId())] } }));
    }
    case 'criteriaEdited':
      return changeEntries(state, { criteria: action.criteria });
    case 'criterionAdded':
      return withIds(state, (newId) => changeEntries(state, { criteria: [...action.criteria, fromCriterion(action.criterion, newId)] }));
    case 'agreementChanged': {
      const others = state.agreed.filter((key) => !action.keys.includes(key));
      return { ...state, agreed: action.given ? [...others, ...action.keys] : others };
    }
    case 'placeChanged':
      return { ...state, places: { ...state.places, [action.name]: action.role } };
    case 'lossChanged':
      return { ...state, onLost: action.onLost };
    case 'makerChanged':
      return { ...state, maker: action.maker };
    case 'cacheCountingChanged':
      return changedOn('load', { ...state, countsCache: action.counts });
    case 'protocolChanged':
      return changedOn('load', { ...state, protocol: action.protocol });
    case 'resumptionChanged':
      return changedOn('load', { ...state, resumePercent: action.percent });
    case 'watchPagesChanged':
      return changedOn('load', { ...state, watchPages: action.pages });
    case 'watchFromChanged':
      return changedOn('load', { ...state, watchFrom: action.host });
    case 'placesTaken':
      return { ...state, places: placesFrom(action.generators, state.places, state.source?.kind === 'plan' ? state.source.plan : null) };
    case 'pageOpened':
      return isBefore(state.reached, action.page) ? { ...state, reached: action.page } : state;
    case 'probeAsked': {
      const target = state.targets.find(({ id }) => id === action.id);
      return target
        ? { ...state, probes: { ...state.probes, [action.id]: { status: 'asking', about: probeAbout(target, tlsOf(state)) } } }
        : state;
    }
    case 'probeAnswered':
      return settleProbe(state, action.id, { status: 'answered', about: action.about, result: action.result });
    case 'probeFailed':
      return settleProbe(state, action.id, { status: 'failed', about: action.about, problem: action.problem });
    case 'loginAsked':
      return { ...state, login: { status: 'asking', about: action.about } };
    case 'loginAnswered':
      return isWaitingFor(state.login, action.about) ? loggedIn(state, action) : state;
    case 'loginFailed':
      if (!isWaitingFor(state.login, action.about)) return state;
      return { ...state, login: { status: 'failed', about: action.about, problem: action.problem } };
    default:
      return action satisfies never;
  }
}

type TargetsFilled = Extract<WizardAction, { readonly type: 'targetsFilled' }>;

/** Adds the values of the practice server to the entries of the chosen preset. */
function practised(state: WizardState, { targets, answers }: TargetsFilled): WizardState {
  if (state.source?.kind !== 'preset') return state;
  const source = sourceKey(state.source);
  const { answers: given, ...others } = entriesOf(state);
  return {
    ...state,
    entries: { ...state.entries, [source]: { ...others, answers: { ...given, ...answers } } },
    practice: { source, urls: targets.map(({ url }) => url), answers },
  };
}

/** Resets the values of the practice server to the preset's defaults, except edited ones, when the target is another server. */
function forgetPractice(state: WizardState): WizardState {
  const { practice } = state;
  if (practice === null || state.targets.some(({ url }) => practice.urls.includes(url))) return state;
  const entries = getOwn(state.entries, practice.source) ?? EMPTY_ENTRIES;
  const kept = Object.entries(entries.answers).filter(([question, answer]) => getOwn(practice.answers, question) !== answer);
  return {
    ...state,
    practice: null,
    entries: { ...state.entries, [practice.source]: { ...entries, answers: Object.fromEntries(kept) } },
  };
}

/** Returns the key of a probe: the whole target and its TLS settings. */
export function probeAbout(target: TargetEntry, tls: Plan['tls']): string {
  return JSON.stringify([toTarget(target), tls]);
}

export function isBefore(page: WizardPageId, other: WizardPageId): boolean {
  return WIZARD_PAGES.indexOf(page) < WIZARD_PAGES.indexOf(other);
}

/** Requires later pages to be visited again after a change, and keeps their entries. */
function changedOn(page: WizardPageId, state: WizardState): WizardState {
  return isBefore(page, state.reached) ? { ...state, reached: page } : state;
}

function planTaken(state: WizardState, { plan, isLoadProposed = false }: Extract<WizardAction, { type: 'planTaken' }>): WizardState {
  return withIds(state, (newId) => {
    // Headers and cookies are now in the target entries, where secrets are references.
    const source = {
      kind: 'plan',
      plan: { ...plan, targets: plan.targets.map(({ url }) => ({ url, headers: {} })) },
      isLoadProposed,
    } as const;
    const entries = { ...state.entries, [sourceKey(source)]: EMPTY_ENTRIES };
    const targets = plan.targets.map((target) => fromTarget(target, newId));
    return {
      ...state,
      source,
      entries,
      targets,
      verifiesCertificates: null,
      authority: null,
      onLost: null,
      maker: null,
      countsCache: null,
      watchPages: null,
      watchFrom: null,
      protocol: null,
      resumePercent: null,
      probes: {},
      login: { status: 'idle' },
      reached: 'load',
    };
  });
}

function presetTaken(state: WizardState, { asked, targets }: Extract<WizardAction, { readonly type: 'presetTaken' }>): WizardState {
  const { preset: id, answers, load, criteria, chosen } = asked;
  return withIds(state, (newId) => {
    const source = { kind: 'preset', id } as const;
    const entries = {
      answers,
      load: load && fromLoad(load, newId),
      criteria: criteria && criteria.map((criterion) => fromCriterion(criterion, newId)),
    };
    return {
      ...state,
      ...chosen,
      source,
      entries: { ...state.entries, [sourceKey(source)]: entries },
      targets: targets.map((target) => fromTarget(target, newId)),
      practice: null,
      probes: {},
      login: { status: 'idle' },
      reached: 'load',
    };
  });
}

function changeEntries(state: WizardState, change: Partial<LoadEntries>): WizardState {
  if (!state.source) return state;
  return changedOn('load', { ...state, entries: { ...state.entries, [sourceKey(state.source)]: { ...entriesOf(state), ...change } } });
}

/** Changes a target and discards its probe. */
function changeTarget(state: WizardState, id: number, change: (target: TargetEntry) => TargetEntry): WizardState {
  const before = state.targets.find((target) => target.id === id);
  if (!before) return state;
  const after = change(before);
  const { [id]: probe, ...others } = state.probes;
  const keepsProbe = probe && (probe.status === 'idle' || probe.about === probeAbout(after, tlsOf(state)));
  return changedOn('target', {
    ...state,
    targets: state.targets.map((target) => (target.id === id ? after : target)),
    probes: keepsProbe ? { ...others, [id]: probe } : others,
  });
}

function changeHeaders(state: WizardState, id: number, change: (headers: readonly HeaderEntry[]) => readonly HeaderEntry[]): WizardState {
  return changeTarget(state, id, (target) => ({ ...target, headers: change(target.headers) }));
}

/** Stores the result of a probe only if it is expected; late results and those of earlier addresses are ignored. */
function settleProbe(state: WizardState, id: number, settled: WizardState['probes'][number]): WizardState {
  const waiting = state.probes[id];
  if (settled.status === 'idle' || !isWaitingFor(waiting, settled.about)) return state;
  return { ...state, probes: { ...state.probes, [id]: settled } };
}

function isWaitingFor(asked: { readonly status: string; readonly about?: string } | undefined, about: string): boolean {
  return asked?.status === 'asking' && asked.about === about;
}

function loggedIn(state: WizardState, { about, cookies, result }: Extract<WizardAction, { type: 'loginAnswered' }>): WizardState {
  const withCookies = cookies.reduce(
    (changed, { id, url, cookie }) =>
      changeTarget(changed, id, (target) => (toTarget(target).url === url ? { ...target, cookie } : target)),
    state,
  );
  return { ...withCookies, login: { status: 'answered', about, result } };
}

/** Provides `change` with new ids and stores the next one. */
function withIds(state: WizardState, change: (newId: NewId) => WizardState): WizardState {
  let { nextId } = state;
  const changed = change(() => nextId++);
  return { ...changed, nextId };
}
