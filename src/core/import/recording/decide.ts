import type { Turns } from '#core/base/turns.ts';
import { type Leaf, looksGenerated, readMailDomain } from './leaves.ts';
import { escapeRegExp, type ValueLocation, maskVariableParts } from './valueLocation.ts';
import { placesOf } from './valueLocations.ts';
import type { Sessions } from './sessions.ts';
import { takeCapture } from './takeCapture.ts';
import { cookiesBefore, lastOf, type WalkedStep } from './walk.ts';

/** Source of a changing value: a response, a cookie, or the target of a redirect. */
export type Source =
  | { readonly is: 'capture'; readonly from: string; readonly location: ValueLocation }
  | { readonly is: 'cookie'; readonly name: string }
  | { readonly is: 'unfold'; readonly step: string; readonly hop: number };

type Decision = { readonly is: 'changing'; readonly source: Source } | { readonly is: 'constant' | 'unknown' };

/** Maximum number of responses that are searched before a step: the latest ones. */
const MAX_RESPONSES_SEARCHED = 40;
/** Maximum number of responses that are searched for a short value. Scripts may send several requests between a page and its form. */
const MAX_RESPONSES_WITH_SHORT_VALUE = 8;

/**
 * Matches names of fields for the edit version of an item. Servers refuse outdated versions. Saving unchanged content keeps the version, so
 * two walks may show the same value.
 */
const VERSION_NAME_PATTERN =
  /(?:^|[[_.-])(?:(?:lock|row|edit|old|base|content|page|entity)[_-]?)?(?:version|revision|rev(?:id)?|etag|edittime|changecheck)\]?$/i;
const PROGRAM_VERSION_PATTERN = /(?:api|app|browser|client|format|jquery|php|plugin|protocol|schema|wp)[_.-]?version/i;

/** A value of a request and its position there. */
export interface SentValue {
  readonly value: string;
  readonly leaf: Leaf;
  readonly step: string;
  /** The path before the value, if the value is part of a path. */
  readonly prefix: string;
}

/** Decides whether a value changes between sessions, and finds its source. Yields before each response that it searches. */
export function* decide(sessions: Sessions, sent: SentValue): Turns<Decision> {
  const { value, leaf, step, prefix } = sent;
  if (!isWorthLooking(value, leaf)) return { is: 'unknown' };
  const cookie = [...cookiesBefore(sessions.evidence.recorded, step)].find(([, text]) => text === value && value.length >= 6);
  if (cookie !== undefined) {
    const isOther = sessions.isOtherCookie(cookie[0], step);
    if (isOther === true && /^[\w.-]{1,100}$/.test(cookie[0])) return { is: 'changing', source: { is: 'cookie', name: cookie[0] } };
    if (isOther === false) return { is: 'constant' };
  }
  const isStrong = looksGenerated(value) || value === readMailDomain(leaf.value);
  if (!isStrong && isWordOfSite(sessions, sent)) return { is: 'constant' };
  const sought = { value, leaf, prefix, isShort: !isStrong };
  const mayStay = (): boolean => (isStrong ? sessions.mayBeConstant(value, step) : isRelatedConstant);
  let isConstant = false;
  let isRelatedConstant = false;
  let isUnknown = false;
  let withIt = 0;
  let lock: Source | null = null;
  // A value such as 12.4.1 is the version of a program, not of an edited item.
  const isLock = VERSION_NAME_PATTERN.test(leaf.name) && !PROGRAM_VERSION_PATTERN.test(leaf.name) && !/\d\.\d/.test(value);
  let hop: Source | null = null;
  for (const recorded of sessions.before(step).toReversed().slice(0, MAX_RESPONSES_SEARCHED)) {
    const last = lastOf(recorded);
    if (last === null) continue;
    yield;
    if (!isStrong && withIt >= MAX_RESPONSES_WITH_SHORT_VALUE) break;
    const isWritten = sessions.writesData(recorded.step);
    // A value that looks constant is not searched for again in responses that cannot show a change.
    if (isStrong && isConstant && !isWritten && mayStay()) continue;
    let hasPlace = false;
    for (const location of placesOf(sought, last, sessions.needles)) {
      hasPlace = true;
      if (!sessions.isTrusted(recorded.step)) {
        // The value is undecided, because an older page may contain the number of another item.
        if (!isStrong) return { is: 'unknown' };
        isUnknown = true;
        break;
      }
      const now = sessions.take(location.finder, sessions.latest, recorded.step);
      if (now === null || now === '') continue;
      if (!sessions.differsInWalks(location.finder, recorded.step, value)) {
        isConstant = true;
        // The value may belong to another item, because a list of items may contain the same number.
        isRelatedConstant ||= location.isRelated && !location.isListed;
        if (isLock && location.isRelated) lock ??= { is: 'capture', from: recorded.step, location };
        continue;
      }
      if (!isAkin(value, now) || !(isStrong || location.isRelated)) continue;
      if (mayStay() && !(location.isRelated && isWritten)) continue;
      return { is: 'changing', source: { is: 'capture', from: recorded.step, location } };
    }
    if (hasPlace) withIt += 1;
    hop ??= redirectWith(sessions, sent, recorded);
  }
  if (lock !== null) return { is: 'changing', source: lock };
  if (hop !== null && !isConstant) return { is: 'changing', source: hop };
  return { is: isConstant ? 'constant' : isUnknown ? 'unknown' : isStrong && sessions.mayBeConstant(value, step) ? 'constant' : 'unknown' };
}

/**
 * Returns whether pages of the recording and of the walk link to this part of an address, such as `/admin/account` or `?p=1`. Such a part
 * belongs to the site and is constant.
 */
function isWordOfSite(sessions: Sessions, { value, leaf, step, prefix }: SentValue): boolean {
  if (leaf.location !== 'path' && leaf.location !== 'query') return false;
  // A page may list the item of an earlier walk after the item that the journey created.
  if (/\d/.test(value) && sessions.before(step).some((recorded) => sessions.makesSomething(recorded.step))) return false;
  const before = leaf.location === 'path' ? maskVariableParts(prefix) : `[?&;]${escapeRegExp(leaf.name)}=`;
  const address = new RegExp(`${before}${escapeRegExp(value)}(?![\\w-])`);
  return sessions
    .before(step)
    .some(
      (recorded) =>
        !sessions.makesSomething(recorded.step) &&
        sessions.isTrusted(recorded.step) &&
        sessions.matchesInBothWalks(address, value, recorded.step),
    );
}

/** Finds a redirect if its target is the only source of the value. */
function redirectWith(sessions: Sessions, { value, leaf, prefix }: SentValue, recorded: WalkedStep): Source | null {
  const { step, exchanges } = recorded;
  const sought = { value, leaf, prefix, isShort: !looksGenerated(value) };
  const tried = sessions.latest.find((one) => one.step === step);
  if (!sessions.isTrusted(step) || tried === undefined) return null;
  for (const [hop, exchange] of exchanges.slice(0, -1).entries()) {
    const other = tried.exchanges[hop];
    if (other === undefined) return null;
    for (const { finder, isRelated } of placesOf(sought, { ...exchange, text: null }, sessions.needles)) {
      const now = takeCapture(finder, other);
      if (now !== null && now !== value && (!sought.isShort || isRelated)) return { is: 'unfold', step, hop };
    }
  }
  return null;
}

/** Returns whether two values are of the same kind: both or neither are numbers, and their lengths are similar. */
function isAkin(one: string, other: string): boolean {
  if (/^\d+$/.test(one) || (/^\d+$/.test(other) && !/\d/.test(one))) return /^\d+$/.test(one) && /^\d+$/.test(other);
  return other.length * 8 >= one.length && other.length <= one.length * 8 + 16;
}

function isWorthLooking(value: string, { location }: Leaf): boolean {
  if (location === 'body' || /^(true|false|on|off|yes|no|null|undefined)$/i.test(value)) return false;
  return value.length >= 3 || /\d/.test(value);
}
