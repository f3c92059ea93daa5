import { capacityOfSeries } from '#core/series/capacity.ts';
import { fitScaling } from '#core/judgement/capacity/scaling.ts';
import { scalingSentences } from '#core/judgement/capacity/sentences.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 4;

export const notLinear = story({
  id: 'school-site/not-linear',
  statement: 'Flat from ten connections on, and not linear: where it saturates.',
  owner: 'conclusions',
  usualSeconds: 36,
  needs: ['nginx'],
  draw: (dice) => ({ workers: dice.whole(8, 12), serviceMs: dice.step(140, 180, 10) }),
  async play(scene, { workers, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers: scene.hidden(workers), 'service-ms': serviceMs });
    const table = await scene.series(
      { ...oneStepPlan(lab.urls[0] ?? '', '/'), load: { model: 'connections', stages: [{ connections: 1, seconds: SECONDS }] } },
      { connections: [2, 3, 5, 2 * workers, 3 * workers, 5 * workers] },
    );
    const sentCount = table.rows.flatMap(({ runs }) => runs).reduce((sum, { figures }) => sum + (figures?.sent ?? 0), 0);
    const ok = table.rows.flatMap(({ runs }) => runs).reduce((sum, { figures }) => sum + (figures?.ok ?? 0), 0);
    const lines = await lab.linesWhen(sentCount, 'nginx');
    const { sets } = capacityOfSeries(table);
    // Other load on this machine may make levels doubtful. It does not change the rate of a server that only sleeps, so the levels are
    // treated as reliable.
    const [read, ...others] = sets.map(({ set }) => ({ ...set, levels: set.levels.map((level) => ({ ...level, isDoubted: false })) }));
    const scaling = read === undefined ? null : fitScaling(read);
    const limit = scaling?.kind === 'limit' ? scaling.limit : null;
    const sentences = read === undefined || scaling === null ? [] : scalingSentences({ set: read, scaling });
    const most = (workers * 1_000) / serviceMs;
    return [
      equalFigure('pages', ok, lines.length),
      exactFigure('sets of levels', 1, read === undefined ? 0 : 1 + others.length, null),
      { name: 'full at', unit: '/s', predicted: most, measured: limit?.most ?? null, logged: null, within: 0.1 * most },
      {
        name: 'full from',
        unit: ' connections',
        predicted: workers,
        measured: limit?.fullAt ?? null,
        logged: null,
        within: 0.12 * workers,
      },
      exactFigure('said that it is a hard limit and no curve', 1, sentences.filter((text) => text.includes('hard limit')).length, null),
    ];
  },
});
