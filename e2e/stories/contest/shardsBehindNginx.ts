import { setTimeout as sleep } from 'node:timers/promises';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { TIME_TOLERANCE } from './contestant.ts';

const SHARDS = 2;
const SECONDS = 20;
/** Time in seconds from the first request until a shard fails. */
const STOP_AFTER_SECONDS = 6;
/** Time-out in ms for a request to a shard that hangs. It is so long that all requests get a response in the end. */
const PATIENCE_MS = 30_000;
/** Time in seconds after which nginx tries a failed server again. */
const LEFT_OUT_SECONDS = 10;
/** Tolerance for the reported seconds. */
const MAX_DEVIATION_SECONDS = 2;

export const shardsBehindNginx = story({
  id: 'contest/shards-behind-nginx',
  statement: 'nginx names the shards that it asked, and one of them dies or hangs and comes back: which, since when, and for how long.',
  owner: 'hosts',
  usualSeconds: 26,
  needs: ['nginx'],
  draw: (dice) => ({
    how: dice.pick(['stop', 'hang']),
    gone: dice.whole(1, SHARDS),
    users: dice.step(8, 16, 4),
    awaySeconds: dice.pick([4, 5, 6]),
    serviceMs: dice.step(150, 250, 10),
  }),
  async play(scene, { how, gone, users, awaySeconds, serviceMs }) {
    const lab = await scene.lab('contest', {
      shards: SHARDS,
      'service-ms': scene.hidden(serviceMs),
      front: 'in-turn',
      'shard-header': 'upstream',
      'proxy-timeout-ms': PATIENCE_MS,
    });
    const running = scene.run({
      targets: lab.urls.map((url) => ({ url })),
      servers: { header: 'X-Shard', expected: SHARDS },
      journey: [{ name: 'page', path: '?asked' }],
      load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.2 }, stages: [{ users, startUpSeconds: 0, seconds: SECONDS }] },
    });
    await lab.linesWhen(1, 'contest');
    await sleep(STOP_AFTER_SECONDS * 1_000);
    await lab.act(`${how}-shard-${gone}`);
    await sleep(awaySeconds * 1_000);
    await lab.act(`start-shard-${gone}`);
    const result = await running;
    await lab.stop();
    const lines = await lab.lines('contest', ({ complete }) => complete);
    const name = new URL(lab.address(`Shard ${gone}`)).host;
    const [silent, ...more] = result.servers.find((server) => server.name === name)?.silent ?? [];
    const seconds = silent === undefined ? null : silent.toSecond - silent.fromSecond;
    return [
      equalFigure('responded', result.outcomes.requests.ok, lines.length),
      exactFigure('servers that responded', SHARDS, result.servers.length, null),
      exactFigure('of which were silent', 1, result.servers.filter((server) => server.silent.length > 0).length, null),
      exactFigure('times that it was', 1, more.length + (silent === undefined ? 0 : 1), null),
      exactFigure('findings that name it', 1, result.findings.filter(({ id }) => id === `serverDown.${name}`).length, null),
      {
        name: 'since',
        unit: 's',
        predicted: STOP_AFTER_SECONDS,
        measured: silent?.fromSecond ?? null,
        logged: null,
        within: MAX_DEVIATION_SECONDS,
      },
      {
        name: 'for',
        unit: 's',
        // nginx notices that a shard is back only when it tries the shard again.
        predicted: how === 'hang' ? awaySeconds : LEFT_OUT_SECONDS,
        measured: seconds,
        logged: null,
        within: MAX_DEVIATION_SECONDS,
      },
      {
        name: 'median time',
        unit: 'ms',
        predicted: serviceMs,
        measured: knownMs(result.latency.service.p50),
        logged: null,
        within: TIME_TOLERANCE * serviceMs,
      },
      exactFigure('failed', 0, result.outcomes.requests.sent - result.outcomes.requests.ok, null),
    ];
  },
});
