import { planSchema } from '#core/plan/schema/plan.ts';
import { measureWithSteal } from '../running/stealGate.ts';
import { Dice } from './dice.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';
import { startMystery } from '../targets/mystery.ts';
import {
  makeComparedPair,
  differencesRequirements,
  differencesSections,
  drawPair,
  isRight,
  type ComparedPair,
} from './differencesJudge.ts';

const RUNS_PER_SIDE = 5;
const RUN_SECONDS = 2;
/** Expected duration of a pair in seconds, including the starts and ends of the pair's runs. */
const SECONDS_PER_PAIR = 40;

/** Checks whether the app finds differences between servers that differ, and none between equal servers. */
export async function measureDifferences(context: KindContext): Promise<KindResult> {
  const { app, cores, seed, folder, runs, notify } = context;

  async function comparePair(index: number): Promise<ComparedPair> {
    const pair = drawPair(index, new Dice(seed, index));
    const first = await startMystery(pair.servers[0], `pair-${index}-first`, folder, cores.target);
    try {
      const second = await startMystery(pair.servers[1], `pair-${index}-second`, folder, cores.target);
      try {
        const { value: comparison, stolenShare } = await measureWithSteal(() => compare(first.url, second.url, pair.connections));
        const comparedPair = makeComparedPair(pair, comparison, stolenShare);
        notify(
          `${index + 1} of ${runs}: ${pair.isSlower ? 'a tenth slower' : 'alike'}: ${isRight(comparedPair) ? 'right' : 'WRONG'}: ${comparedPair.sentence}`,
        );
        return comparedPair;
      } finally {
        await second.stop();
      }
    } finally {
      await first.stop();
    }
  }

  async function compare(first: string, second: string, connections: number) {
    const sides = [
      { name: 'first', url: first, runIds: new Array<string>() },
      { name: 'second', url: second, runIds: new Array<string>() },
    ];
    for (let round = 0; round < RUNS_PER_SIDE; round += 1) {
      // The order alternates from round to round, so that neither side is always first.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const plan = planSchema.parse({
          holdfast: 1,
          name: `${side.name} server`,
          targets: [{ url: side.url }],
          journey: [{ name: 'page' }],
          load: { model: 'connections', stages: [{ connections, seconds: RUN_SECONDS }] },
        });
        side.runIds.push((await app.run(plan)).run.id);
      }
    }
    return app.compare(sides, 'target');
  }

  const { made, failed, complete } = await repeatInTime(context, { what: 'comparisons', secondsEach: SECONDS_PER_PAIR }, comparePair);
  return {
    kind: 'differences',
    sections: differencesSections(made),
    requirements: [...differencesRequirements(made), complete],
    failed,
    data: { pairs: made },
  };
}
