import { exactFigure, equalFigure } from '../framework/figure.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, READ, respondents, SMALL, TIME_TOLERANCE, senderFile } from './survey.ts';

/** All users arrive within a second, before the first query has filled the cache. */
const STAGE = { users: 1, startUpSeconds: 1, startUpCounts: true, seconds: 3 };

export const notSteady = story({
  id: 'survey-lab/not-steady',
  statement: 'Two hundred are worse than four hundred: a cold cache at one step only.',
  owner: 'measure',
  usualSeconds: 21,
  needs: ['nginx'],
  draw: (dice) => ({ teachers: dice.whole(9, 10), serviceMs: dice.step(220, 260, 10), coldMs: dice.step(1_400, 1_600, 50) }),
  async play(scene, { teachers, serviceMs, coldMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      threads: 60,
      'service-ms': serviceMs,
      'cold-cache': true,
      'cold-ms': scene.hidden(coldMs),
    });
    const plan = {
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' as const } },
      journey: [respondents('who handed in')],
    };
    const warmUp = await scene.run({ ...plan, load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } });
    let emptied: Promise<unknown> | null = null;
    const table = await scene.series(
      { ...plan, load: { model: 'users', stages: [STAGE] } },
      { users: [teachers, 2 * teachers, 3 * teachers] },
      ({ rows }) => {
        if (rows[0]?.state === 'value') emptied ??= lab.act('empty-cache');
      },
    );
    const figures = table.rows.map(({ runs }) => runs[0]?.figures);
    const [light = NaN, middle = NaN, heavy = NaN] = figures.map((one) => one?.ok ?? NaN);
    const requestCount = warmUp.outcomes.requests.ok + light + middle + heavy;
    const lines = (await lab.linesWhen(requestCount, 'nginx', isAbout(READ))).toSorted(
      (remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs,
    );
    const atCold = lines.slice(1 + light, 1 + light + middle);
    const cold = serviceMs + coldMs;
    const notes = table.notes.filter((note) => note.startsWith('Not steady'));
    const row = (index: number): string => `“${table.rows[index]?.cell ?? ''}”`;
    return [
      equalFigure('lists', requestCount, countWithStatus(lines, 200)),
      exactFigure('notes that it was not steady', 1, notes.length, atCold.filter(({ ms }) => ms > coldMs).length === 2 * teachers ? 1 : 0),
      exactFigure('which is worse than which', 1, notes.filter((note) => note.includes(row(1)) && note.includes(row(2))).length, null),
      {
        name: 'p95 of the middle one',
        unit: 'ms',
        predicted: cold,
        measured: table.rows[1]?.p95?.median ?? null,
        logged: loggedPercentile(atCold, 95),
        within: 1.2 * TIME_TOLERANCE * cold,
      },
    ];
  },
});
