import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, knownMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, SMALL, TIME_TOLERANCE, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const SERVICE_MS = 20;
/** Durations in whole seconds, as in the app's throughput. Requests start within about one service time, so they are spread over it. */
const WHOLE_SECONDS = { startUpSeconds: 1, seconds: 4, restSeconds: 2 };
/** Size of a photo in bytes, which is a tenth of the size in the report. */
const PHOTO_BYTES = 9_883;

export const uploads = story({
  id: 'survey-lab/uploads',
  statement:
    'Photos from 500, 1,000 and 2,000 threads: throughput stays, times grow with the threads, and beyond the room of the server they fail.',
  owner: 'measure',
  usualSeconds: 19,
  needs: ['nginx'],
  draw: (dice) => ({ threads: dice.whole(7, 9), uploadMs: dice.step(430, 500, 10), tooMany: dice.whole(8, 15) }),
  async play(scene, { threads, uploadMs, tooMany }) {
    // There is room for five times as many uploads as are processed at once.
    const queue = 4 * threads;
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      threads,
      queue,
      'service-ms': SERVICE_MS,
      'upload-ms': scene.hidden(uploadMs),
      'proxy-timeout-ms': 30_000,
    });
    const plan = {
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' as const } },
      variables: uploadVariables,
      journey: [upload(PHOTO_BYTES)],
    };
    const seconds = (SERVICE_MS + uploadMs) / 1_000;
    const levels = [2 * threads, 4 * threads];
    const stages = levels.map((users) => ({ users, ...WHOLE_SECONDS }));
    const result = await scene.run({ ...plan, load: { model: 'users', stages } });
    const { sent, ok } = result.outcomes.requests;
    const before = await lab.linesWhen(sent, 'nginx', isAbout(UPLOAD));
    const work = await lab.lines('survey', isAbout(UPLOAD));
    const meanSeconds = work.reduce((sum, { workMs = NaN }) => sum + workMs, 0) / work.length / 1_000;
    const rush = await scene.run({
      ...plan,
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: threads + queue + tooMany, seconds: 0.15 }] },
    });
    const all = await lab.linesWhen(sent + rush.outcomes.requests.sent, 'nginx', isAbout(UPLOAD));
    const inRush = all.slice(before.length);
    return [
      equalFigure('uploads', ok, countWithStatus(before, 200)),
      exactFigure('failures while there was room', 0, sent - ok, before.length - countWithStatus(before, 200)),
      ...levels.flatMap((users, index) => {
        const stage = result.stages[index];
        const [perSecond, time] = [threads / seconds, (users / threads) * seconds];
        return [
          {
            name: `uploads a second of ${users} phones`,
            unit: '/s',
            predicted: perSecond,
            measured: stage?.rates.completedPerSecond ?? null,
            // This holds as long as every thread is busy.
            logged: threads / meanSeconds,
            within: 1.3 * TIME_TOLERANCE * perSecond,
          },
          {
            name: `median of ${users} phones`,
            unit: 's',
            predicted: time,
            measured: (knownMs(stage?.latency.service.p50 ?? null) ?? NaN) / 1_000,
            logged: (users / threads) * meanSeconds,
            within: TIME_TOLERANCE * time,
          },
        ];
      }),
      {
        name: 'refused in a rush beyond its room',
        unit: '',
        predicted: tooMany,
        measured: countResponses(rush, 502),
        logged: countWithStatus(inRush, 502),
        // The tolerance is for uploads that are done before the last ones arrive.
        within: 3,
        agreeWithin: 0,
      },
      equalFigure('taken in the rush', countResponses(rush, 200), countWithStatus(inRush, 200)),
    ];
  },
});
