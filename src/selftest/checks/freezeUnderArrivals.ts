import type { Plan } from '#core/plan/schema/plan.ts';
import { addInto, newTotalHistogram, percentileRank } from '#core/statistics/histogram.ts';
import { freeze, PAUSE, thawed } from '../behaviours/registry.ts';
import { measure, type Measured, selfTestPlan } from '../measure.ts';
import { countFact, countFacts, percentileOf, timeFact, timeFacts } from './facts.ts';
import type { Checked } from './runCheck.ts';

const PER_SECOND = 200;
/** One period of the freeze: whatever the phase, a fifth of the arrivals falls into it. */
const SECONDS = PAUSE.periodUs / 1_000_000;
const SHARE = 0.03;

/** The open model: what the freeze does to the response time is computed from the schedule, arrival by arrival. */
export const freezeUnderArrivals: Checked = {
  id: 'freezeUnderArrivals',
  title: `${freeze.title}, under arrivals`,
  story: `${PER_SECOND} arrivals a second go on while no answer leaves for a second: who arrives then waits, and the response time has to say so.`,
  engine: 'native',
  async compare(parts) {
    const open = await parts.server.open(freeze.id);
    const measured = await measure(arrivalsPlan(open.url), parts);
    const truth = await open.close();
    const exactUs = exactPercentileUs(99);
    return {
      measured,
      facts: [
        countFact('arrivals of the plan', measured.cell.started, PER_SECOND * SECONDS),
        ...countFacts(measured, truth),
        ...timeFacts(measured, truth),
        timeFact('response time p99, by the schedule', responsePercentile(measured, 99), exactUs, SHARE * exactUs),
      ],
    };
  },
};

function arrivalsPlan(url: string): Plan {
  return selfTestPlan(url, {
    engine: 'native',
    timeoutSeconds: 20,
    load: { model: 'arrivals', spacing: 'uniform', stages: [{ kind: 'constant', perSecond: PER_SECOND, seconds: SECONDS }] },
  });
}

/** Nearest rank over every planned arrival: the first is at 0, where the server's schedule begins too. */
export function exactPercentileUs(percentile: number): number {
  const responses = Array.from({ length: PER_SECOND * SECONDS }, (_, index) => {
    const atUs = (index * 1_000_000) / PER_SECOND;
    return thawed(atUs + PAUSE.usualUs, PAUSE) - atUs;
  });
  responses.sort((a, b) => a - b);
  return responses[percentileRank(percentile, responses.length) - 1] ?? Number.NaN;
}

function responsePercentile({ cell: { times } }: Measured, percentile: number): number | null {
  const all = newTotalHistogram();
  for (const histogram of [times.responseOk, times.responseFailed]) if (histogram) addInto(all, histogram);
  return percentileOf(all, percentile);
}
