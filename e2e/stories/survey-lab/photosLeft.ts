import { z } from 'zod';
import type { RunResult } from '#core/result/schema.ts';
import { exactFigure, type Figure } from '../framework/figure.ts';
import { countWithStatus } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { isAbout, senderFile, SMALL, upload, UPLOAD, uploadVariables } from './survey.ts';

const WAITING = 'photos to make smaller';
const gaugesSchema = z.object({ [WAITING]: z.number() });

export const photosLeft = story({
  id: 'survey-lab/photos-left',
  statement: 'The server makes photos smaller after the load, and tries those again that it cannot.',
  owner: 'measure',
  usualSeconds: 90,
  needs: ['nginx'],
  draw: (dice) => ({ good: dice.whole(24, 30), damaged: dice.whole(8, 14), laterMs: dice.step(250, 350, 50) }),
  async play(scene, { good, damaged, laterMs }) {
    const finished = await uploads(scene, { count: good, bytes: 6_000, laterMs: scene.hidden(laterMs) });
    const left = await uploads(scene, { count: damaged, bytes: 2_000, laterMs });
    return [
      ...acknowledged('photos', good, finished),
      exactFigure('left of them', 0, countLeft(finished.result), finished.waiting),
      {
        name: 'time to make all of them smaller',
        unit: 's',
        predicted: (good * laterMs) / 1_000,
        measured: secondsAfter(finished.result) + (finished.result.durationSeconds ?? NaN),
        logged: null,
        within: 0.12 * ((good * laterMs) / 1_000) + 0.6,
      },
      ...acknowledged('damaged photos', damaged, left),
      exactFigure('left of those', damaged, countLeft(left.result), left.waiting),
    ];
  },
});

interface Uploaded {
  readonly result: RunResult;
  readonly logged: number;
  /** Number of photos that the server still has to process when the run is over. */
  readonly waiting: number;
}

async function uploads(scene: Scene, settings: { count: number; bytes: number; laterMs: number }): Promise<Uploaded> {
  const { count, bytes, laterMs } = settings;
  const lab = await scene.lab('survey-lab', { ...SMALL, 'service-ms': 5, 'upload-ms': 5, 'photo-later-ms': laterMs });
  const result = await scene.run({
    targets: [{ url: lab.urls[0] ?? '' }],
    feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
    variables: uploadVariables,
    journey: [upload(bytes)],
    load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: count, seconds: 1 }] },
    stored: [{ name: WAITING, step: 'upload', url: `${lab.control}gauges`, path: `$["${WAITING}"]`, counts: 'unfinished' }],
  });
  const lines = await lab.linesWhen(count, 'nginx', isAbout(UPLOAD));
  const gauges = gaugesSchema.parse(await (await fetch(`${lab.control}gauges`)).json());
  await lab.stop();
  return { result, logged: countWithStatus(lines, 200), waiting: gauges[WAITING] };
}

function acknowledged(name: string, count: number, { result, logged }: Uploaded): Figure[] {
  return [exactFigure(name, count, result.outcomes.requests.ok, logged)];
}

const readingSchema = z.object({ after: z.number(), unfinished: z.object({ seconds: z.number() }) });

function findReading({ events }: RunResult): z.infer<typeof readingSchema> | null {
  return events.flatMap(({ data }) => readingSchema.safeParse(data).data ?? []).at(0) ?? null;
}

const countLeft = (result: RunResult): number => findReading(result)?.after ?? NaN;
const secondsAfter = (result: RunResult): number => findReading(result)?.unfinished.seconds ?? NaN;
