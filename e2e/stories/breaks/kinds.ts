import { BREAK_KINDS, type BreakKind } from '#lab/breaks.ts';
import type { Nature } from './natures.ts';
import type { ServerRules } from './servers.ts';

/** Why a break does not apply, or null if it applies. */
type Reason = string | null;
type Rules = Readonly<Record<Nature, Reason>>;

const EVERYWHERE: Rules = {
  page: null,
  list: null,
  json: null,
  login: null,
  form: null,
  upload: null,
  poll: null,
  background: null,
  stream: null,
};
const NO_FORM = 'it sends no form';
const NOT_JSON = 'it is no JSON, and an error page is tried';

/** Rules by the nature of a step. All other kinds of breaks depend only on the practice server. */
const RULES_BY_NATURE: Partial<Readonly<Record<BreakKind, Rules>>> = {
  status500: EVERYWHERE,
  errorPage: EVERYWHERE,
  emptyList: {
    page: 'it shows no list',
    list: null,
    json: null,
    login: 'it shows no list',
    form: 'it shows no list',
    upload: 'it shows no list',
    poll: 'it waits for one result',
    background: 'its list is empty where nothing happens',
    stream: 'scores come one by one',
  },
  toLogin: { ...EVERYWHERE, login: 'that is its form' },
  backToForm: {
    page: NO_FORM,
    list: NO_FORM,
    json: NO_FORM,
    login: null,
    form: null,
    upload: null,
    poll: NO_FORM,
    background: NO_FORM,
    stream: NO_FORM,
  },
  jsonError: { ...EVERYWHERE, page: NOT_JSON, list: NOT_JSON },
};

export interface Applicable {
  readonly kind: BreakKind;
  readonly because: Reason;
}

/** Returns every kind of break for one step of a practice server. */
export function kindsFor(step: string, nature: Nature, server: ServerRules): readonly Applicable[] {
  return BREAK_KINDS.map((kind) => ({ kind, because: reason(kind, step, nature, server) }));
}

function reason(kind: BreakKind, step: string, nature: Nature, server: ServerRules): Reason {
  switch (kind) {
    case 'swallow':
      return server.stores.includes(step) ? null : 'the server stores nothing of it';
    case 'neverEvaluated':
    case 'thirdEvaluated':
      return server.evaluates.includes(step) ? null : 'it waits for no evaluation';
    case 'tooFrequent':
    case 'closed':
    case 'spent':
      return server.refuses[step]?.includes(kind) === true ? null : 'the server has no such rule';
    case 'oneAccount':
      if (server.open === null) return 'the server has no accounts';
      return server.open.includes(step) ? 'the server asks for no account' : null;
    case 'emptyList':
      return server.mayBeEmpty.includes(step) ? 'its list may be empty, or it has none' : (RULES_BY_NATURE.emptyList?.[nature] ?? null);
    case 'toLogin':
      return server.loginPages.includes(step) ? 'it shows the login form itself' : (RULES_BY_NATURE.toLogin?.[nature] ?? null);
    case 'backToForm':
      if (nature === 'login' && server.forms[step] === undefined) return 'its form is a program';
      return RULES_BY_NATURE.backToForm?.[nature] ?? null;
    default:
      return RULES_BY_NATURE[kind]?.[nature] ?? null;
  }
}
