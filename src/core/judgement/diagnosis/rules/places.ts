import { formatCount, formatMs } from '#core/base/units.ts';
import { countOversold, placesSentences } from '#core/result/places.ts';
import { figure, rule } from '../rule.ts';

/**
 * Reports how many places were given, how many more people than places there were, and whether places were given in the order of arrival.
 */
export const places = rule('places', ({ places: result }) => {
  if (result === undefined || result.given + result.refused === 0) return [];
  const { places: count, given, refused, stored, disorderMs, step } = result;
  const oversold = countOversold(result);
  const isUnsold = refused > 0 && (stored ?? given) < count;
  const [sentence = '', ...evidence] = placesSentences(result);
  return [
    {
      of: step,
      level: oversold > 0 ? 'problem' : isUnsold ? 'warning' : 'info',
      sentence,
      evidence,
      figures: [
        figure('Places', formatCount(count)),
        figure('Given', formatCount(given)),
        stored !== null && figure('Stored', formatCount(stored)),
        figure('Refused', formatCount(refused)),
        disorderMs !== null && figure('Disorder', formatMs(disorderMs)),
      ],
      remedy:
        oversold > 0
          ? 'Check and store in one step: lock the row of the course, or count in the transaction that inserts, with a constraint of the database.'
          : isUnsold
            ? 'Find out why places stayed free although people saw that none was left: perhaps a place was reserved for somebody whose request failed.'
            : '',
    },
  ];
});
