import { CONTENT_PATHS } from '#lab/school-site/content.ts';
import { exactly, same } from '../framework/figure.ts';
import { ended, meanMs, ms, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { arrival, learners, TIME_TOLERANCE } from './learner.ts';

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
      journey: [...arrival, { name: 'page', path: CONTENT_PATHS[0] }],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: visitors, seconds: 5 }] },
    });
    const lines = await lab.linesWhen(3 * visitors - forgetful, 'nginx');
    const pages = lines.filter(({ path }) => path === CONTENT_PATHS[0]);
    const logins = await lab.lines('site', ({ path }) => path === '/login_form');
    const step = (name: string) => result.steps.find((one) => one.name === name);
    return [
      same('requests', ended(result), lines.length),
      exactly('logged in', visitors - forgetful, step('log in')?.requests.ok ?? NaN, withStatus(pages, 200)),
      exactly('not logged in', forgetful, step('log in')?.requests.wrongBody ?? NaN, logins.length - pages.length),
      exactly('shown the page', visitors - forgetful, step('page')?.requests.ok ?? NaN, withStatus(pages, 200)),
      exactly('sent to the login', 0, step('page')?.requests.httpError ?? NaN, withStatus(pages, 302)),
      exactly('journeys that ended there', forgetful, result.outcomes.journeys.abandoned, logins.length - pages.length),
      {
        name: 'mean of the login',
        unit: 'ms',
        predicted: serviceMs,
        measured: ms(step('log in')?.latency.service.mean ?? null),
        logged: meanMs(logins),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});
