import type { Probe } from '#contract/replies.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { CHOICE_NAMES, CHOICES, type Choices } from './choices.ts';
import { fromTarget, toTarget } from './entries.ts';
import { type LoadEntry, newIdIn } from './loadEntry.ts';
import { withGenerators } from './machineRoles.ts';
import {
  type Asked,
  EMPTY_ENTRIES,
  EMPTY_STATE,
  listEntries,
  type HeaderEntry,
  type KeptCookie,
  type LoadEntries,
  type LoginOutcome,
  type CriterionEntry,
  sourceKey,
  type TargetEntry,
  readTls,
  WIZARD_PAGES,
  type WizardPageId,
  type WizardState,
} from './types.ts';

/** A preset with entries and choices, restored from an earlier run. */
export interface RestoredPreset {
  readonly id: string;
  readonly entries: LoadEntries;
  readonly choices: Choices;
}

export type WizardAction =
  | { readonly type: 'startedOver' }
  /** Undoes the action `startedOver`. */
  | { readonly type: 'takenBack'; readonly state: WizardState }
  | { readonly type: 'presetChosen'; readonly id: string }
  /** `foreign` has the keys of permissions that the plan needs and that have not been given. */
  | { readonly type: 'planTaken'; readonly plan: Plan; readonly foreign?: readonly string[]; readonly isLoadProposed?: boolean }
  | {
      readonly type: 'presetTaken';
      readonly preset: RestoredPreset;
      readonly targets: readonly Target[];
      readonly foreign: readonly string[];
    }
  | {
      /** Sets the targets of a practice server. `answers` are the values that the practice server needs. */
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
  | { readonly type: 'chosen'; readonly change: Choices }
  | { readonly type: 'usernameChanged'; readonly username: string }
  | { readonly type: 'answerChanged'; readonly question: string; readonly answer: NumberEntry }
  | { readonly type: 'loadEdited'; readonly load: LoadEntry | null }
  | { readonly type: 'criteriaEdited'; readonly criteria: readonly CriterionEntry[] | null }
  | { readonly type: 'agreementChanged'; readonly keys: readonly string[]; readonly given: boolean }
  /** Restores the load generators of an earlier run, by their names in its result. */
  | { readonly type: 'placesTaken'; readonly generators: readonly string[] }
  | { readonly type: 'pageOpened'; readonly page: WizardPageId }
  | { readonly type: 'probeChanged'; readonly id: number; readonly probe: Asked<Probe> }
  | {
      readonly type: 'loginChanged';
      readonly login: Asked<LoginOutcome>;
      readonly cookies?: readonly { readonly id: number; readonly url: string; readonly cookie: KeptCookie }[];
    };

/** Reducer of the wizard. It is pure, and actions never contain secrets. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'startedOver':
      return EMPTY_STATE;
    case 'takenBack':
      return action.state;
    case 'presetChosen':
      if (state.source?.kind === 'preset' && state.source.id === action.id) return state;
      return requireVisitAfter('question', { ...state, source: { kind: 'preset', id: action.id } });
    case 'planTaken':
      return openPlan(state, action);
    case 'presetTaken':
      return openPreset(state, action);
    case 'targetsFilled':
    case 'targetAdded':
    case 'targetRemoved':
    case 'targetChanged':
      return forgetPractice(requireVisitAfter('target', changeTargets(state, action)));
    case 'headerAdded':
    case 'headerChanged':
    case 'headerKept':
    case 'headerRemoved':
      return changeTarget(state, action.id, (target) => ({ ...target, headers: changeHeaders(target.headers, action) }));
    case 'chosen':
      return applyChoice(state, action.change);
    case 'usernameChanged':
      return { ...state, username: action.username };
    case 'answerChanged':
      return changeEntries(state, { answers: { ...listEntries(state).answers, [action.question]: action.answer } });
    case 'loadEdited':
      return changeEntries(state, { load: action.load });
    case 'criteriaEdited':
      return changeEntries(state, { criteria: action.criteria });
    case 'agreementChanged': {
      const others = state.agreed.filter((key) => !action.keys.includes(key));
      return { ...state, agreed: action.given ? [...others, ...action.keys] : others };
    }
    case 'placesTaken': {
      const plan = state.source?.kind === 'plan' ? state.source.plan : null;
      return { ...state, choices: { ...state.choices, places: withGenerators(action.generators, state.choices.places, plan) } };
    }
    case 'pageOpened':
      return isBefore(state.reached, action.page) ? { ...state, reached: action.page } : state;
    case 'probeChanged':
      return storeProbe(state, action);
    case 'loginChanged':
      return storeLogin(state, action);
    default:
      return action satisfies never;
  }
}

type ActionOf<Type extends WizardAction['type']> = Extract<WizardAction, { readonly type: Type }>;

function changeTargets(
  state: WizardState,
  action: ActionOf<'targetsFilled' | 'targetAdded' | 'targetRemoved' | 'targetChanged'>,
): WizardState {
  const { targets } = state;
  switch (action.type) {
    case 'targetsFilled':
      return {
        ...fillFromPractice(state, action),
        targets: action.targets.map((target, index) => fromTarget(target, newIdIn(targets) + index)),
        probes: {},
        login: { status: 'idle' },
        ...(action.username === null ? {} : { username: action.username }),
      };
    case 'targetAdded':
      return { ...state, targets: [...targets, { id: newIdIn(targets), url: '', name: '', headers: [], cookie: null }] };
    case 'targetRemoved': {
      const { [action.id]: _removed, ...probes } = state.probes;
      return targets.length === 1 ? state : { ...state, targets: targets.filter(({ id }) => id !== action.id), probes };
    }
    case 'targetChanged':
      return changeTarget(state, action.id, (target) => ({ ...target, ...action.change }));
    default:
      return action satisfies never;
  }
}

/** Changes a target. Its probe is discarded if the address, the headers or the cookie are no longer those that were probed. */
function changeTarget(state: WizardState, id: number, change: (target: TargetEntry) => TargetEntry): WizardState {
  const before = state.targets.find((target) => target.id === id);
  if (!before) return state;
  const after = change(before);
  const { [id]: probe, ...others } = state.probes;
  const keepsProbe = probe && (probe.status === 'idle' || probe.about === probeKey(after, readTls(state)));
  return requireVisitAfter('target', {
    ...state,
    targets: state.targets.map((target) => (target.id === id ? after : target)),
    probes: keepsProbe ? { ...others, [id]: probe } : others,
  });
}

function changeHeaders(
  headers: readonly HeaderEntry[],
  action: ActionOf<'headerAdded' | 'headerChanged' | 'headerKept' | 'headerRemoved'>,
): readonly HeaderEntry[] {
  if (action.type === 'headerAdded') return [...headers, { id: newIdIn(headers), name: '', value: { kind: 'clear', text: '' } }];
  if (action.type === 'headerRemoved') return headers.filter(({ id }) => id !== action.headerId);
  return headers.map((header) => {
    if (header.id !== action.headerId) return header;
    if (action.type === 'headerChanged') return { ...header, ...action.change };
    return header.value.kind === 'toKeep' ? { ...header, value: { kind: 'kept', secret: action.secret } } : header;
  });
}

/** Adds the values of the practice server to the entries of the chosen preset. */
function fillFromPractice(state: WizardState, { targets, answers }: ActionOf<'targetsFilled'>): WizardState {
  if (state.source?.kind !== 'preset') return state;
  const source = sourceKey(state.source);
  const { answers: given, ...others } = listEntries(state);
  return {
    ...state,
    entries: { ...state.entries, [source]: { ...others, answers: { ...given, ...answers } } },
    practice: { source, urls: targets.map(({ url }) => url), answers },
  };
}

/**
 * Resets the values of the practice server to the preset's defaults when the target is no longer that server. Values that the user has
 * edited are kept.
 */
function forgetPractice(state: WizardState): WizardState {
  const { practice } = state;
  if (practice === null || state.targets.some(({ url }) => practice.urls.includes(url))) return state;
  const entries = getOwn(state.entries, practice.source) ?? EMPTY_ENTRIES;
  const kept = Object.entries(entries.answers).filter(([question, answer]) => getOwn(practice.answers, question) !== answer);
  return { ...state, practice: null, entries: { ...state.entries, [practice.source]: { ...entries, answers: Object.fromEntries(kept) } } };
}

/** Returns the key of a probe, which consists of the whole target and its TLS settings. */
export function probeKey(target: TargetEntry, tls: Plan['tls']): string {
  return JSON.stringify([toTarget(target), tls]);
}

export function isBefore(page: WizardPageId, other: WizardPageId): boolean {
  return WIZARD_PAGES.indexOf(page) < WIZARD_PAGES.indexOf(other);
}

/** Requires later pages to be visited again after a change. The entries on these pages are kept. */
function requireVisitAfter(page: WizardPageId, state: WizardState): WizardState {
  return isBefore(page, state.reached) ? { ...state, reached: page } : state;
}

function applyChoice(state: WizardState, change: Choices): WizardState {
  const page = WIZARD_PAGES.find((each) => CHOICE_NAMES.some((name) => change[name] !== undefined && CHOICES[name].page === each));
  const after = { ...state, choices: { ...state.choices, ...change } };
  // Probes that were sent with the previous certificate setting are outdated.
  return page === undefined ? after : requireVisitAfter(page, page === 'target' ? { ...after, probes: {} } : after);
}

/** Parts of the state that are reset when another source is opened. */
const NEW_SOURCE_STATE = { probes: {}, agreed: [], login: { status: 'idle' }, reached: 'load' } as const;

function openPlan(state: WizardState, { plan, foreign = [], isLoadProposed = false }: ActionOf<'planTaken'>): WizardState {
  // Headers and cookies are now in the target entries, in which secrets are references.
  const source = {
    kind: 'plan',
    plan: { ...plan, targets: plan.targets.map(({ url }) => ({ url, headers: {} })) },
    isLoadProposed,
  } as const;
  return {
    ...state,
    ...NEW_SOURCE_STATE,
    foreign,
    source,
    entries: { ...state.entries, [sourceKey(source)]: EMPTY_ENTRIES },
    targets: plan.targets.map((target, index) => fromTarget(target, index + 1)),
    choices: { places: state.choices.places },
  };
}

function openPreset(state: WizardState, { preset: { id, entries, choices }, targets, foreign }: ActionOf<'presetTaken'>): WizardState {
  const source = { kind: 'preset', id } as const;
  return {
    ...state,
    ...NEW_SOURCE_STATE,
    foreign,
    source,
    entries: { ...state.entries, [sourceKey(source)]: entries },
    targets: targets.map((target, index) => fromTarget(target, index + 1)),
    choices,
    practice: null,
  };
}

function changeEntries(state: WizardState, change: Partial<LoadEntries>): WizardState {
  if (!state.source) return state;
  return requireVisitAfter('load', {
    ...state,
    entries: { ...state.entries, [sourceKey(state.source)]: { ...listEntries(state), ...change } },
  });
}

/** Stores the result of a probe if that result is expected. Late results, and those for previous addresses, are ignored. */
function storeProbe(state: WizardState, { id, probe }: ActionOf<'probeChanged'>): WizardState {
  const isExpected = probe.status === 'asking' ? state.targets.some((target) => target.id === id) : isReplyTo(state.probes[id], probe);
  return isExpected ? { ...state, probes: { ...state.probes, [id]: probe } } : state;
}

function isReplyTo(asked: Asked<unknown> | undefined, reply: Asked<unknown>): boolean {
  return asked?.status === 'asking' && reply.status !== 'idle' && asked.about === reply.about;
}

function storeLogin(state: WizardState, { login, cookies = [] }: ActionOf<'loginChanged'>): WizardState {
  if (login.status !== 'asking' && !isReplyTo(state.login, login)) return state;
  const withCookies = cookies.reduce(
    (changedState, { id, url, cookie }) =>
      changeTarget(changedState, id, (target) => (toTarget(target).url === url ? { ...target, cookie } : target)),
    state,
  );
  return { ...withCookies, login };
}
