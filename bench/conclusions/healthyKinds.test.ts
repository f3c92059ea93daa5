import { describe, expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { Dice } from './dice.ts';
import { pageSettingsSchema } from '../targets/pageSettings.ts';
import { parseDelay } from '../targets/delays.ts';
import { HEALTHY_KINDS, healthyPlan, type HealthyCase } from './healthyKinds.ts';

const DRAWINGS = 100;
/** Minimum number of responses. With fewer, a limit of 5 % for a share cannot be shown to be met. */
const MIN_RESPONSES = 59;
/** Maximum rate. At half a millisecond of processor time per response, this rate uses only a part of one core. */
const MAX_PER_SECOND = 600;

const meanMs = ({ server }: HealthyCase): number => {
  const delay = parseDelay(server.delay);
  return delay?.kind === 'fixed' ? delay.ms : delay?.kind === 'exponential' ? delay.meanMs : Number.NaN;
};

/** Returns the expected number of responses per step in the shortest stage, and the highest rate. */
function makeExpected(drawnCase: HealthyCase, { load, journey }: Plan): { responses: number; perSecond: number } {
  const responseSeconds = meanMs(drawnCase) / 1_000;
  switch (load.model) {
    case 'connections':
      return stagesOf(load.stages, ({ connections, seconds = 0 }) => ({ perSecond: connections / responseSeconds, seconds }));
    case 'users': {
      const { thinkTime } = load;
      const pause = thinkTime?.kind === 'uniform' ? (thinkTime.fromSeconds + thinkTime.toSeconds) / 2 : 0;
      const { responses, perSecond } = stagesOf(load.stages, ({ users, seconds }) => ({
        perSecond: users / (pause + responseSeconds),
        seconds,
      }));
      return { responses: responses / journey.length, perSecond };
    }
    case 'arrivals':
      return stagesOf(
        load.stages.filter(({ kind }) => kind !== 'pause'),
        (stage) => {
          if (stage.kind === 'constant') return { perSecond: stage.perSecond, seconds: stage.seconds };
          if (stage.kind === 'count') return { perSecond: stage.arrivals / stage.seconds, seconds: stage.seconds };
          if (stage.kind === 'ramp') return { perSecond: (stage.fromPerSecond + stage.toPerSecond) / 2, seconds: stage.seconds };
          throw new Error(`No such stage is drawn: ${stage.kind}.`);
        },
      );
    default:
      return load satisfies never;
  }
}

function stagesOf<Stage>(stages: readonly Stage[], read: (stage: Stage) => { perSecond: number; seconds: number }) {
  const all = stages.map(read);
  return {
    responses: Math.min(...all.map(({ perSecond, seconds }) => perSecond * seconds)),
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
  };
}

describe('healthy kinds', () => {
  it.each(HEALTHY_KINDS.map((kind) => [kind.id, kind] as const))(
    '%s: the plan can pass, and the server has capacity to spare',
    (_id, kind) => {
      for (let place = 0; place < DRAWINGS; place += 1) {
        const drawnCase = kind.draw(new Dice(42, place));
        const plan = healthyPlan(drawnCase, kind.id, drawnCase.through === 'tls' ? 'https://127.0.0.1:9/' : 'http://127.0.0.1:9/', null);
        expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
        const { workers } = pageSettingsSchema.parse(drawnCase.server);
        const { responses, perSecond } = makeExpected(drawnCase, plan);
        const what = JSON.stringify(drawnCase);
        expect(responses, what).toBeGreaterThanOrEqual(MIN_RESPONSES);
        expect(perSecond, what).toBeLessThanOrEqual(MAX_PER_SECOND);
        if (workers !== null) expect((perSecond * meanMs(drawnCase)) / 1_000 / workers, what).toBeLessThanOrEqual(0.67);
        expect(meanMs(drawnCase), what).toBeLessThanOrEqual(drawnCase.maxMs * 0.7);
      }
    },
  );

  it('have between one and five hundred users', () => {
    const users = HEALTHY_KINDS.flatMap((kind) =>
      Array.from({ length: DRAWINGS }, (_, place) => kind.draw(new Dice(42, place)).load).flatMap((load) =>
        load.model === 'users' ? load.stages.map((stage) => stage.users) : [],
      ),
    );
    expect([Math.min(...users), Math.max(...users)]).toEqual([1, 500]);
    expect(HEALTHY_KINDS).toHaveLength(10);
  });
});
