import { hasSecureTarget } from '#core/plan/hosts.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { overloadOf } from '#core/result/overload.ts';
import { OVERLOAD_WORDS } from '#core/result/overloadWords.ts';
import type { RunResult } from '#core/result/schema.ts';
import { list, type Passage } from './model.ts';

/** Returns the limits of this result: reasons for doubt, and what was not tested. All follow from the run itself. */
export function validityBlocks(result: RunResult): Passage[] {
  return list('Limits of this result', [
    ...trust(result),
    ...reach(result),
    ...samples(result),
    'One run does not show how much runs vary. To compare two servers or settings, run each at least five times.',
  ]);
}

/** Returns problems during the measurement. */
function trust(result: RunResult): string[] {
  const { balances, run, generators } = result;
  const { seconds, causes } = overloadOf(result);
  const why = causes.map(({ cause }) => OVERLOAD_WORDS[cause].what).join('; ');
  const shared = generators.filter(({ sharesMachineWithTarget }) => sharesMachineWithTarget).map(({ name }) => name);
  const lost = generators.filter((one) => one.lost !== null).map(({ name }) => name);
  return [
    ...(balances ? [] : ['The figures do not add up to the requests sent. This is a fault of Holdfast. Do not trust them.']),
    ...(run.endedBecause === null ? [] : ['The run ended early, so it can show a failure, but not a pass.']),
    ...(seconds === 0
      ? []
      : [
          `The load generator was overloaded for ${formatSeconds(seconds)} (${why}). Latency in those seconds may be inflated; they are marked in the charts and do not count against the server.`,
        ]),
    ...(lost.length === 0 ? [] : [`${lost.join(', ')} was lost during the run, so the load was lower than planned.`]),
    ...(shared.length === 0
      ? []
      : [`The server shared a processor with a load generator (${shared.join(', ')}). On its own machine it would perform better.`]),
  ];
}

/** Returns what was not tested, and from where the load came. */
function reach({ verdict, plan, generators, pages, outcomes }: RunResult): string[] {
  const names = generators.map(({ name }) => name);
  const { target, generator } = outcomes.journeys.notStarted;
  return [
    ...verdict.notExercised.map((what) => `Not tested: ${what}.`),
    MODEL_LIMITS[plan.load.model],
    ...(names.length === 0
      ? []
      : [
          `All load came from ${names.length === 1 ? 'one place' : `${formatCount(names.length)} places`}: ${names.join(', ')}. Delays of other networks are not included.`,
        ]),
    ...(pages === null
      ? ['Requests were measured, not pages. A browser also fetches images, styles and scripts, runs scripts and renders.']
      : ['Page times end when all linked resources have arrived. They do not include running scripts and rendering.']),
    ...(target > 0
      ? [
          `${formatCount(target)} planned arrivals were not started because too many requests were in flight. The planned load was not reached.`,
        ]
      : []),
    ...(generator > 0
      ? [
          `${formatCount(generator)} planned arrivals were not started because the load generator was overloaded. The planned load was not reached.`,
        ]
      : []),
    ...(hasSecureTarget(plan) && !plan.tls.verify ? ['Certificates were not verified.'] : []),
  ];
}

const MODEL_LIMITS: Readonly<Record<RunResult['plan']['load']['model'], string>> = {
  connections:
    'Each connection sent its next request after a response, so a slow server got fewer requests. This shows the capacity of the server, not the wait of users who arrive independently.',
  users:
    'Each user waited for a response before the next request, so a slow server got fewer requests than from users who arrive independently.',
  arrivals: 'Requests started at a fixed rate, whether or not earlier ones were complete, like users who arrive independently.',
};

/** With fewer responses, the percentile depends on only one or two of them. */
const MIN_RESPONSES_FOR_P99 = 300;
const MIN_RESPONSES_FOR_P99_9 = 3_000;

function samples({ latency, criteria }: RunResult): string[] {
  const { count } = latency.response;
  const few = criteria.filter(({ unknownBecause }) => unknownBecause === 'tooFew' || unknownBecause === 'tooClose').length;
  return [
    ...(count > 0 && count < MIN_RESPONSES_FOR_P99
      ? [`With ${formatCount(count)} responses, p99 and above depend on one or two of them.`]
      : count > 0 && count < MIN_RESPONSES_FOR_P99_9
        ? [`With ${formatCount(count)} responses, p99.9 depends on one or two of them.`]
        : []),
    ...(few === 0
      ? []
      : [
          `${few === 1 ? '1 pass criterion is' : `${formatCount(few)} pass criteria are`} inconclusive: too few requests, or too close to the measured value.`,
        ]),
  ];
}
