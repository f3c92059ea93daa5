import { inTurns } from '#core/base/turns.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { captureInTurns, type ConstantValue, type Correlated } from './captureByTwo.ts';
import { compareWalks } from './compareWalks.ts';
import { heldBackInTurns } from './heldBack.ts';
import type { ComparedStep, FoundValue, HeldBack } from './schema.ts';
import { withoutTargets } from './redirectTargets.ts';
import { withOfferedForms } from './offeredForms.ts';
import { withSuccess } from './success.ts';
import { unfoldRedirect } from './unfold.ts';
import type { Walk } from './walk.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { secretName } from '../environmentNames.ts';

/** Walks: a journey of more forms that follow from each other than this is left as far as it came. */
export const MOST_ROUNDS = 8;
/** What a person made is told from what is always there by walking twice at least. */
const FEWEST_ROUNDS = 2;
/** Walks to the end, and those that end before something is written. */
const MOST_WALKS = 2 * MOST_ROUNDS;

export interface FinishedRecording {
  readonly plan: Plan;
  readonly captured: readonly FoundValue[];
  readonly constant: readonly ConstantValue[];
  /** The last walk beside the recording. */
  readonly steps: readonly ComparedStep[];
  readonly rounds: number;
  /** Values that the plan refers to (`env:NAME`), by their names: those of the import, and what turned out to be the same for everybody. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The last walk changed nothing. */
  readonly isSettled: boolean;
  /** Where walks as another account ended before they wrote; null where they were walked to the end. */
  readonly heldBack: HeldBack | null;
}

/** A plan that was made of a recording, what the person did, and the values that the plan refers to. */
interface Imported {
  readonly plan: Plan;
  readonly walk: Walk;
  readonly secrets: ReadonlyMap<string, string>;
}

/** What walks a plan once: as the account that was recorded, or as another one where there is one. */
export interface Walker {
  readonly hasOtherAccount: boolean;
  walk(plan: Plan, as: 'recorded' | 'other', secrets: ReadonlyMap<string, string>): Promise<Walk>;
  /** Waits while others have their turn, if it is time for that: walks are laid side by side for seconds where pages are many and large. Rejects to end it. */
  giveWay(): Promise<void>;
}

/**
 * Walks the journey of a recording until nothing changes any more. A walk fails at the first value that should have been captured: each one leads further than the
 * one before. Where there is another account, the last walk is always its. It writes nothing by a value of the recording that its own pages do not show: walks end before
 * that step until the value is captured. Where it cannot be, nothing further is sent.
 */
export async function finishRecording(
  { plan: given, walk: recordedWalk, secrets: found }: Imported,
  { hasOtherAccount, walk, giveWay }: Walker,
): Promise<FinishedRecording> {
  let [plan, recorded] = [withoutTargets(given), recordedWalk];
  const secrets = new Map(found);
  const secretFor = (called: string, value: string): string => {
    const name = secretName(called, value, secrets);
    secrets.set(name, value);
    return envReference(name);
  };
  const walks: Walk[] = [];
  const constant = new Map<string, ConstantValue>();
  let captured: Correlated['captured'] = [];
  /** What is taken of pages that shuffle their questions. */
  const forms: FoundValue[] = [];
  let isSettled = false;
  /** What the pages of the recorded account show says nothing of another one. */
  const ofOther: Walk[] = [];
  const heldIn = (): Promise<HeldBack | null> =>
    hasOtherAccount ? inTurns(heldBackInTurns(plan, { recorded, walks: ofOther, hasOtherAccount }), giveWay) : Promise.resolve(null);
  let held = await heldIn();
  for (let whole = 0; whole < MOST_ROUNDS && walks.length < MOST_WALKS && !isSettled;) {
    // In turns, so that what one account made before is told from what another one finds.
    const isOther = hasOtherAccount && walks.length % 2 === 0;
    const part = held === null ? plan : { ...plan, journey: stepsBefore(plan, held) };
    if (held === null) whole += 1;
    if (part.journey.length === 0) break;
    const walked = await walk(part, isOther ? 'other' : 'recorded', secrets);
    walks.push(walked);
    if (isOther) ofOther.push(walked);
    const correlated = await inTurns(captureInTurns(plan, { recorded, walks, hasOtherAccount, secretFor }), giveWay);
    plan = correlated.plan;
    captured = correlated.captured;
    for (const one of correlated.constant) constant.set(`${one.step} ${one.called}`, one);
    const offered = withOfferedForms(plan, recorded, walks);
    plan = offered.plan;
    forms.push(...offered.forms);
    const [redirect] = correlated.unfold;
    const unfolded = redirect === undefined ? null : unfoldRedirect(plan, recorded, redirect);
    if (unfolded !== null) ({ plan, recorded } = unfolded);
    const isUnchanged =
      !correlated.isChanged &&
      offered.forms.length === 0 &&
      unfolded === null &&
      walks.length >= FEWEST_ROUNDS &&
      (!hasOtherAccount || isOther);
    isSettled = isUnchanged && held === null;
    const before = held;
    held = await heldIn();
    if (isUnchanged && before !== null && held?.step === before.step) break;
  }
  // What must not be sent by a walk must not be sent by a load either.
  if (held !== null && stepsBefore(plan, held).length > 0) plan = { ...plan, journey: stepsBefore(plan, held) };
  const asked = new Set(secretReferences(plan));
  return {
    plan: await inTurns(withSuccess(plan, given, recorded, walks), giveWay),
    captured: [...captured, ...forms],
    constant: [...constant.values()].filter(({ called }) => !captured.some(({ usedAs }) => usedAs === called)),
    steps: compareWalks(recorded, walks.at(-1) ?? []),
    secrets: new Map([...secrets].filter(([name]) => asked.has(envReference(name)))),
    rounds: walks.length,
    isSettled,
    heldBack: held,
  };
}

/** What is before a step, to look at what the account sees. */
function stepsBefore({ journey }: Plan, { step }: HeldBack): Plan['journey'] {
  return journey.slice(
    0,
    journey.findIndex(({ name }) => name === step),
  );
}
