import { equalFigure } from '../framework/figure.ts';
import { knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { rushFor } from './rush.ts';

export const oversold = story({
  id: 'registration/oversold',
  statement: 'A server that counts the free places, and stores the person a moment later, gives more places than there are.',
  owner: 'conclusions',
  usualSeconds: 22,
  needs: [],
  draw: (dice) => ({
    places: dice.whole(10, 40),
    people: dice.whole(100, 160),
    raceMs: dice.whole(1, 40),
    serviceMs: dice.step(200, 300, 10),
  }),
  async play(scene, { places, people, raceMs, serviceMs }) {
    const lab = await scene.lab('registration', {
      places,
      race: true,
      'race-ms': raceMs,
      workers: 200,
      'service-ms': scene.hidden(serviceMs),
    });
    const { result, rows } = await rushFor(scene, lab, { places, people });
    await lab.stop();
    const lines = await lab.lines('registration', ({ path }) => path === '/');
    const works = lines.flatMap(({ workMs }) => workMs ?? []).toSorted((one, other) => one - other);
    const isOversold = rows.length > places ? 1 : 0;
    return [
      equalFigure('places given', result.places?.given ?? Number.NaN, rows.length),
      equalFigure(
        'verdicts that name the oversold places',
        namesOversold(result.verdict.sentence, rows.length, places) ? 1 : 0,
        isOversold,
      ),
      equalFigure('failed verdicts', result.verdict.outcome === 'failed' ? 1 : 0, isOversold),
      equalFigure('responses', result.outcomes.requests.ok, lines.length),
      {
        name: 'shortest page',
        unit: 'ms',
        predicted: serviceMs,
        measured: knownMs(result.steps.find(({ name }) => name === 'form')?.latency.service.min ?? null),
        logged: works[0] ?? Number.NaN,
        within: 0.12 * serviceMs,
      },
    ];
  },
});

function namesOversold(sentence: string, rows: number, places: number): boolean {
  return sentence.includes(`${rows} places were given for ${places}: oversold by ${rows - places}.`);
}
