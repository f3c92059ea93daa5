import { exactFigure } from '../framework/figure.ts';
import { countResponses, findFindings, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

export const emptyBodies = story({
  id: 'contest/empty-bodies',
  statement: 'Fourteen responses with status 200 had nothing in them: failures that no status shows, each short by the whole page.',
  owner: 'measure',
  usualSeconds: 4,
  needs: [],
  draw: (dice) => ({ requests: dice.step(800, 1_000, 50), emptyOneIn: dice.whole(30, 60) }),
  async play(scene, { requests, emptyOneIn }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 5, 'empty-one-in': scene.hidden(emptyOneIn) });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? ''),
      load: { model: 'connections', stages: [{ connections: 8, requests }] },
    });
    await lab.stop();
    const lines = await lab.lines('contest');
    const most = Math.max(...lines.map(({ bytes }) => bytes));
    const predicted = Math.floor(requests / emptyOneIn);
    const { first, empty, deviationBytes } = result.bodyLength;
    return [
      exactFigure('responded', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('empty', predicted, empty, lines.filter(({ bytes }) => bytes < most / 2).length),
      exactFigure(
        'findings that call them failures',
        1,
        findFindings(result, 'emptyBodies').filter(({ level }) => level === 'problem').length,
        null,
      ),
      // Every page is compared with the first. One page in ten is a byte shorter, so the first page determines how many others differ.
      {
        name: 'bytes missing',
        unit: '',
        predicted: predicted * (first ?? NaN),
        measured: -deviationBytes,
        logged: null,
        within: 1.1 * requests,
      },
    ];
  },
});
