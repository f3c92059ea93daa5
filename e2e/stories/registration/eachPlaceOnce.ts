import { equalFigure, exactFigure } from '../framework/figure.ts';
import { story } from '../framework/story.ts';
import { rushFor } from './rush.ts';

export const eachPlaceOnce = story({
  id: 'registration/each-place-once',
  statement: 'Everybody presses the button at the same second, each place is given once, and all others see that none is left.',
  owner: 'measure',
  usualSeconds: 22,
  needs: [],
  draw: (dice) => ({ places: dice.whole(20, 60), people: dice.whole(120, 200), raceMs: dice.whole(1, 20) }),
  async play(scene, { places, people, raceMs }) {
    const lab = await scene.lab('registration', { places: scene.hidden(places), 'race-ms': raceMs, 'service-ms': 5 });
    const { result, rows } = await rushFor(scene, lab, { places, people });
    await lab.stop();
    const lines = await lab.lines('registration', ({ path }) => path === '/');
    const given = result.places?.given ?? Number.NaN;
    return [
      exactFigure('places given', places, given, rows.length),
      exactFigure('people who found no place left', people - places, result.places?.refused ?? Number.NaN, people - rows.length),
      exactFigure('different people with a place', places, result.people?.done ?? Number.NaN, new Set(rows).size),
      exactFigure('failed verdicts', 0, result.verdict.outcome === 'failed' ? 1 : 0, null),
      equalFigure('responses', result.outcomes.requests.ok, lines.length),
    ];
  },
});
