import { CONTENT_PATHS } from '#lab/school-site/content.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countRecorded, meanMs, knownMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { ARRIVAL_STEPS, learners, TIME_TOLERANCE } from './learner.ts';

export const loggedInRead = story({
  id: 'school-site/logged-in-read',
  statement: 'A login with the fields of the form and the cookies of each learner, users from a file; who cannot log in asks for no page.',
  owner: 'measure',
  usualSeconds: 13,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(50, 70), forgetful: dice.whole(5, 10), serviceMs: dice.step(350, 450, 25) }),
  async play(scene, { visitors, forgetful, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers: 100, 'service-ms': scene.hidden(serviceMs) });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: await learners(scene, lab, visitors, forgetful),
      journey: [...ARRIVAL_STEPS, { name: 'page', path: CONTENT_PATHS[0] }],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: visitors, seconds: 5 }] },
    });
    const lines = await lab.linesWhen(3 * visitors - forgetful, 'nginx');
    const pages = lines.filter(({ path }) => path === CONTENT_PATHS[0]);
    const logins = await lab.lines('site', ({ path }) => path === '/login_form');
    const findStep = (name: string) => result.steps.find((one) => one.name === name);
    return [
      equalFigure('requests', countRecorded(result), lines.length),
      exactFigure('logged in', visitors - forgetful, findStep('log in')?.requests.ok ?? NaN, countWithStatus(pages, 200)),
      exactFigure('not logged in', forgetful, findStep('log in')?.requests.wrongBody ?? NaN, logins.length - pages.length),
      exactFigure('shown the page', visitors - forgetful, findStep('page')?.requests.ok ?? NaN, countWithStatus(pages, 200)),
      exactFigure('sent to the login', 0, findStep('page')?.requests.httpError ?? NaN, countWithStatus(pages, 302)),
      exactFigure('journeys that ended there', forgetful, result.outcomes.journeys.abandoned, logins.length - pages.length),
      {
        name: 'mean of the login',
        unit: 'ms',
        predicted: serviceMs,
        measured: knownMs(findStep('log in')?.latency.service.mean ?? null),
        logged: meanMs(logins),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});
