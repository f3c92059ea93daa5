import type { Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { pageFault } from '#core/work/bodyCheck/pageFault.ts';
import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type ServerCall, serverCalls } from '#core/work/pages/serverCalls.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { isRefused, listTrustedSteps } from './compareWalks.ts';
import { targetsOfAll, setTargets } from './redirectTargets.ts';
import { findSentFormCheck } from './sentForm.ts';
import { jsonOf } from './takeCapture.ts';
import { headingCheck, type StepWalks, titleCheck } from './titleChecks.ts';
import { asksForPassword, headerOf, lastOf, type Walk } from './walk.ts';

type Check = Step['checks'][number];

/**
 * Adds checks to each step for what the recording and all walks have in common: redirect targets and page content. A refusal often has
 * status 200 or redirects to the form. `given`: the plan before the first walk. Its redirect targets remain for steps that no walk reached.
 */
export function* addSuccessChecks(plan: Plan, given: Plan, recorded: Walk, tried: readonly Walk[]): Turns<Plan> {
  const walks: { readonly walk: Walk; readonly trusted: ReadonlySet<string> }[] = [];
  for (const walk of tried) {
    yield;
    walks.push({ walk, trusted: listTrustedSteps(recorded, walk) });
  }
  const journey: Step[] = [];
  for (const [index, step] of plan.journey.entries()) {
    yield;
    const own = recorded.find((one) => one.step === step.name);
    const all = walks.flatMap(({ walk, trusted }) => {
      const other = trusted.has(step.name) ? walk.find((one) => one.step === step.name) : undefined;
      return other === undefined ? [] : [{ walk, own: other }];
    });
    // A refusal does not show how the server responds when it accepts the form.
    const others = own === undefined ? [] : all.filter((other) => !isRefused(own, other.own));
    if (own === undefined || others.length === 0) {
      const before = given.journey.find(({ name }) => name === step.name)?.redirects?.to ?? null;
      const check = own === undefined || all.length === 0 || step.checks.length > 0 ? null : pageCheck([lastOf(own)]);
      journey.push({ ...setTargets(step, before), ...(check === null ? {} : { checks: [check] }) });
    } else
      journey.push(addSuccessCheck(step, { plan, before: plan.journey.slice(0, index + 1), walks: [{ walk: recorded, own }, ...others] }));
  }
  return { ...plan, journey };
}

function addSuccessCheck(step: Step, walks: StepWalks): Step {
  const required = setTargets(step, targetsOfAll(walks.walks.map(({ own }) => own.exchanges)));
  const isPage = step.method !== 'HEAD' && step.stream === undefined && step.poll === undefined;
  if (!isPage || step.checks.length > 0) return required;
  const pages = walks.walks.map(({ own }) => lastOf(own));
  const isWriting = step.method !== 'GET';
  const signs = isWriting ? [callCheck(pages) ?? textCheck(pages), ...statusChecks(pages)] : [];
  const checks = [pageCheck(pages), titleCheck(walks), headingCheck(walks), findSentFormCheck(step, walks), ...signs];
  return { ...required, checks: checks.filter((check) => check !== null) };
}

type Pages = readonly ReturnType<typeof lastOf>[];

/**
 * Checks that the response shows no error, if the recording and all walks showed none. This check comes first, because an error message
 * states its reason.
 */
function pageCheck(pages: Pages): Check | null {
  const mayHaveLogin = pages.some((page) => page !== null && asksForPassword(page));
  const mayBeOther = pages.some((page) => !/html/i.test(headerOf(page?.responseHeaders ?? [], 'content-type') ?? ''));
  const wishes = { mayHaveLogin, withoutErrors: true, ...(mayBeOther ? { mayBeOther } : {}) };
  const areGood = pages.every(
    (page) => page?.text != null && page.text !== '' && page.status < 400 && pageFault(page.text, wishes) === null,
  );
  return areGood ? { kind: 'page', ...wishes } : null;
}

const SUCCESS_CLASS_PATTERN = /^(?:success|succeeded|successful|confirmation|confirmed|notice|info|ok|done)$/i;
const SUCCESS_CALL_PATTERN = /success|succeed|saved|stored|sent|created|updated|added|confirm|done/i;

/** Checks for the script call that best indicates success, if the recording and all walks contain it, with its arguments if they are the same. */
function callCheck(pages: Pages): Check | null {
  const texts = pages.map((page) => page?.text ?? '');
  const [first = [], ...others] = texts.map((text) => serverCalls(text));
  const rankCall = ({ name, args }: ServerCall): number => {
    if (args.some((arg) => typeof arg === 'string' && SUCCESS_CLASS_PATTERN.test(arg))) return 0;
    if (SUCCESS_CALL_PATTERN.test(name)) return 1;
    return args.some((arg) => typeof arg === 'string' && /\p{L}\s+\p{L}/u.test(arg)) ? 2 : 3;
  };
  const shared = first.filter(({ name }) => others.every((calls) => calls.some((call) => call.name === name)));
  for (const call of shared.toSorted((one, other) => rankCall(one) - rankCall(other)))
    for (const sign of [call.text, `${call.name}(`])
      for (const text of [sign, JSON.stringify(sign).slice(1, -1)])
        if (text.length <= 2_000 && texts.every((page) => page.includes(text)))
          return { kind: 'contains', text: escapePlaceholders(text), not: false };
  return null;
}

const MAX_TEXT = 200;

/** Checks for a short text without a number, such as “saved”, if the recording and all walks contain it. */
function textCheck(pages: Pages): Check | null {
  const [first = ''] = pages.map((page) => page?.text ?? '');
  const isPlain = /^[^\s<{[][^<\d]*$/.test(first) && /\p{L}/u.test(first) && first.length <= MAX_TEXT;
  return isPlain && pages.every((page) => page?.text === first) ? { kind: 'contains', text: escapePlaceholders(first), not: false } : null;
}

const STATUS_MEMBER_PATTERN = /^(?:status|result|success|succeeded|ok|code|outcome)$/i;
const SUCCESS_VALUE_PATTERN = /^(?:success|successful|succeeded|ok|okay|done|true|saved|stored|created|updated|accepted|sent)$/i;
const MAX_STATUSES = 2;

/** Checks for the JSON members that report success in the recording and in all walks. */
function statusChecks(pages: Pages): Check[] {
  const [first, ...others] = pages.map((page) => (page === null ? undefined : jsonOf(page)));
  if (!isBlock(first)) return [];
  return Object.entries(first)
    .flatMap(([name, value]): Check[] => {
      const isTaken =
        value === true || value === 0 || value === 200 || value === 201 || (typeof value === 'string' && SUCCESS_VALUE_PATTERN.test(value));
      const isShared = others.every((other) => isBlock(other) && getOwn(other, name) === value);
      return isTaken && isShared && STATUS_MEMBER_PATTERN.test(name)
        ? [{ kind: 'json', path: `$.${name}`, equals: value, not: false }]
        : [];
    })
    .slice(0, MAX_STATUSES);
}
