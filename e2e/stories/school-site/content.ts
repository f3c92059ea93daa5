import { CONTENT_PATHS, COUNTS } from '#lab/school-site/content.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { meanMs, knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { learners, logInStep, TIME_TOLERANCE } from './learner.ts';

export const content = story({
  id: 'school-site/content',
  statement: 'Eighteen pages, 59 links and 99 images: what a test really fetched.',
  owner: 'measure',
  usualSeconds: 15,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(2, 3), serviceMs: dice.step(350, 450, 25) }),
  async play(scene, { visitors, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', 'service-ms': scene.hidden(serviceMs) });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: await learners(scene, lab, visitors),
      journey: [
        { name: 'home', path: '/', resources: {} },
        { name: 'login form', path: '/login', resources: {} },
        { ...logInStep, resources: {} },
        ...CONTENT_PATHS.map((path, index) => ({ name: `page ${index + 1}`, path, resources: {} })),
      ],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: visitors, seconds: 1 }] },
    });
    const { links, images, pages } = COUNTS;
    const lines = await lab.linesWhen(visitors * (pages + links + images), 'nginx');
    const resource = (ending: RegExp): number => lines.filter(({ path }) => ending.test(path)).length / visitors;
    const isContent = (path: string): boolean => path.endsWith('.cnxmlplus');
    const newRequests = await lab.lines('site', ({ path }) => isContent(path));
    const found = result.pages?.content;
    const times = result.steps
      .filter(({ name }) => name.startsWith('page ') && !name.includes('›'))
      .map(({ latency }) => knownMs(latency.service.mean));
    const mean = times.reduce<number>((sum, time) => sum + (time ?? NaN), 0) / times.length;
    return [
      exactFigure('pages', pages, found?.pages ?? NaN, lines.filter(({ path }) => !path.startsWith('/++resource++')).length / visitors),
      exactFigure(
        'style sheets and scripts',
        links,
        (found?.resources.css ?? NaN) + (found?.resources.script ?? NaN),
        resource(/\.(css|js)$/),
      ),
      exactFigure('images', images, found?.resources.image ?? NaN, resource(/\.png$/)),
      exactFigure('requests', visitors * (pages + links + images), result.outcomes.requests.ok, lines.length),
      equalFigure('sent', result.outcomes.requests.sent, lines.length),
      {
        name: 'mean of the content pages',
        unit: 'ms',
        predicted: serviceMs,
        measured: mean,
        logged: meanMs(newRequests),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});
