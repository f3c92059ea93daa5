import { exactFigure } from '../framework/figure.ts';
import { loggedPercentile } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { READ, isAbout, respondents, SMALL, TIME_TOLERANCE, senderFile } from './survey.ts';

/** Number of requests that find an empty cache, and number of later requests that find it filled. */
const [FIRST, LATER] = [10, 30];

export const firstQuery = story({
  id: 'survey-lab/first-query',
  statement: 'The first list of users is slow and the next one quick: cold and warm.',
  owner: 'measure',
  usualSeconds: 11,
  needs: ['nginx'],
  draw: (dice) => ({ serviceMs: dice.step(200, 260, 10), coldMs: dice.step(1_500, 1_900, 100) }),
  async play(scene, { serviceMs, coldMs }) {
    const lab = await scene.lab('survey-lab', { ...SMALL, 'service-ms': serviceMs, 'cold-cache': true, 'cold-ms': scene.hidden(coldMs) });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      journey: [respondents('who handed in'), respondents('who handed in, again')],
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'count', arrivals: FIRST, seconds: 0.3 },
          { kind: 'pause', seconds: 3 },
          { kind: 'count', arrivals: LATER, seconds: 2 },
        ],
      },
    });
    const requestCount = 2 * (FIRST + LATER);
    const lines = (await lab.linesWhen(requestCount, 'nginx', isAbout(READ))).toSorted(
      (remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs,
    );
    const [first, again] = ['who handed in', 'who handed in, again'].map((name) =>
      result.behaviour?.firstResponses.find(({ step }) => step === name),
    );
    const cold = serviceMs + coldMs;
    return [
      exactFigure('lists', requestCount, result.outcomes.requests.ok, lines.length),
      exactFigure('cold at first', 1, first?.isSlowAtFirst === true ? 1 : 0, null),
      exactFigure('the same query later in the journey is not', 1, again?.isSlowAtFirst === false ? 1 : 0, null),
      exactFigure('findings of it', 1, result.findings.filter(({ id }) => id.startsWith('behaviour.first')).length, null),
      exactFigure('responses that took a cold start', FIRST, first?.slower ?? NaN, lines.filter((line) => line.ms > coldMs).length),
      {
        name: 'the first ones',
        unit: 'ms',
        predicted: cold,
        measured: first?.firstMedian ?? null,
        logged: loggedPercentile(lines.slice(0, FIRST), 50),
        within: TIME_TOLERANCE * cold,
      },
      {
        name: 'those after them',
        unit: 'ms',
        predicted: serviceMs,
        measured: first?.restMedian ?? null,
        logged: loggedPercentile(lines.slice(FIRST), 50),
        within: 1.3 * TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});
