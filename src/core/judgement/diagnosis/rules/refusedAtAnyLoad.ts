import { statusOfName } from '#core/base/errorNames.ts';
import { capitalized } from '#core/base/text.ts';
import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import { accountsRefusedIn, accountsRefusedWords } from '#core/result/accountsRefused.ts';
import { wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import type { LevelUnit } from '#core/work/load/stages.ts';
import { isCheckError } from '#core/work/bodyCheck/words.ts';
import { serverQuote } from '../serverSaid.ts';
import { figure, type Found, type MeasuredRun, MIN_NOTICEABLE_SHARE, type Rule } from '../rule.ts';

/** Fewest requests of a stage for a share. */
const MIN_REQUESTS = 20;
/** Smallest ratio of the highest to the lowest load. */
const MIN_RISE = 1.5;
/** Largest difference of two shares in standard errors that counts as equal (normal approximation of two proportions). */
const MAX_STANDARD_ERRORS = 2.5;
/** If all requests are refused, the step never succeeded, which other rules report. */
const MAX_SHARE = 0.99;

const UNIT_WORDS: Readonly<Record<LevelUnit, string>> = {
  connections: 'connections',
  users: 'users',
  arrivalsPerSecond: 'arrivals a second',
};

/** Number of refused requests of a step at one level. */
export interface Refused {
  readonly level: number;
  readonly refused: number;
  readonly complete: number;
}

/**
 * Finds a step with the same share of refusals (by status or content) at low and high load. The cause is the accounts, the data or a rule of the server,
 * because failures by overload grow with the load.
 */
export const refusedAtAnyLoad: Rule = {
  id: 'refusedAtAnyLoad',
  find(facts) {
    return recordedRequests(facts.plan).flatMap(({ name, resource, isMeasured }): Found[] => {
      if (resource !== null || !isMeasured) return [];
      const levels = levelsOf(facts, name);
      const found = sameAtAnyLoad(levels);
      if (found === null) return [];
      const unit = UNIT_WORDS[facts.stages[0]?.level.unit ?? 'users'];
      return [
        {
          id: `${this.id}.${name}`,
          level: 'problem',
          sentence: `${refusedWords(name, found, (level) => `${formatNumber(level)} ${unit}`)}${serverQuote(facts, name, isRefusal)}`,
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
          insteadOf: ['wrongContent', ...REFUSED_STATUSES],
        },
      ];
    });
  },
};

/** From this share of refused accounts on, another cause than earlier use is more probable. */
const MIN_OTHER_CAUSE_SHARE = 0.5;

/** Finds refused accounts that can be used only once, and names them. */
export const accountsRefused: Rule = {
  id: 'accountsRefused',
  find(facts) {
    return accountsRefusedIn(facts.events).map((refused) => {
      const areFew = refused.count < MIN_OTHER_CAUSE_SHARE * refused.of;
      return {
        id: `${this.id}.${refused.step}`,
        level: 'problem',
        sentence: `${accountsRefusedWords(refused)}${serverQuote(facts, refused.step, isRefusal)}`,
        evidence: areFew ? ['Each account of this list can do this once. These were probably used before, outside of Holdfast.'] : [],
        remedy: areFew
          ? 'Reset these accounts on the server, or remove them from the list.'
          : 'Walk the journey once with one of these accounts: holdfast try.',
        confidence: areFew ? 'likely' : 'possible',
        range: null,
        insteadOf: ['wrongContent', `refusedAtAnyLoad.${refused.step}`, ...REFUSED_STATUSES],
      };
    });
  },
};

const REFUSED_STATUSES = ['400', '401', '403', '404', '409', '422'].map((status) => `unexpectedStatus.${status}`);

/** Share of refused requests at the lowest and the highest level. */
interface SameShare {
  readonly share: number;
  readonly lowest: Refused;
  readonly highest: Refused;
}

/** Returns the share of refused requests if it is the same from the lowest to the highest level; null if it differs, or if too few requests were sent. */
export function sameAtAnyLoad(loads: readonly Refused[]): SameShare | null {
  const byLevel = new Map<number, Refused>();
  for (const { level, refused, complete } of loads) {
    const before = byLevel.get(level) ?? { level, refused: 0, complete: 0 };
    byLevel.set(level, { level, refused: before.refused + refused, complete: before.complete + complete });
  }
  const levels = [...byLevel.values()].filter(({ complete }) => complete >= MIN_REQUESTS).toSorted((one, other) => one.level - other.level);
  const [lowest, highest] = [levels[0], levels.at(-1)];
  if (lowest === undefined || highest === undefined || highest.level < MIN_RISE * lowest.level) return null;
  const share = levels.reduce((sum, { refused }) => sum + refused, 0) / levels.reduce((sum, { complete }) => sum + complete, 0);
  const isSame = share >= MIN_NOTICEABLE_SHARE && share <= MAX_SHARE && levels.every((one) => isLike(one, share));
  return isSame ? { share, lowest, highest } : null;
}

/** Example: “10 % of requests of “login” are refused at any load: 10 % at 5 users, 9.8 % at 40 users. Load is not the cause.” */
export function refusedWords(name: string, { share, lowest, highest }: SameShare, levelWords: (level: number) => string): string {
  return `${formatPercent(share)} of requests of “${name}” are refused at any load: ${formatPercent(shareOf(lowest))} at ${levelWords(lowest.level)}, ${formatPercent(shareOf(highest))} at ${levelWords(highest.level)}. Load is not the cause.`;
}

/** Counts the requests of a step that were refused by content or status. Statuses from 500 on may be due to overload and are no refusals. */
export function refusedOf({ requests, status }: Pick<MeasuredRun['steps'][number], 'requests' | 'status'>, level: number): Refused {
  const overloaded = Object.entries(status).reduce((sum, [code, count]) => sum + (Number(code) >= 500 ? count : 0), 0);
  return {
    level,
    refused: requests.wrongBody + Math.max(0, requests.httpError - overloaded),
    complete: wantedRequests(requests) - requests.inFlight,
  };
}

function isRefusal(failure: string): boolean {
  return isCheckError(failure) || statusOfName(failure) !== null;
}

/** Returns the refused requests of each stage with a constant level. */
function levelsOf({ stages }: MeasuredRun, name: string): Refused[] {
  return stages.flatMap(({ level, steps }) => {
    const step = steps.find((one) => one.name === name);
    return step === undefined || level.from !== level.to ? [] : [refusedOf(step, level.highest)];
  });
}

function shareOf({ refused, complete }: Refused): number {
  return refused / complete;
}

function isLike(one: Refused, share: number): boolean {
  return Math.abs(shareOf(one) - share) <= MAX_STANDARD_ERRORS * Math.sqrt((share * (1 - share)) / one.complete);
}
