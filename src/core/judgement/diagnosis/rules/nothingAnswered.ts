import { wantedRequests } from '#core/measurement/ledger.ts';
import { errorWords } from '#core/work/bodyCheck/words.ts';
import { formatCount } from '#core/base/units.ts';
import { causeOf } from '../causes.ts';
import { answered, type Rule } from '../rule.ts';

/** Not a single answer: the cause is the address, not the load. */
export const nothingAnswered: Rule = {
  id: 'nothingAnswered',
  find({ ledger, errors }) {
    const { requests } = ledger;
    if (wantedRequests(requests) === 0 || answered(requests) > 0) return [];
    const { name, count, sentence, remedy } = causeOf(errors);
    const evidence = [
      requests.sent === 0
        ? `None of ${formatCount(requests.notMade)} requests could be made.`
        : `${formatCount(requests.sent)} requests sent, none answered`,
    ];
    if (count > 0) evidence.push(`${errorWords(name)}: ${formatCount(count)} times`);
    return [{ id: this.id, level: 'problem', sentence, evidence, remedy, confidence: 'certain', range: null }];
  },
};
