import { formatCount, formatSeconds } from '#core/base/units.ts';
import { findFreezes, isOfGenerator, okPerSecond, overlap, RATE_SECONDS } from '../freezes.ts';
import { figure, type MeasuredRun, rangeOfSpans, rule } from '../rule.ts';

/** Minimum length in seconds. The response times show a shorter pause. */
const MIN_SECONDS = 2;
/**
 * Minimum number of responses that are missing compared to the rate before. By chance, that many are missing in fewer than 1 % of cases.
 */
const MIN_MISSED = 5;
/** Minimum number of requests that wait at the end. */
const MIN_WAITING = 5;
/** Minimum share of the waiting requests that end together in the next second. Queued requests end one after the other. */
const MIN_TOGETHER_SHARE = 0.8;

interface Pause {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly waiting: number;
  readonly together: number;
}

/**
 * Finds short times without any response, after which all waiting requests end together: something behind the server was stopped or locked.
 */
export const pauses = rule('pauses', (facts) => {
  const found = findPauses(facts);
  const [longest] = found.toSorted((one, other) => other.toSecond - other.fromSecond - (one.toSecond - one.fromSecond));
  if (longest === undefined) return [];
  const { fromSecond, toSecond, waiting, together } = longest;
  return {
    level: 'warning',
    sentence: `The server sent no response for ${formatSeconds(toSecond - fromSecond)} from second ${formatCount(fromSecond)} on. Then ${formatCount(together)} requests ended within a second, of ${formatCount(waiting)} that waited.`,
    evidence: [
      'A server that sends nothing and then everything at once was waiting, not working: for a lock, a database or another service that stood still.',
      found.length > 1 && `This happened ${formatCount(found.length)} times.`,
    ],
    figures: [figure('Requests that waited', formatCount(waiting)), figure('Ended together', formatCount(together))],
    remedy: 'Look at the logs of the server and its database at that time: for locks, restarts, backups and full disks.',
    range: rangeOfSpans(found),
    confidence: 'likely',
  };
});

function findPauses(facts: MeasuredRun): Pause[] {
  const freezes = findFreezes(facts);
  const found: Pause[] = [];
  let from: number | null = null;
  for (const [at, { second, completed, failed, inFlight }] of facts.windows.entries()) {
    const isSilent = completed + failed === 0;
    // Without a request, as in the waiting room of a bell, no response is missing.
    if (isSilent && inFlight === 0) {
      from = null;
      continue;
    }
    if (isSilent) from ??= second;
    if (from === null || isSilent) continue;
    const waiting = facts.windows[at - 1]?.inFlight ?? 0;
    const pause = { fromSecond: from, toSecond: second, waiting, together: Math.min(waiting, completed + failed) };
    from = null;
    if (isNoticeable(facts, pause) && !isOfGenerator(facts, pause) && !freezes.some((freeze) => overlap(freeze, pause))) found.push(pause);
  }
  return found;
}

function isNoticeable(facts: MeasuredRun, { fromSecond, toSecond, waiting, together }: Pause): boolean {
  const seconds = toSecond - fromSecond;
  const missed = okPerSecond(facts, fromSecond - RATE_SECONDS, fromSecond) * seconds;
  return seconds >= MIN_SECONDS && missed >= MIN_MISSED && waiting >= MIN_WAITING && together >= MIN_TOGETHER_SHARE * waiting;
}
