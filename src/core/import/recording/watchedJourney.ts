import type { PlanInput } from '#core/plan/schema/plan.ts';
import { readPasswordMark } from './passwordMark.ts';
import { MAX_WATCH_STEPS, watchPageSchema, type WatchStep } from '#core/plan/schema/watchPages.ts';
import { listControls } from '#core/work/pages/offeredForm.ts';
import { listAt, textAt } from '../reading.ts';
import { formPairs } from '../requestParts.ts';
import { ACCOUNT_FEED, accountNames, type RecordedAccount } from './accounts.ts';
import { partLeaves } from './leaves.ts';
import { type Action, readActionIndex, actionName, listActions } from './stepNames.ts';
import { columnName } from '#core/plan/valueNames.ts';

export interface WatchedJourney {
  readonly page: NonNullable<PlanInput['watchPages']>[number];
  /** The first action that a browser cannot repeat; null if the journey contains the whole recording. */
  readonly endsBefore: string | null;
}

/** Maximum length of a name in a recording. A longer name was cut off, so it matches no button. */
const MAX_RECORDED_NAME_LENGTH = 80;

/** The request for a page that an action caused. */
interface PageRequestOfAction {
  readonly address: URL;
  readonly pairs: readonly (readonly [string, string])[];
  readonly text: string;
}

/**
 * Returns the recorded journey for a visitor with a browser: clicks by their text, choices that a form sent, and a login with the plan's
 * account. A recording does not contain any other entered text, so the journey ends before it. Returns null if the journey does not begin
 * with a page of the target.
 */
export function findWatchedJourney(
  har: unknown,
  accounts: readonly RecordedAccount[],
  { target, isFed }: { readonly target: string; readonly isFed: boolean },
): WatchedJourney | null {
  const opened = collectOpened(har);
  const actions = listActions(har).flatMap((action, index) =>
    action === null || action.kind === 'mark' ? [] : [{ action, page: opened.get(index) ?? null }],
  );
  const first = actions.findIndex(({ action, page }) => action.kind === 'open' && page !== null);
  const start = pathOnTarget(actions[first]?.page?.address, target);
  if (start === null) return null;
  const steps: WatchStep[] = [];
  let seen = actions[first]?.page?.text ?? '';
  let endsBefore: string | null = null;
  let chosen: Action | null = null;
  for (const { action, page } of actions.slice(first + 1)) {
    if (action.kind === 'choose') {
      chosen ??= action;
      continue;
    }
    const hasChosen = chosen !== null;
    const step = steps.length < MAX_WATCH_STEPS ? stepOf(action, page, { seen, accounts, target, isFed, hasChosen }) : null;
    if (step === null) {
      endsBefore = actionName(chosen ?? action);
      break;
    }
    chosen = null;
    steps.push(step);
    seen += page?.text ?? '';
  }
  if (chosen !== null) endsBefore ??= actionName(chosen);
  const page = watchPageSchema.safeParse({ name: 'The recorded journey', url: start, ...(steps.length === 0 ? {} : { steps }) });
  return page.success ? { page: page.data, endsBefore } : null;
}

interface PageContext {
  /** Text of all pages so far. */
  readonly seen: string;
  readonly accounts: readonly RecordedAccount[];
  readonly target: string;
  readonly isFed: boolean;
  /** Whether there is a choice that no form has sent so far. */
  readonly hasChosen: boolean;
}

/** Returns the step for an action; null if a browser cannot repeat the action. */
function stepOf(action: Action, page: PageRequestOfAction | null, context: PageContext): WatchStep | null {
  const { kind, text, role, title } = action;
  const { accounts, target, hasChosen } = context;
  const isSteady = title !== '' && !/\d/.test(title) && !accounts.some(({ userName }) => userName !== '' && title.includes(userName));
  const expected = isSteady ? { title } : {};
  if (kind === 'open' && !hasChosen) {
    const url = pathOnTarget(page?.address, target);
    return url === null ? null : { name: actionName(action), url, ...expected };
  }
  if (kind !== 'click' && kind !== 'submit') return null;
  if (page !== null && pathOnTarget(page.address, target) === null) return null;
  const login = page === null ? {} : fieldsOf(page, context);
  const choices = page === null || !hasChosen ? {} : readChoices(page, context.seen);
  if (login === null || (hasChosen && Object.keys(choices).length === 0)) return null;
  const isLogin = Object.keys(login).length > 0;
  const filled = { ...login, ...choices };
  const fill = Object.keys(filled).length > 0 ? { fill: filled } : {};
  const click = role === 'form' ? {} : { click: text };
  if (role === 'form' ? !isLogin : text === '' || text.length >= MAX_RECORDED_NAME_LENGTH) return null;
  return { name: isLogin ? 'Log in' : actionName(action), ...fill, ...click, ...expected };
}

/** Returns the login fields that a person entered; null if a sent value is neither part of the login nor on an earlier page. */
function fieldsOf({ pairs }: PageRequestOfAction, { seen, accounts, isFed }: PageContext): Record<string, string> | null {
  const fill: [string, string][] = [];
  const placeholder = (name: string): string => `{{${isFed ? columnName(ACCOUNT_FEED, name) : name}}}`;
  for (const [name, value] of pairs) {
    const number = readPasswordMark(value)?.account;
    const account = accounts.find((one) => one.userField === name && one.userName === value);
    if (number !== undefined) fill.push([fieldSelector(name), placeholder(accountNames(number).password)]);
    else if (account !== undefined) fill.push([fieldSelector(name), placeholder(accountNames(account.number).user)]);
    else if (value !== '' && !seen.includes(value)) return null;
  }
  return Object.fromEntries(fill);
}

/** Returns the buttons, boxes and list options that a form sends. A control with a number in its name or value is found by its label. */
function readChoices({ pairs }: PageRequestOfAction, seen: string): Record<string, string> {
  const controls = listControls(seen);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => {
      const control = controls.findLast((one) => /^(radio|checkbox|option)$/.test(one.type) && one.name === name && one.value === value);
      if (control === undefined) return [];
      const label = control.label.replaceAll(/\s+/g, ' ').trim();
      if (control.type === 'option') return [[fieldSelector(name), value]];
      const isNumbered = /\d{2}/.test(name + value) && label !== '' && label.length < MAX_RECORDED_NAME_LENGTH;
      return [[isNumbered ? label : `${fieldSelector(name)}[value=${JSON.stringify(value)}]`, value]];
    }),
  );
}

function fieldSelector(name: string): string {
  return `css=[name=${JSON.stringify(name)}]`;
}

/** Returns the first page that each action requested. */
function collectOpened(har: unknown): Map<number, PageRequestOfAction> {
  const found = new Map<number, PageRequestOfAction>();
  for (const entry of listAt(har, 'log', 'entries')) {
    const index = readActionIndex(entry);
    const address = textAt(entry, 'request', 'url') ?? '';
    if (index === null || textAt(entry, '_resourceType') !== 'document' || !URL.canParse(address)) continue;
    const text = textAt(entry, 'response', 'content', 'text') ?? '';
    const before = found.get(index);
    if (before !== undefined) {
      // The person also sees the page to which a redirect leads.
      found.set(index, { ...before, text: before.text + text });
      continue;
    }
    const method = textAt(entry, 'request', 'method') ?? 'GET';
    const url = new URL(address);
    const sent = method === 'GET' ? (formPairs(url.search.slice(1)) ?? []) : listSentPairs(entry);
    found.set(index, { address: url, pairs: sent, text });
  }
  return found;
}

/** Returns the fields of a form, which may be multipart. */
function listSentPairs(entry: unknown): PageRequestOfAction['pairs'] {
  const text = textAt(entry, 'request', 'postData', 'text') ?? '';
  const type = textAt(entry, 'request', 'postData', 'mimeType') ?? '';
  if (!/multipart\/form-data/i.test(type)) return formPairs(text) ?? [];
  const parts = partLeaves(text, type).map(({ name, value }): [string, string] => [name, value]);
  if (parts.length > 0) return parts;
  return listAt(entry, 'request', 'postData', 'params').flatMap((param): [string, string][] => {
    const name = textAt(param, 'name');
    return name === null || textAt(param, 'fileName') !== null ? [] : [[name, textAt(param, 'value') ?? '']];
  });
}

/** Returns the path and query of an address at the target; null for another origin. */
function pathOnTarget(address: URL | undefined, target: string): string | null {
  if (address === undefined || !URL.canParse(target) || address.origin !== new URL(target).origin) return null;
  return `${address.pathname}${address.search}`;
}
