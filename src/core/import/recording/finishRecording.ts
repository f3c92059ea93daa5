import { runTurnsYielding, type Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { captureInTurns, type ConstantValue, type CorrelatedPlan } from './captureByTwo.ts';
import { compareWalks } from './compareWalks.ts';
import type { ComparedStep, FoundValue, HeldBackValue } from './schema.ts';
import { removeTargets } from './redirectTargets.ts';
import { fillOfferedForms } from './offeredForms.ts';
import { addSuccessChecks } from './success.ts';
import { type Walk, lastOf } from './walk.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { secretReferences, listPlaceholderNames } from '#core/plan/secrets.ts';
import { secretName } from '../placeholders.ts';
import { sendsPassword } from '#core/work/journey/requiredSteps.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import { type Leaf, looksGenerated, planLeaves, listLeaves } from './leaves.ts';
import { placesOf } from './valueLocations.ts';
import { type Evidence, Sessions } from './sessions.ts';
import { takeCapture } from './takeCapture.ts';

/** Maximum number of complete walks. A journey with a longer chain of forms stays unsettled. */
export const MAX_ROUNDS = 8;
/** Minimum number of walks, needed to distinguish items that the person created from permanent ones. */
const MIN_WALKS = 2;
/** Maximum number of walks: complete walks, and walks that end before a writing request. */
const MAX_WALKS = 2 * MAX_ROUNDS;

export interface FinishedRecording {
  readonly plan: Plan;
  readonly captured: readonly FoundValue[];
  readonly constant: readonly ConstantValue[];
  /** Comparison of the last walk with the recording. */
  readonly steps: readonly ComparedStep[];
  readonly rounds: number;
  /** Values to which the plan refers (`env:NAME`), by name: those of the import, and constant secrets. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Whether the last walk led to no more changes. */
  readonly isSettled: boolean;
  /** The step before which walks as another account end; null if these walks are complete. */
  readonly heldBack: HeldBackValue | null;
}

/** An imported plan, the recorded walk, and the values to which the plan refers. */
interface ImportedWalk {
  readonly plan: Plan;
  readonly walk: Walk;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Walks a plan once, as the recorded account or as another account. */
export interface Walker {
  readonly hasOtherAccount: boolean;
  walk(plan: Plan, as: 'recorded' | 'other', secrets: ReadonlyMap<string, string>): Promise<Walk>;
  /** Lets other work run if necessary, because comparing walks with many large pages takes seconds. Rejects to cancel. */
  giveWay(): Promise<void>;
}

/**
 * Walks the journey of a recording until the plan no longer changes. A walk fails at the first value that is not captured, so each walk
 * gets further than the one before. If there is another account, the last walk always uses it. A walk as the other account ends before a
 * step that would write with a recorded value that the account's own pages do not show. If the value cannot be captured, the plan ends
 * before that step, too.
 */
export async function finishRecording(
  { plan: given, walk: recordedWalk, secrets: found }: ImportedWalk,
  { hasOtherAccount, walk, giveWay }: Walker,
): Promise<FinishedRecording> {
  let [plan, recorded] = [removeTargets(given), recordedWalk];
  const secrets = new Map(found);
  const secretFor = (called: string, value: string): string => {
    const name = secretName(called, value, secrets);
    secrets.set(name, value);
    return envReference(name);
  };
  const walks: Walk[] = [];
  const constant = new Map<string, ConstantValue>();
  let captured: CorrelatedPlan['captured'] = [];
  /** Captured forms whose pages shuffle their questions. */
  const forms: FoundValue[] = [];
  let isSettled = false;
  /** Walks as the other account, because pages of the recorded account do not show what another account sees. */
  const ofOther: Walk[] = [];
  const findHeldBack = (): Promise<HeldBackValue | null> =>
    hasOtherAccount
      ? runTurnsYielding(heldBackInTurns(plan, { recorded, walks: ofOther, hasOtherAccount }), giveWay)
      : Promise.resolve(null);
  let heldBack = await findHeldBack();
  for (let whole = 0; whole < MAX_ROUNDS && walks.length < MAX_WALKS && !isSettled;) {
    // Accounts alternate between walks. This distinguishes an item of one account from an item that both accounts see.
    const isOther = hasOtherAccount && walks.length % 2 === 0;
    const part = heldBack === null ? plan : { ...plan, journey: stepsBefore(plan, heldBack) };
    if (heldBack === null) whole += 1;
    if (part.journey.length === 0) break;
    const walked = await walk(part, isOther ? 'other' : 'recorded', secrets);
    walks.push(walked);
    if (isOther) ofOther.push(walked);
    const correlated = await runTurnsYielding(captureInTurns(plan, { recorded, walks, hasOtherAccount, secretFor }), giveWay);
    plan = correlated.plan;
    captured = correlated.captured;
    for (const one of correlated.constant) constant.set(`${one.step} ${one.called}`, one);
    const offered = fillOfferedForms(plan, recorded, walks);
    plan = offered.plan;
    forms.push(...offered.forms);
    const [redirect] = correlated.unfold;
    const unfolded = redirect === undefined ? null : unfoldRedirect(plan, recorded, redirect);
    if (unfolded !== null) ({ plan, recorded } = unfolded);
    const isUnchanged =
      !correlated.isChanged &&
      offered.forms.length === 0 &&
      unfolded === null &&
      walks.length >= MIN_WALKS &&
      (!hasOtherAccount || isOther);
    isSettled = isUnchanged && heldBack === null;
    const before = heldBack;
    heldBack = await findHeldBack();
    if (isUnchanged && before !== null && heldBack?.step === before.step) break;
  }
  // What a walk must not send, a load test must not send either.
  if (heldBack !== null && stepsBefore(plan, heldBack).length > 0) plan = { ...plan, journey: stepsBefore(plan, heldBack) };
  const asked = new Set(secretReferences(plan));
  return {
    plan: await runTurnsYielding(addSuccessChecks(plan, given, recorded, walks), giveWay),
    captured: [...captured, ...forms],
    constant: [...constant.values()].filter(({ called }) => !captured.some(({ usedAs }) => usedAs === called)),
    steps: compareWalks(recorded, walks.at(-1) ?? []),
    secrets: new Map([...secrets].filter(([name]) => asked.has(envReference(name)))),
    rounds: walks.length,
    isSettled,
    heldBack,
  };
}

/** Returns the steps before the held-back step. A walk sends them to find out what the account sees. */
function stepsBefore({ journey }: Plan, { step }: HeldBackValue): Plan['journey'] {
  return journey.slice(
    0,
    journey.findIndex(({ name }) => name === step),
  );
}

/**
 * Finds the first step that another account must not send: a writing request with a value from a recorded response that no response to this
 * account shows. The value may identify an item of somebody else. Returns null if there is no such step.
 */
function* heldBackInTurns({ journey }: Pick<Plan, 'journey'>, evidence: Evidence): Turns<HeldBackValue | null> {
  const sessions = yield* Sessions.read(evidence, journey);
  for (const step of journey) {
    yield;
    if (step.method === 'GET' || step.method === 'HEAD' || step.stream !== undefined || sendsPassword(step)) continue;
    const leaf = findUntiedLeaf(step, sessions);
    if (leaf !== null) return { step: step.name, called: leaf.name, value: leaf.value };
  }
  return null;
}

function findUntiedLeaf(step: Step, sessions: Sessions): Leaf | null {
  const request = sessions.evidence.recorded.find((one) => one.step === step.name)?.exchanges[0];
  if (request === undefined) return null;
  const literal = new Set(
    planLeaves(step).flatMap(({ key, text }) => (text === null || listPlaceholderNames(text).length > 0 ? [] : [key])),
  );
  return (
    listLeaves(request).find((leaf) => literal.has(leaf.key) && isOfServer(leaf, step, sessions) && !isShown(leaf, step, sessions)) ?? null
  );
}

/** Returns whether the value identifies an item of the server: an id, a number that a form offers, or a token from an earlier response. */
function isOfServer(leaf: Leaf, step: Step, sessions: Sessions): boolean {
  const { location, name, value } = leaf;
  if (location === 'header' || location === 'body' || location === 'message' || /^0*$/.test(value)) return false;
  const isNumber = /^\d{1,18}$/.test(value);
  const isId = isNumber && (location === 'path' || isCalledId(name));
  if ((isId || looksGenerated(value)) && sessions.isInRecording(value, step.name)) return true;
  return isNumber && sessions.before(step.name).some((recorded) => offersValue(lastOf(recorded)?.text ?? '', name, value));
}

/** Returns whether a name ends in “id”: `draft_id`, `_uid`, `issue[project_id]`, `testlogid`, but not `valid` or `paid`. */
function isCalledId(name: string): boolean {
  return /ids?\W*$/i.test(name) && !/(?:paid|valid|void|grid|bid)s?\W*$/i.test(name);
}

/**
 * Returns whether the latest walk shows the same value: at the recorded location, as an option of a form, or in the address of a successful
 * page.
 */
function isShown(leaf: Leaf, step: Step, sessions: Sessions): boolean {
  const { value, name, location } = leaf;
  const sought = { value, leaf, prefix: location === 'path' ? '/' : '', isShort: !looksGenerated(value) };
  for (const recorded of sessions.before(step.name)) {
    if (!sessions.isTrusted(recorded.step)) continue;
    const walked = sessions.latest.find((one) => one.step === recorded.step);
    const [before, now] = [lastOf(recorded), walked === undefined ? null : lastOf(walked)];
    if (before === null || now === null || now.status >= 400) continue;
    if (recorded.exchanges[0]?.method === 'GET' && listLeaves(recorded.exchanges[0]).some((one) => isSame(one, leaf))) return true;
    for (const { finder } of placesOf(sought, before, sessions.needles)) if (takeCapture(finder, now) === value) return true;
    if (location !== 'path' && offersValue(now.text ?? '', name, value)) return true;
  }
  return false;
}

function isSame(one: Leaf, other: Leaf): boolean {
  return one.value === other.value && one.name === other.name && (one.location === 'path') === (other.location === 'path');
}

/** Returns whether a form offers the value as an option of the field, or contains it in a hidden field. */
function offersValue(html: string, name: string, value: string): boolean {
  let select = '';
  let isOffered = false;
  readTags(html, {
    wants: (tag) => tag === 'select' || tag === 'option' || tag === 'input',
    text: null,
    close: (tag) => {
      if (tag === 'select') select = '';
    },
    open: (tag, attributes) => {
      if (tag === 'select') select = attributes.get('name') ?? '';
      const field = tag === 'option' ? select : (attributes.get('name') ?? '');
      const isChosen = tag === 'option' || /^(hidden|radio|checkbox)$/i.test(attributes.get('type') ?? '');
      if (isChosen && field === name && attributes.get('value') === value) isOffered = true;
    },
  });
  return isOffered;
}

const MAX_NAME_LENGTH = 60;
const REDIRECTED_SUFFIX = ', redirected';

/**
 * Splits a step at a redirect that contains a value for later steps, because captures read only the last response of a step. The plan and
 * the recording are both split; the first part captures the target of the redirect.
 */
function unfoldRedirect(
  plan: Plan,
  recorded: Walk,
  { step: name, hop }: { readonly step: string; readonly hop: number },
): { plan: Plan; recorded: Walk } | null {
  const index = plan.journey.findIndex((step) => step.name === name);
  const step = plan.journey[index];
  const walked = recorded.find((one) => one.step === name);
  const redirect = walked?.exchanges[hop];
  // A step follows either all of its redirects or none, so it cannot be split at a redirect between two others.
  if (step === undefined || walked === undefined || redirect === undefined || step.redirects === undefined) return null;
  if (redirect.status === 307 || redirect.status === 308 || plan.flow !== undefined) return null;
  const first = hop === 0 ? redirect : walked.exchanges[0];
  if (first === undefined) return null;
  const next = freeName(`${name.slice(0, MAX_NAME_LENGTH - REDIRECTED_SUFFIX.length)}${REDIRECTED_SUFFIX}`, plan);
  const location = freeValue(plan);
  const { redirects, resources, checks, captures, thinkTime, expectStatus, ...request } = step;
  const before: Step = {
    ...request,
    checks: [],
    expectStatus: [first.status],
    captures: [{ from: 'header', as: location, name: 'Location', address: true }],
    thinkTime: { kind: 'fixed', seconds: 0 },
  };
  const after: Step = {
    name: next,
    method: 'GET',
    path: `{{${location}}}`,
    headers: {},
    checks,
    redirects,
    ...(resources === undefined ? {} : { resources }),
    ...(captures === undefined ? {} : { captures }),
    ...(thinkTime === undefined ? {} : { thinkTime }),
    ...(expectStatus === undefined ? {} : { expectStatus }),
  };
  return {
    plan: { ...plan, journey: plan.journey.toSpliced(index, 1, before, after) },
    recorded: recorded.flatMap((one) =>
      one === walked
        ? [
            { ...one, exchanges: one.exchanges.slice(0, 1) },
            { ...one, step: next, exchanges: one.exchanges.slice(1) },
          ]
        : [one],
    ),
  };
}

function freeName(wanted: string, { journey }: Plan): string {
  let name = wanted;
  for (let number = 2; journey.some((step) => step.name === name); number += 1)
    name = `${wanted.slice(0, MAX_NAME_LENGTH - 4)} (${number})`;
  return name;
}

function freeValue({ journey, variables, feeds }: Plan): string {
  const taken = new Set([
    ...journey.flatMap(({ captures }) => (captures ?? []).map(({ as }) => as)),
    ...Object.keys(variables ?? {}),
    ...Object.keys(feeds ?? {}),
  ]);
  let name = 'next_address';
  for (let number = 2; taken.has(name); number += 1) name = `next_address_${number}`;
  return name;
}
