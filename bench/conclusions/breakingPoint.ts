import type { PlanInput } from '#core/plan/schema/plan.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { measureWithSteal } from '../running/stealGate.ts';
import { startMystery } from '../targets/mystery.ts';
import { startPages } from '../targets/startPages.ts';
import { Dice } from './dice.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';
import { planForSearch, secondsSince } from './plans.ts';
import {
  breakingPointRequirements,
  breakingPointSections,
  drawLimited,
  type FoundLimit,
  type Limited,
  describeLimit,
} from './breakingPointJudge.ts';

/**
 * Expected duration in seconds of a search by arrival rate on an idle machine. A search by connections takes a third of that. Levels with
 * random disturbances are repeated, which makes a search longer.
 */
const SECONDS_PER_SEARCH = 130;
/** Settings of a search by arrival rate. Its levels are a little shorter than the default of 10 s. */
const RATE_SEARCH_SECONDS = { secondsEach: 8, warmUpSeconds: 2, coolDownSeconds: 0.5, baselineSeconds: 5, overloadSeconds: 8 };
const ROOM_SEARCH_SECONDS = { secondsEach: 1, warmUpSeconds: 0, coolDownSeconds: 0.3, baselineSeconds: 5 };

interface LimitedServer {
  readonly url: string;
  stop(): Promise<void>;
  /** See `servedMs` of `MysteryServer`. */
  servedMs(): Promise<number | null>;
}

/** Checks whether the app finds the limits of servers in few levels, and their recovery time. */
export async function measureBreakingPoint(context: KindContext): Promise<KindResult> {
  const { app, cores, seed, folder, runs, notify } = context;

  async function startLimited(limited: Limited, name: string): Promise<LimitedServer> {
    if (limited.kind === 'rate')
      return startMystery({ workers: limited.workers, serviceMs: limited.serviceMs }, name, folder, cores.target);
    const server = await startPages({ delay: `fixed:${limited.serviceMs}`, room: limited.room }, cores.target);
    return { ...server, servedMs: () => Promise.resolve(null) };
  }

  async function searchLimit(index: number): Promise<FoundLimit> {
    const limited = drawLimited(index, new Dice(seed, index));
    const name = `limited-${index + 1}`;
    const server = await startLimited(limited, name);
    const startedMs = performance.now();
    try {
      const document = searchDocumentSchema.parse({
        kind: 'breakingPoint',
        plan: planForSearch(name, server.url, buildLoad(limited)),
        settings: { ...(limited.kind === 'rate' ? RATE_SEARCH_SECONDS : ROOM_SEARCH_SECONDS), from: limited.from },
      });
      const { value, stolenShare } = await measureWithSteal(() => app.search(document));
      const tookSeconds = secondsSince(startedMs);
      await server.stop();
      const { conclusion } = value;
      if (conclusion.kind !== 'breakingPoint') throw new TypeError('A breaking point was looked for.');
      const { sustained, breakingPoint: firstFailed, estimate, sentence, recovery, isKnown } = conclusion;
      notify(`${index + 1} of ${runs}: ${describeLimit(limited)}: ${sentence} (${tookSeconds.toFixed(0)} s)`);
      return {
        limited,
        servedMs: await server.servedMs(),
        conclusion: { sustained, breakingPoint: firstFailed, estimate, sentence, recovery, isKnown },
        readings: value.runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : [])),
        levels: new Set(value.runs.flatMap(({ purpose, level }) => (purpose === 'level' ? [level] : []))).size,
        tookSeconds,
        stolenShare,
      };
    } finally {
      await server.stop();
    }
  }

  const { made, failed, complete } = await repeatInTime(
    context,
    { what: 'searches for breaking points', secondsEach: SECONDS_PER_SEARCH },
    searchLimit,
  );
  return {
    kind: 'breaking-point',
    sections: breakingPointSections(made),
    requirements: [...breakingPointRequirements(made), complete],
    failed,
    data: { servers: made },
  };
}

/** Returns the load of a search, without optional fields. */
function buildLoad(limited: Limited): PlanInput['load'] {
  return limited.kind === 'rate'
    ? { model: 'arrivals', stages: [{ kind: 'constant', perSecond: limited.from, seconds: 1 }] }
    : { model: 'connections', stages: [{ connections: limited.from, seconds: 1 }] };
}
