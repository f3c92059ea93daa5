import { exactFigure, equalFigure } from '../framework/figure.ts';
import { listAlarms, countResponses, findFindings, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { DESCRIPTION, DESCRIPTION_BYTES, logIn, meanTime } from './contestant.ts';

/** Share of pages whose timestamp ends in a zero, which makes the page a byte shorter. */
const SHARE = 0.1;

export const lengthFailures = story({
  id: 'contest/length-failures',
  statement: 'A tenth of the requests “failed” by their length, each by a single byte: a number in the page lost its last zero.',
  owner: 'measure',
  usualSeconds: 7,
  needs: [],
  draw: (dice) => ({ requests: dice.step(800, 1_200, 50), connections: dice.whole(40, 50), serviceMs: dice.step(150, 200, 10) }),
  async play(scene, { requests, connections, serviceMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': scene.hidden(serviceMs) });
    const { cookie } = await logIn(lab);
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '', cookie }],
      journey: [{ name: 'description', path: DESCRIPTION }],
      load: { model: 'connections', stages: [{ connections, requests }] },
    });
    await lab.stop();
    const lines = await lab.lines('contest', ({ path }) => path === DESCRIPTION);
    const longest = Math.max(...lines.map(({ bytes }) => bytes));
    const { first, differs, deviationBytes } = result.bodyLength;
    // The first page determines which of the two lengths counts as different.
    const short = first === DESCRIPTION_BYTES ? differs : countResponses(result, 200) - differs;
    return [
      exactFigure('responded', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      // The tolerance is four standard deviations of the binomial distribution.
      {
        name: 'a byte short',
        unit: '',
        predicted: SHARE * requests,
        measured: short,
        logged: lines.filter(({ bytes }) => bytes === longest - 1).length,
        within: 4 * Math.sqrt(requests * SHARE * (1 - SHARE)),
        agreeWithin: 0,
      },
      equalFigure('bytes off, of each', Math.abs(deviationBytes / differs), longest - Math.min(...lines.map(({ bytes }) => bytes))),
      exactFigure(
        'findings that call it harmless',
        1,
        findFindings(result, 'lengthVaries').filter(({ level }) => level === 'info').length,
        null,
      ),
      exactFigure('findings that call it a failure', 0, listAlarms(result).length, null),
      meanTime(serviceMs, result, lines),
    ];
  },
});
