import { readErrorName } from '#core/base/errorNames.ts';
import { responseErrors } from '#core/work/pages/responseErrors.ts';
import { serverWords } from '#core/work/samples/serverWords.ts';
import type { CheckCode } from '#core/work/bodyCheck/words.ts';
import type { ComparedStep, Departure, Outcome } from './schema.ts';
import { areSentOnAlike } from './redirectTargets.ts';
import { asksForPassword, lastOf, titleOf, type Walk, type WalkedStep } from './walk.ts';

/** Below it, differences of size say nothing. */
const SMALL_BYTES = 512;
/** Of a walk no more is kept. */
const LONGEST_BYTES = 1_000_000;

/** Each step of a recording beside the same one of a walk: a step that does not do what it did is known before anybody puts load on it. */
export function compareWalks(recorded: Walk, tried: Walk): ComparedStep[] {
  return recorded.map((step) => {
    const other = tried.find((one) => one.step === step.step);
    const why = departureOf(step, other);
    const outcome = other === undefined ? null : outcomeOf(other);
    const says = why === null ? null : newWords(step, other);
    return { step: step.step, recorded: outcomeOf(step), tried: outcome, isSame: why === null, says, why };
  });
}

/** What the server said, and had not said in the recording. */
function newWords(step: WalkedStep, other: WalkedStep | undefined): string | null {
  const [before, now] = [step, other].map((one) => {
    const last = one === undefined ? null : lastOf(one);
    return last === null ? null : serverWords(last.text ?? '', last.status);
  });
  return now === before ? null : (now ?? null);
}

function outcomeOf(step: WalkedStep): Outcome | null {
  const last = lastOf(step);
  return last === null ? null : { status: last.status, title: titleOf(last), bytes: last.bytes };
}

function departureOf(step: WalkedStep, other: WalkedStep | undefined): Departure | null {
  if (other === undefined) return { kind: 'notReached' };
  const [before, now] = [lastOf(step), lastOf(other)];
  if (now === null || before === null || now.status === 0) return { kind: 'failure', failure: other.failure ?? '' };
  if (asksForPassword(now) && !asksForPassword(before)) return { kind: 'login' };
  if (statusClass(now.status) !== statusClass(before.status)) return { kind: 'status' };
  if (other.failure !== null) return { kind: 'failure', failure: other.failure };
  if (isRefused(step, other)) return { kind: 'refused' };
  if (!areSentOnAlike(step.exchanges, other.exchanges)) return { kind: 'redirect' };
  if (!areAlike(titleOf(before), titleOf(now))) return { kind: 'title' };
  // Servers write an error at greater length to browsers.
  if (now.status < 400 && before.bytes >= SMALL_BYTES && now.bytes * 2 < Math.min(before.bytes, LONGEST_BYTES)) return { kind: 'size' };
  return null;
}

/** Whether the response to a writing request shows an error, while the recorded response shows none. */
export function isRefused(step: WalkedStep, other: WalkedStep): boolean {
  const [request] = step.exchanges;
  if (request === undefined || request.method === 'GET' || request.method === 'HEAD') return false;
  const [before, now] = [step, other].map((one) => responseErrors(lastOf(one)?.text ?? '').length);
  return before === 0 && now !== 0;
}

/** What is there already is not sent again: a browser’s 304 is a page all the same. */
function statusClass(status: number): number {
  return status === 304 ? 2 : Math.floor(status / 100);
}

/** Titles with other numbers or names in them are those of the same page. */
function areAlike(before: string | null, now: string | null): boolean {
  if (before === null || now === null) return before === now || before === null;
  const [one, other] = [wordsOf(before), wordsOf(now)];
  if (one.join(' ') === other.join(' ')) return true;
  const shared = one.filter((word) => other.includes(word)).length;
  return shared * 2 >= Math.max(one.length, other.length) && shared > 0;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function wordsOf(title: string): string[] {
  return title
    .toLowerCase()
    .replaceAll(UUID, '0')
    .replaceAll(/\d+/g, '0')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Steps of a walk whose responses can be laid beside those of the recording: all up to the first one that went another way. */
export function trustedSteps(recorded: Walk, tried: Walk): ReadonlySet<string> {
  const trusted = new Set<string>();
  for (const other of tried) {
    const step = recorded.find((one) => one.step === other.step);
    const last = lastOf(other);
    if (step === undefined || last === null) continue;
    const why = departureOf(step, other);
    const isBroken = why !== null && (why.kind === 'status' || why.kind === 'login' || why.kind === 'notReached');
    const isLost = why?.kind === 'failure' && readErrorName(why.failure).code !== ('NOTHING_CAPTURED' satisfies CheckCode);
    if (isBroken || isLost || !areSentOnAlike(step.exchanges, other.exchanges)) break;
    trusted.add(other.step);
    if (why?.kind === 'failure') break;
  }
  return trusted;
}
