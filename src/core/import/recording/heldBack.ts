import type { Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { sendsPassword } from '#core/work/journey/requiredSteps.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import { type Leaf, looksGenerated, planLeaves, listLeaves } from './leaves.ts';
import { placesOf } from './valueLocations.ts';
import type { HeldBackValue } from './schema.ts';
import { type Evidence, Sessions } from './sessions.ts';
import { takeCapture } from './takeCapture.ts';
import { lastOf } from './walk.ts';

/**
 * Finds the first step that another account must not send: a writing request with a value from a recorded response that no response to this
 * account shows. The value may identify an item of somebody else. Returns null if there is no such step.
 */
export function* heldBackInTurns({ journey }: Pick<Plan, 'journey'>, evidence: Evidence): Turns<HeldBackValue | null> {
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
