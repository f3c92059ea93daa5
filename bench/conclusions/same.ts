import type { Comparison } from '#core/comparison/schema.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { startMystery } from '../targets/mystery.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';

const RUNS_PER_SIDE = 5;
const RUN_SECONDS = 2;
/** Expected duration in seconds of each further pair: one more run on each side, with starts and ends. */
const SECONDS_PER_PAIR = 6;
const CONNECTIONS = 4;
const SERVER = { workers: 2, serviceMs: 20 };
/** Maximum share of pairs of equal servers that the app may call different. */
const MAX_DIFFERENT_SHARE = 0.05;

/**
 * Checks whether the app calls two sides equal in all figures if their runs are against the same server. Every other run belongs to the
 * second side, and a pair consists of the last five runs of each side, so a further pair takes two runs. Pairs that have runs in common are
 * not independent, but the expected share of false alarms is the same.
 */
export async function measureSame(context: KindContext): Promise<KindResult> {
  const { app, cores, folder, runs, notify } = context;
  const server = await startMystery(SERVER, 'same', folder, cores.target);
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'the same server',
    targets: [{ url: server.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: CONNECTIONS, seconds: RUN_SECONDS }] },
  });
  const sides = [
    { name: 'even', runIds: new Array<string>() },
    { name: 'odd', runIds: new Array<string>() },
  ];

  async function comparePair(index: number): Promise<Pick<Comparison['pairs'][number], 'conclusion' | 'sentence'>> {
    for (let round = sides[0]?.runIds.length ?? 0; round < RUNS_PER_SIDE + index; round += 1)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) side.runIds.push((await app.run(plan)).run.id);
    const last = sides.map(({ name, runIds }) => ({ name, runIds: runIds.slice(-RUNS_PER_SIDE) }));
    const [found] = (await app.compare(last, 'target')).pairs;
    if (found === undefined) throw new TypeError('Two sides are one pair.');
    notify(`${index + 1} of ${runs}: ${found.sentence}`);
    return { conclusion: found.conclusion, sentence: found.sentence };
  }

  try {
    const { made, failed, complete } = await repeatInTime(
      context,
      { what: 'pairs of the same server', secondsEach: SECONDS_PER_PAIR },
      comparePair,
    );
    const different = made.filter(({ conclusion }) => conclusion === 'differs');
    return {
      kind: 'same',
      sections: [
        {
          title: 'The same server',
          caption: `${made.length} comparisons of ${RUNS_PER_SIDE} runs with ${RUNS_PER_SIDE} of one server, ${RUN_SECONDS} s each and made in turn. Listed are those that were called different.`,
          head: ['says'],
          rows: different.map(({ sentence }) => [sentence]),
        },
      ],
      requirements: [
        {
          what: `share of ${made.length} pairs of the same server that is called different`,
          value: made.length === 0 ? null : different.length / made.length,
          unit: '',
          limit: { kind: 'atMost', value: MAX_DIFFERENT_SHARE },
          aim: 0.01,
        },
        complete,
      ],
      failed,
      data: { pairs: made },
    };
  } finally {
    await server.stop();
  }
}
