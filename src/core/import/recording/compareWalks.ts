import { readErrorName } from '#core/base/errorNames.ts';
import { responseErrors } from '#core/work/pages/responseErrors.ts';
import { findServerMessage } from '#core/work/samples/serverWords.ts';
import type { CheckCode } from '#core/work/bodyCheck/errorTexts.ts';
import type { ComparedStep, Departure, Outcome } from './schema.ts';
import { redirectAlike } from './redirectTargets.ts';
import { asksForPassword, lastOf, titleOf, type Walk, type WalkedStep } from './walk.ts';

/** Minimum size in bytes of pages whose sizes are compared. Differences between smaller pages mean nothing. */
const MIN_COMPARED_BYTES = 512;
/** Maximum number of bytes that a walk keeps of a response. */
const MAX_KEPT_BYTES = 1_000_000;

/** Compares each step of a recording with the same step of a walk, to find wrong steps before a load test. */
export function compareWalks(recorded: Walk, tried: Walk): ComparedStep[] {
  return recorded.map((step) => {
    const other = tried.find((one) => one.step === step.step);
    const why = readDeparture(step, other);
    const outcome = other === undefined ? null : decideOutcome(other);
    const says = why === null ? null : findNewWords(step, other);
    return { step: step.step, recorded: decideOutcome(step), tried: outcome, isSame: why === null, says, why };
  });
}

/** Returns the server’s error text if the recording does not have the same text. */
function findNewWords(step: WalkedStep, other: WalkedStep | undefined): string | null {
  const [before, now] = [step, other].map((one) => {
    const last = one === undefined ? null : lastOf(one);
    return last === null ? null : findServerMessage(last.text ?? '', last.status);
  });
  return now === before ? null : (now ?? null);
}

function decideOutcome(step: WalkedStep): Outcome | null {
  const last = lastOf(step);
  return last === null ? null : { status: last.status, title: titleOf(last), bytes: last.bytes };
}

function readDeparture(step: WalkedStep, other: WalkedStep | undefined): Departure | null {
  if (other === undefined) return { kind: 'notReached' };
  const [before, now] = [lastOf(step), lastOf(other)];
  if (now === null || before === null || now.status === 0) return { kind: 'failure', failure: other.failure ?? '' };
  if (asksForPassword(now) && !asksForPassword(before)) return { kind: 'login' };
  if (statusClass(now.status) !== statusClass(before.status)) return { kind: 'status' };
  if (other.failure !== null) return { kind: 'failure', failure: other.failure };
  if (isRefused(step, other)) return { kind: 'refused' };
  if (!redirectAlike(step.exchanges, other.exchanges)) return { kind: 'redirect' };
  if (!areAlike(titleOf(before), titleOf(now))) return { kind: 'title' };
  // Error pages for browsers are often longer, so their sizes are not compared.
  if (now.status < 400 && before.bytes >= MIN_COMPARED_BYTES && now.bytes * 2 < Math.min(before.bytes, MAX_KEPT_BYTES))
    return { kind: 'size' };
  return null;
}

/** Returns whether the response to a writing request shows an error, while the recorded response shows none. */
export function isRefused(step: WalkedStep, other: WalkedStep): boolean {
  const [request] = step.exchanges;
  if (request === undefined || request.method === 'GET' || request.method === 'HEAD') return false;
  const [before, now] = [step, other].map((one) => responseErrors(lastOf(one)?.text ?? '').length);
  return before === 0 && now !== 0;
}

/** Returns the class of a status. A 304 counts as 2xx, because the browser already had the page. */
function statusClass(status: number): number {
  return status === 304 ? 2 : Math.floor(status / 100);
}

/** Returns whether two titles belong to the same page. Numbers and some of the words may differ. */
function areAlike(before: string | null, now: string | null): boolean {
  if (before === null || now === null) return before === now || before === null;
  const [one, other] = [wordsIn(before), wordsIn(now)];
  if (one.join(' ') === other.join(' ')) return true;
  const shared = one.filter((word) => other.includes(word)).length;
  return shared * 2 >= Math.max(one.length, other.length) && shared > 0;
}

const UUID_PATTERN = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function wordsIn(title: string): string[] {
  return title
    .toLowerCase()
    .replaceAll(UUID_PATTERN, '0')
    .replaceAll(/\d+/g, '0')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the steps of a walk whose responses can be compared with the recording: all up to the first that differs. */
export function listTrustedSteps(recorded: Walk, tried: Walk): ReadonlySet<string> {
  const trusted = new Set<string>();
  for (const other of tried) {
    const step = recorded.find((one) => one.step === other.step);
    const last = lastOf(other);
    if (step === undefined || last === null) continue;
    const why = readDeparture(step, other);
    const isBroken = why !== null && (why.kind === 'status' || why.kind === 'login' || why.kind === 'notReached');
    const isLost = why?.kind === 'failure' && readErrorName(why.failure).code !== ('NOTHING_CAPTURED' satisfies CheckCode);
    if (isBroken || isLost || !redirectAlike(step.exchanges, other.exchanges)) break;
    trusted.add(other.step);
    if (why?.kind === 'failure') break;
  }
  return trusted;
}
