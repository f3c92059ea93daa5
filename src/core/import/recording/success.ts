import type { Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { pageFault } from '#core/work/bodyCheck/pageFault.ts';
import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type ServerCall, serverCalls } from '#core/work/pages/serverCalls.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { isRefused, listTrustedSteps } from './compareWalks.ts';
import { targetsOfAll, setTargets } from './redirectTargets.ts';
import { jsonOf, takeCapture } from './takeCapture.ts';
import { headingCheck, type StepWalks, titleCheck } from './titleChecks.ts';
import { asksForPassword, headerOf, lastOf, type Walk } from './walk.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import { escapeRegExp } from './valueLocation.ts';

type Check = Step['checks'][number];

/**
 * Adds checks to each step for what the recording and all walks have in common: redirect targets and page content. A refusal often has
 * status 200 or redirects to the form. `originalPlan`: the plan before the first walk. Its redirect targets remain for steps that no walk
 * reached.
 */
export function* addSuccessChecks(plan: Plan, originalPlan: Plan, recorded: Walk, tried: readonly Walk[]): Turns<Plan> {
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
      const before = originalPlan.journey.find(({ name }) => name === step.name)?.redirects?.to ?? null;
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
  const signs = isWriting ? [checkForScriptCall(pages) ?? textCheck(pages), ...statusChecks(pages)] : [];
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

/**
 * Checks for the script call that best indicates success, if the recording and all walks contain it, with its arguments if they are the
 * same.
 */
function checkForScriptCall(pages: Pages): Check | null {
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

const MAX_TAG_LENGTH = 500;

/**
 * Returns a check that the sent form does not come again. A server that accepts an answer shows the next question, whose form has another
 * number. The same number means a refusal, whatever the title. Returns null if the recording and the walks do not all show a number.
 */
function findSentFormCheck(step: Step, { before, walks }: StepWalks): Check | null {
  const sent = [
    ...Object.entries(step.form ?? {}),
    ...(step.multipart ?? []).flatMap((part): [string, string][] => ('value' in part ? [[part.name, part.value]] : [])),
  ];
  for (const [field, text] of sent) {
    const name = /^\{\{([\w-]+)\}\}$/.exec(text)?.[1];
    const capturingStep = before.find(({ captures }) => captures?.some(({ as }) => as === name));
    const capture = capturingStep?.captures?.find(({ as }) => as === name);
    if (name === undefined || capturingStep === undefined || capture === undefined) continue;
    const { as: _as, ...finder } = capture;
    const tags = walks.map(({ walk, own }) => {
      const form = findPage(walk, capturingStep.name);
      const value = form === null ? null : takeCapture(finder, form);
      const tag = form?.text == null || value === null || !/^\d+$/.test(value) ? null : findTag(form.text, field, value);
      const page = lastOf(own)?.text ?? null;
      if (tag === null || value === null || page === null || page.includes(tag) || !hasField(page, field)) return null;
      return tag.replace(new RegExp(`(\\svalue=["']?)${value}`), (_, sign: string) => `${sign}\u0000`);
    });
    const [first] = tags;
    if (first == null || tags.some((tag) => tag !== first)) continue;
    return { kind: 'contains', text: escapePlaceholders(first).replace('\u0000', `{{${name}}}`), not: true };
  }
  return null;
}

function findPage(walk: Walk, step: string): ReturnType<typeof lastOf> {
  const walked = walk.find((one) => one.step === step);
  return walked === undefined ? null : lastOf(walked);
}

/** Returns the tag of a field with this value, as the page contains it. */
function findTag(page: string, field: string, value: string): string | null {
  const within = `[^>]{0,${MAX_TAG_LENGTH}}`;
  const named = `(?=${within}\\sname=["']?${escapeRegExp(field)}["'\\s/>])`;
  return new RegExp(`<input${named}(?=${within}\\svalue=["']?${value}["'\\s/>])${within}>`, 'i').exec(page)?.[0] ?? null;
}

function hasField(page: string, field: string): boolean {
  let isThere = false;
  readTags(page, {
    wants: (tag) => tag === 'input',
    text: null,
    close() {},
    open: (_tag, attributes) => {
      isThere ||= attributes.get('name') === field;
    },
  });
  return isThere;
}
