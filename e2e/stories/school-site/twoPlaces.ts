import { measuredPathSchema } from '#core/machines/checks/path/schema.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { forward } from '#lab/link/forward.ts';
import { ADD_TARGET_ADDRESS, cableCommands, TARGET_ADDRESS } from '../framework/cable.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { BYTES_ON_THE_LINE, SHEET_BYTES, SHEET_PATH } from './bandwidth.ts';

const SECONDS = 3;
const THINK_SECONDS = 0.1;

/** Returns a command that limits the rate to a generator, in Mbit/s, with a queue like that of a switch. */
function rateLimitCommand(place: string, megabits: number): string {
  return `nsenter --target 1 --net tc qdisc add dev to-${place} root tbf rate ${Math.round(megabits * 1e6)}bit burst 32768 latency 100ms`;
}

export const twoPlaces = story({
  id: 'school-site/two-places',
  statement:
    'The same page from two places: one has more the more it asks for, the other the same at any concurrency, for its line is full.',
  owner: 'hosts',
  usualSeconds: 18,
  needs: ['nginx', 'sshd'],
  draw: (dice) => ({ megabits: dice.whole(8, 10), few: dice.step(12, 16, 2), many: dice.step(28, 36, 2) }),
  network: () => ADD_TARGET_ADDRESS,
  async play(scene, { megabits, few, many }) {
    const lab = await scene.lab('school-site', {});
    const port = Number(new URL(lab.urls[0] ?? '').port);
    const entry = await forward({ host: TARGET_ADDRESS, port: 0 }, { host: '127.0.0.1', port });
    try {
      await scene.host('near', { ownNetwork: cableCommands('near', 1) });
      await scene.host('far', { ownNetwork: [...cableCommands('far', 2), rateLimitCommand('far', scene.hidden(megabits))] });
      const plan = (what: string) => ({
        targets: [{ url: `http://${TARGET_ADDRESS}:${entry.port}/` }],
        journey: [{ name: 'sheet', path: `${SHEET_PATH}?${what}` }],
        load: {
          model: 'users' as const,
          thinkTime: { kind: 'fixed' as const, seconds: THINK_SECONDS },
          stages: [few, many].map((users) => ({ users, seconds: SECONDS })),
        },
      });
      const client = await scene.client();
      for (const host of ['near', 'far'])
        await client.call('checks.path', {
          host,
          role: 'generator',
          plan: planSchema.parse({ holdfast: 1, name: 'Story', ...plan('measured') }),
        });
      const result = await scene.run(plan('asked'), ['near', 'far']);
      const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', ({ path }) => path.endsWith('?asked'));
      const [near, far] = result.generators;
      const perSecond = (megabits * 1e6) / 8 / BYTES_ON_THE_LINE;
      const reportedFindings = result.findings.filter(({ id }) => id.startsWith('bandwidthBound'));
      return [
        equalFigure('requests of both', result.outcomes.requests.sent, lines.length),
        equalFigure('responses of both', result.outcomes.requests.ok, countWithStatus(lines, 200)),
        equalFigure('sum of what each had', (near?.figures?.sent ?? NaN) + (far?.figures?.sent ?? NaN), lines.length),
        {
          name: 'the narrow way, measured before',
          unit: 'Mbit/s',
          predicted: (megabits * SHEET_BYTES) / BYTES_ON_THE_LINE,
          measured: measuredMegabits(result, 'far'),
          logged: null,
          within: 0.1 * megabits,
        },
        {
          name: 'a second through it',
          unit: '/s',
          predicted: perSecond,
          measured: far?.figures?.rates.completedPerSecond ?? null,
          logged: null,
          // The tolerance is large, because other load on this machine reduces the rate.
          within: 0.2 * perSecond,
        },
        exactFigure('places called bandwidth-bound', 1, reportedFindings.length, null),
        exactFigure('of which it is the narrow one', 1, reportedFindings.filter(({ id }) => id === 'bandwidthBound.far').length, null),
        exactFigure(
          'of which tell what its link says',
          1,
          reportedFindings.filter(({ evidence }) => /link eth0 reports [\d,]+ Mbit\/s/.test(evidence.join(' '))).length,
          null,
        ),
      ];
    } finally {
      await entry.close();
    }
  },
});

function measuredMegabits({ events }: RunResult, place: string): number | null {
  const paths = events.flatMap(({ kind, data }) => (kind === 'path' ? (measuredPathSchema.safeParse(data).data ?? []) : []));
  return paths.find(({ from }) => from === place)?.megabits ?? null;
}
