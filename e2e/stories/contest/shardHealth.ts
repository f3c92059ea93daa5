import { setTimeout as sleep } from 'node:timers/promises';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { story } from '../framework/story.ts';

const SHARDS = 4;
/** Time in seconds from the first request until a shard is stopped. */
const STOP_AFTER_SECONDS = 2;
const SECONDS = 9;

export const shardHealth = story({
  id: 'contest/shard-health',
  statement: 'One of several shards is gone and comes back: which it was, when, and how many requests it cost.',
  owner: 'hosts',
  usualSeconds: 14,
  needs: [],
  draw: (dice) => ({ perSecond: dice.step(80, 120, 8), gone: dice.whole(1, SHARDS), awaySeconds: dice.pick([3, 4]) }),
  async play(scene, { perSecond, gone, awaySeconds }) {
    const lab = await scene.lab('contest', { shards: SHARDS, 'service-ms': 5 });
    const name = `shard-${gone}`;
    const running = scene.run({
      targets: lab.urls.map((url, index) => ({ name: `shard-${index + 1}`, url })),
      journey: [{ name: 'page', path: '?asked' }],
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: SECONDS }] },
    });
    await lab.linesWhen(1, 'contest');
    await sleep(STOP_AFTER_SECONDS * 1_000);
    await lab.act(`stop-${name}`);
    await sleep(scene.hidden(awaySeconds) * 1_000);
    await lab.act(`start-${name}`);
    const result = await running;
    await lab.stop();
    const lines = await lab.lines('contest', ({ complete }) => complete);
    const countLinesFrom = (shard: string): number => lines.filter(({ server }) => server === shard).length;
    const otherServers = result.servers.filter((server) => server.name !== name);
    const server = result.servers.find((one) => one.name === name);
    const each = (perSecond * SECONDS) / SHARDS;
    const cost = (perSecond / SHARDS) * awaySeconds;
    const findings = result.findings.filter(({ id }) => id.startsWith('serverDown.'));
    const away = (server?.silent ?? []).reduce((sum, { fromSecond, toSecond }) => sum + toSecond - fromSecond, 0);
    return [
      equalFigure('responded', result.outcomes.requests.ok, lines.length),
      exactFigure('servers called away', 1, findings.length, null),
      exactFigure('of which it is that one', 1, findings.filter(({ id }) => id === `serverDown.${name}`).length, null),
      exactFigure('said to have come back', 1, findings.filter(({ sentence }) => sentence.includes('came back')).length, null),
      // Requests that were being processed are lost too, and one or two more until the proxy notices.
      {
        name: 'requests that it cost',
        unit: '',
        predicted: cost,
        measured: server?.withoutResponse ?? null,
        logged: each - countLinesFrom(name),
        // The tolerance allows for a restart that is late on a busy machine.
        within: (0.6 * perSecond) / SHARDS,
        agreeWithin: 2,
      },
      // The number of whole seconds without any response.
      { name: 'away', unit: 's', predicted: awaySeconds - 0.5, measured: away, logged: null, within: 1.1 },
      exactFigure(
        'failed at the others',
        0,
        otherServers.reduce((sum, { failed }) => sum + failed, 0),
        null,
      ),
      ...otherServers.map(({ name: shard, responded }) => exactFigure(`responded by ${shard}`, each, responded, countLinesFrom(shard))),
    ];
  },
});
