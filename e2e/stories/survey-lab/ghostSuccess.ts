import { z } from 'zod';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, knownMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, SMALL, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const SERVICE_MS = 20;
/**
 * The proxy's time-out covers two rounds of all threads and a part of the third round. The third round is stored all the same, but waiting
 * requests are not.
 */
const ROUNDS = 2;
const PATIENCE_SECONDS = 2.3;

const storedSchema = z.object({ responses: z.number() });

export const ghostSuccess = story({
  id: 'survey-lab/ghost-success',
  statement: 'The client got a 504 while the server still stored the photo.',
  owner: 'measure',
  usualSeconds: 14,
  needs: ['nginx'],
  draw: (dice) => ({ threads: dice.whole(4, 6), more: dice.whole(2, 6), uploadMs: dice.step(1_200, 1_400, 50) }),
  async play(scene, { threads, more, uploadMs }) {
    const maxMs = Math.round(PATIENCE_SECONDS * (SERVICE_MS + uploadMs));
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      threads,
      queue: 100,
      'service-ms': SERVICE_MS,
      'upload-ms': scene.hidden(uploadMs),
      'proxy-timeout-ms': maxMs,
    });
    const phones = (ROUNDS + 1) * threads + more;
    const watched = 'responses stored';
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [upload(2_000)],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: phones, seconds: 0.1 }] },
      watch: [{ name: watched, url: `${lab.control}gauges`, path: `$["${watched}"]`, everySeconds: 1, counts: 'upload' }],
    });
    const lines = await lab.linesWhen(phones, 'nginx', isAbout(UPLOAD));
    const { responses: stored } = storedSchema.parse(await lab.act('count-stored'));
    const acknowledged = ROUNDS * threads;
    const ghosts = result.findings.find(({ id }) => id.startsWith('storedUnknown'));
    return [
      exactFigure('acknowledged', acknowledged, countResponses(result, 200), countWithStatus(lines, 200)),
      equalFigure('given up by the proxy', countResponses(result, 504), countWithStatus(lines, 504)),
      exactFigure(
        'stored',
        acknowledged + threads,
        result.generators[0]?.readings.findLast((reading) => watched in reading.watched)?.watched[watched] ?? NaN,
        stored,
      ),
      exactFigure(
        'stored although nobody was told',
        threads,
        Number.parseInt(ghosts?.sentence ?? '', 10),
        stored - countWithStatus(lines, 200),
      ),
      {
        name: 'patience of the proxy',
        unit: 'ms',
        predicted: maxMs,
        measured: knownMs(result.latencyByStatusClass['5xx']?.p50 ?? null),
        logged: null,
        within: 0.1 * maxMs,
      },
    ];
  },
});
