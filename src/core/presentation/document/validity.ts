import { SICK_WORDS } from '#core/judgement/verdict/words.ts';
import { hasSecureTarget } from '#core/plan/hosts.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { list, type Passage } from './model.ts';

/** What this result does not say, and how far it can be trusted: from the run itself, never in general. */
export function validityBlocks(result: RunResult): Passage[] {
  return list('How far this can be trusted', [
    ...trust(result),
    ...reach(result),
    ...samples(result),
    'This is one run. How much another run of the same plan would differ cannot be told from one; before two servers or settings are compared, each wants at least five.',
  ]);
}

/** What went wrong, or might have, while it was measured. */
function trust({ balances, run, generators, windows }: RunResult): string[] {
  const sick = windows.filter((point) => point.sick.length > 0);
  const seconds = sick.reduce((sum, { width }) => sum + width, 0);
  const causes = [...new Set(sick.flatMap((point) => point.sick))].map((cause) => SICK_WORDS[cause]);
  const shared = generators.filter(({ sharesMachineWithTarget }) => sharesMachineWithTarget).map(({ name }) => name);
  const lost = generators.filter((one) => one.lost !== null).map(({ name }) => name);
  return [
    ...(balances ? [] : ['The figures do not add up to what was sent. This is a fault of Holdfast: trust none of them.']),
    ...(run.endedBecause === null ? [] : ['It did not run to its end, so it can show what breaks and never that something holds.']),
    ...(seconds === 0
      ? []
      : [
          `In ${formatSeconds(seconds)} of the run the load generator could not keep up (${causes.join('; ')}). Times of those seconds may be its own; they are marked in the charts and not held against the server.`,
        ]),
    ...(lost.length === 0 ? [] : [`The load of ${lost.join(', ')} was lost on the way, so less was asked for than planned.`]),
    ...(shared.length === 0
      ? []
      : [
          `The server ran on a machine that made the load (${shared.join(', ')}): they shared its processor, so a server of its own would do better.`,
        ]),
  ];
}

/** What was not asked, and from where it was. */
function reach({ verdict, plan, generators, pages, ledger }: RunResult): string[] {
  const names = generators.map(({ name }) => name);
  const { target, generator } = ledger.journeys.notStarted;
  return [
    ...verdict.notExercised.map((what) => `Not tested: ${what}.`),
    MODEL_LIMITS[plan.load.model],
    ...(names.length === 0
      ? []
      : [
          `All load came from ${names.length === 1 ? 'one place' : `${formatCount(names.length)} places`}: ${names.join(', ')}. What networks elsewhere add is not in it.`,
        ]),
    ...(pages === null
      ? ['Requests were counted, not pages: a browser also fetches pictures, styles and scripts, runs them and draws.']
      : ['A page was there when everything had arrived that it links to; running its scripts and drawing it are not in its time.']),
    ...(target > 0
      ? [
          `${formatCount(target)} that were due did not begin, because the server owed too many answers: the load that was planned was not reached.`,
        ]
      : []),
    ...(generator > 0
      ? [
          `${formatCount(generator)} that were due did not begin, because the generator could not: the load that was planned was not reached.`,
        ]
      : []),
    ...(hasSecureTarget(plan) && !plan.tls.verify ? ['Certificates were not verified.'] : []),
  ];
}

const MODEL_LIMITS: Readonly<Record<RunResult['plan']['load']['model'], string>> = {
  connections:
    'A fixed number of connections each asked again when answered, so a slow server was asked less often. It shows what the server can do, and not what visitors wait who come regardless of how slow it is.',
  users:
    'A fixed number of users paused and asked again, so a slow server was asked less often than it would be by people who do not wait.',
  arrivals: 'Requests began at a rate, whether or not earlier ones were answered, as visitors come who know nothing of each other.',
};

/** Fewer answers than this leave a percentile to one or two of them. */
const FEW_FOR_P99 = 300;
const FEW_FOR_P99_9 = 3_000;

function samples({ latency, objectives }: RunResult): string[] {
  const { count } = latency.response;
  const few = objectives.filter(({ unknownBecause }) => unknownBecause === 'tooFew' || unknownBecause === 'tooClose').length;
  return [
    ...(count > 0 && count < FEW_FOR_P99
      ? [`There were ${formatCount(count)} answers: “99 of 100” and beyond rest on one or two of them.`]
      : count > 0 && count < FEW_FOR_P99_9
        ? [`There were ${formatCount(count)} answers: “999 of 1,000” rests on one or two of them.`]
        : []),
    ...(few === 0
      ? []
      : [`${formatCount(few)} of the limits could not be decided from so few requests, or lie too close to what was measured.`]),
  ];
}
