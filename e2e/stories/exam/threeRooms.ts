import { sumOf } from '#core/base/lists.ts';
import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { forward } from '#lab/link/forward.ts';
import { accountFile } from '../framework/accounts.ts';
import { ADD_TARGET_ADDRESS, cableCommands, TARGET_ADDRESS } from '../framework/cable.ts';
import { equalFigure, exactFigure } from '../framework/figure.ts';
import { story } from '../framework/story.ts';
import { journeyOfPupils } from './journey.ts';

const ROOMS = ['first', 'second', 'third'] as const;
const START_UP_SECONDS = 25;
const BELL_SECOND = 32;
const SECONDS_AFTER = 10;

/** One bell for the pupils of three computers, each in a network of its own: nobody is counted twice or is missing. */
export const threeRooms = story({
  id: 'exam/three-rooms',
  statement: 'A bell for the pupils of three computers: counts add up over the computers, and everybody who is late or absent has a cause.',
  owner: 'hosts',
  usualSeconds: 75,
  needs: ['sshd'],
  draw: (dice) => ({ each: dice.whole(60, 100) }),
  network: () => ADD_TARGET_ADDRESS,
  async play(scene, { each }) {
    const users = each * ROOMS.length;
    const lab = await scene.lab('exam', { 'service-ms': 5, 'start-ms': 10, workers: 100, accounts: users });
    const entry = await forward({ host: TARGET_ADDRESS, port: 0 }, { host: '127.0.0.1', port: Number(new URL(lab.urls[0] ?? '').port) });
    try {
      for (const [index, room] of ROOMS.entries()) await scene.host(room, { ownNetwork: cableCommands(room, index + 1) });
      const result = await scene.run(
        {
          targets: [{ url: `http://${TARGET_ADDRESS}:${entry.port}/` }],
          journey: journeyOfPupils(['start']),
          feeds: { accounts: { file: await accountFile(scene, lab), order: 'unique' } },
          bells: { start: { atSeconds: BELL_SECOND } },
          load: {
            model: 'users',
            paceSeconds: 2 * BELL_SECOND,
            stages: [
              { users, startUpSeconds: START_UP_SECONDS, startUpCounts: true, seconds: BELL_SECOND - START_UP_SECONDS + SECONDS_AFTER },
            ],
          },
        },
        ROOMS,
      );
      const responses = countResponses(result.outcomes.requests);
      const lines = await lab.linesWhen(responses, 'exam', () => true);
      const { waited = NaN, late = NaN, absent = NaN, awayBecause } = result.bells?.[0] ?? {};
      return [
        equalFigure('responses', responses, lines.filter(({ complete }) => complete).length),
        equalFigure(
          'sum over the computers',
          sumOf(result.generators, ({ figures }) => figures?.sent ?? NaN),
          lines.length,
        ),
        exactFigure('lost computers', 0, result.generators.filter(({ lost }) => lost !== null).length, null),
        exactFigure('pupils at the bell, late and absent', users, waited + late + absent, null),
        exactFigure(
          'causes of late and absent pupils',
          late + absent,
          sumOf(Object.values(awayBecause ?? {}), (count) => count),
          null,
        ),
        equalFigure('pupils who started', result.bells?.[0]?.served ?? NaN, lines.filter(({ path }) => path.includes('execute')).length),
      ];
    } finally {
      await entry.close();
    }
  },
});
