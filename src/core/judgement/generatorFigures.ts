import { generatorPointOf } from '#core/result/liveGenerators.ts';
import type { RunResult } from '#core/result/schema.ts';
import { factsFrom, type RunTally, type TalliedInput } from './measuredRun.ts';

export type GeneratorFigures = NonNullable<RunResult['generators'][number]['figures']>;

/** What one of several generators had of a run, from its own windows: counts of everything, rates and times of the stages that count. */
export function generatorFigures(input: Omit<TalliedInput, 'generators'>, tally: RunTally): GeneratorFigures {
  const { ledger, rates, latency, phases, windows } = factsFrom({ ...input, generators: [] }, tally, { behaviour: false });
  return {
    sent: ledger.requests.sent,
    ok: ledger.requests.ok,
    notStartedGenerator: ledger.journeys.notStarted.generator,
    rates,
    service: latency.service,
    response: latency.response,
    phases,
    points: windows.map(generatorPointOf),
  };
}
