import { runTurnsYielding } from '#core/base/turns.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { captureInTurns, type ConstantValue, type CorrelatedPlan } from './captureByTwo.ts';
import { compareWalks } from './compareWalks.ts';
import { heldBackInTurns } from './heldBack.ts';
import type { ComparedStep, FoundValue, HeldBackValue } from './schema.ts';
import { removeTargets } from './redirectTargets.ts';
import { fillOfferedForms } from './offeredForms.ts';
import { addSuccessChecks } from './success.ts';
import { unfoldRedirect } from './unfold.ts';
import type { Walk } from './walk.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { secretName } from '../environmentNames.ts';

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
