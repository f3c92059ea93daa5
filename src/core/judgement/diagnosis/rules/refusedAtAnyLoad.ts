import { statusOfName } from '#core/base/errorNames.ts';
import { capitalized } from '#core/base/text.ts';
import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import { wantedRequests } from '#core/measurement/ledger.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import type { LevelUnit } from '#core/work/load/stages.ts';
import { isCheckError } from '#core/work/bodyCheck/words.ts';
import { serverQuote } from '../serverSaid.ts';
import { figure, type Found, type MeasuredRun, NOTICEABLE_SHARE, type Rule } from '../rule.ts';

/** Fewer requests of a stage say nothing about its share. */
const MIN_REQUESTS = 20;
/** The highest load is at least so many times the lowest. */
const MIN_RISE = 1.5;
/** Two shares that differ by more than so many standard errors differ with the load (normal approximation of two proportions). */
const MAX_ERRORS = 2.5;
/** Where all are refused, the step never worked, which other rules say. */
const MAX_SHARE = 0.99;

const UNIT_WORDS: Readonly<Record<LevelUnit, string>> = {
  connections: 'connections',
  users: 'users',
  arrivalsPerSecond: 'arrivals a second',
};

interface Refused {
  readonly level: number;
  readonly refused: number;
  readonly complete: number;
}

/**
 * A step of which the same part is refused (by its status or its content) at a low load and at a high one: the accounts, the data or a rule of the
 * server are the cause. Failures of an overloaded server become more with the load.
 */
export const refusedAtAnyLoad: Rule = {
  id: 'refusedAtAnyLoad',
  find(facts) {
    return recordedRequests(facts.plan).flatMap(({ name, resource, isMeasured }): Found[] => {
      if (resource !== null || !isMeasured) return [];
      const levels = levelsOf(facts, name);
      const [lowest, highest] = [levels[0], levels.at(-1)];
      if (lowest === undefined || highest === undefined || highest.level < MIN_RISE * lowest.level) return [];
      const all = levels.reduce((sum, one) => ({ refused: sum.refused + one.refused, complete: sum.complete + one.complete }), {
        refused: 0,
        complete: 0,
      });
      const share = all.refused / all.complete;
      if (share < NOTICEABLE_SHARE || share > MAX_SHARE || levels.some((one) => !isLike(one, share))) return [];
      const unit = UNIT_WORDS[facts.stages[0]?.level.unit ?? 'users'];
      return [
        {
          id: `${this.id}.${name}`,
          level: 'problem',
          sentence: `${formatPercent(share)} of requests of “${name}” are refused at any load: ${formatPercent(shareOf(lowest))} at ${formatNumber(lowest.level)} ${unit}, ${formatPercent(shareOf(highest))} at ${formatNumber(highest.level)}. Load is not the cause.${serverQuote(facts, name, isRefusal)}`,
          evidence: ['Failures of an overloaded server become more frequent as the load grows.'],
          figures: levels.map((one) =>
            figure(
              capitalized(`refused at ${formatNumber(one.level)} ${unit}`),
              `${formatCount(one.refused)} of ${formatCount(one.complete)}`,
            ),
          ),
          remedy:
            'Check the accounts and data of these requests: wrong passwords, accounts without access, expired tokens, or a rule of the server.',
          confidence: 'likely',
          range: null,
          insteadOf: ['wrongContent', ...['400', '401', '403', '404', '409', '422'].map((status) => `unexpectedStatus.${status}`)],
        },
      ];
    });
  },
};

function isRefusal(failure: string): boolean {
  return isCheckError(failure) || statusOfName(failure) !== null;
}

/** From the lowest to the highest, stages of one level together. */
function levelsOf({ stages }: MeasuredRun, name: string): Refused[] {
  const levels = new Map<number, Refused>();
  for (const { level, steps } of stages) {
    const step = steps.find((one) => one.name === name);
    if (step === undefined || level.from !== level.to) continue;
    const { requests, status } = step;
    // What an overloaded server does is no refusal.
    const overloaded = Object.entries(status).reduce((sum, [code, count]) => sum + (Number(code) >= 500 ? count : 0), 0);
    const before = levels.get(level.highest) ?? { level: level.highest, refused: 0, complete: 0 };
    levels.set(level.highest, {
      level: level.highest,
      refused: before.refused + requests.wrongBody + Math.max(0, requests.httpError - overloaded),
      complete: before.complete + wantedRequests(requests) - requests.inFlight,
    });
  }
  return [...levels.values()].filter(({ complete }) => complete >= MIN_REQUESTS).toSorted((one, other) => one.level - other.level);
}

function shareOf({ refused, complete }: Refused): number {
  return refused / complete;
}

function isLike(one: Refused, share: number): boolean {
  return Math.abs(shareOf(one) - share) <= MAX_ERRORS * Math.sqrt((share * (1 - share)) / one.complete);
}
