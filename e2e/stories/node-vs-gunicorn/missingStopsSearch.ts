import { exactFigure, equalFigure } from '../framework/figure.ts';
import { oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage } from './lab.ts';

export const missingStopsSearch = story({
  id: 'node-vs-gunicorn/missing-route',
  statement: 'Quick 404 are a missing page and not overload: the search for the breaking point stops.',
  owner: 'conclusions',
  usualSeconds: 25,
  needs: ['nginx', 'python'],
  // The page disappears during the second level, because the first level sends only 20 requests per second.
  draw: (dice) => ({ missingAfter: dice.whole(160, 200) }),
  async play(scene, { missingAfter }) {
    const lab = await scene.lab('node-vs-gunicorn', { 'missing-after': scene.hidden(missingAfter), replicas: 1 });
    const { conclusion, runs } = await scene.search({
      kind: 'breakingPoint',
      plan: {
        ...oneStepPlan(lab.address('Node'), 'ping'),
        load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 20, seconds: 5 }] },
      },
      settings: { from: 20, secondsEach: 5, warmUpSeconds: 1, coolDownSeconds: 0 },
    });
    const sentCount = runs.reduce((sum, { requests }) => sum + requests, 0);
    const lines = await lab.linesWhen(sentCount, 'nginx', isForPage('/node/ping'));
    const missing = lines.filter(({ status }) => status === 404).length;
    const failed = runs.reduce((sum, { reading }) => sum + (reading?.kind === 'level' ? reading.failed : 0), 0);
    const isSearch = conclusion.kind === 'breakingPoint';
    return [
      equalFigure('sent', sentCount, lines.length),
      exactFigure('levels', 2, runs.filter(({ purpose }) => purpose === 'level').length, null),
      exactFigure('levels that are called too much', 0, isSearch && conclusion.breakingPoint === null ? 0 : 1, null),
      exactFigure(
        'concluded that it has nothing to do with load',
        1,
        conclusion.sentence.includes('nothing to do with load') ? 1 : 0,
        null,
      ),
      exactFigure('before it is missing', missingAfter, sentCount - failed, lines.length - missing),
    ];
  },
});
