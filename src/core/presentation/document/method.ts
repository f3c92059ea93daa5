import { describeCheck } from '#core/work/bodyCheck/errorTexts.ts';
import { describePlan } from '#core/review/describe.ts';
import type { RunResult } from '#core/result/schema.ts';
import { hasSecureTarget } from '#core/plan/hosts/generatorNames.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { findOverload } from '#core/result/overload.ts';
import { OVERLOAD_WORDS } from '#core/result/generatorNames.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import { timeKinds } from './figures.ts';
import { column, list, type Passage, table } from './model.ts';

const MAX_STEPS_IN_SENTENCE = 3;

/** Describes the load in the words of the plan’s summary before the run. Pass criteria are in a separate table. */
export function loadBlocks({ plan }: Pick<RunResult, 'plan'>): Passage[] {
  const { sentences, aboutSteps } = describePlan(plan);
  const asTable = plan.flow === undefined && plan.journey.length > MAX_STEPS_IN_SENTENCE;
  const checked = plan.journey.filter(({ checks }) => checks.length > 0).length;
  // The first sentence lists the steps, and the last ones list the steps' criteria. The table contains both.
  const inTable = new Set(asTable ? [...aboutSteps.slice(0, 1), ...aboutSteps.slice(aboutSteps.length - checked)] : []);
  return [
    ...list(
      'Load',
      sentences.filter((sentence) => !inTable.has(sentence)),
    ),
    ...(asTable
      ? table('Steps of a journey, in order', plan.journey, [
          column('Step', ({ name }) => name),
          column('Request', ({ method, path }) => `${method} ${path}`.trim()),
          column('Successful only if its body', ({ checks }) => checks.map(describeCheck).join(', and ')),
        ])
      : []),
  ];
}

/** Returns the definitions of the terms that this report uses. */
export function definitionBlocks(result: RunResult): Passage[] {
  const { plan, pages, criteria, servers, stages } = result;
  const judgesShares = criteria.some(({ over }) => over !== null);
  const speaksOfApdex = pages !== null || plan.criteria.some(({ kind }) => kind === 'apdex');
  const rows: (readonly [string, string] | null)[] = [
    [
      'Successful response',
      'A complete response with an expected status (200 to 299 unless the plan names others) that passed every content check. A redirect to a login page is not one.',
    ],
    ['Failed', 'Every other completed request: unexpected status, wrong content, time-out, no connection, or a closed connection.'],
    [
      'p95',
      '95 % of requests took no longer than this; p50, p90 and p99 likewise. Percentiles use the nearest rank and are never averaged.',
    ],
    ...timeKinds(result),
    ['Responses/s', 'Complete responses, successful or not, during the load of a stage. Responses after its end are in no rate.'],
    stages.some(({ counted }) => !counted) ? ['Not counted', 'A warm-up or recovery stage: shown, but not judged.'] : null,
    result.waits.length > 0 ? ['Waited for', 'Requested repeatedly until the result was available.'] : null,
    speaksOfApdex
      ? [
          'Apdex',
          '(Responses within the threshold + half of those within four times the threshold) / all. Failures count as too slow. 1 is best; 0.85 or more is good.',
        ]
      : null,
    judgesShares
      ? [
          'Confidence',
          'A criterion passes when the one-sided 95 % bound of the true share (Clopper-Pearson) is within the allowed share. The number of requests is reduced where they came in bursts. Seconds in which the load generator was overloaded are judged both ways.',
        ]
      : null,
    servers.length > 0 ? ['Server', 'Which of several servers responded, according to its responses.'] : null,
    [
      'Overload',
      'Each second of each load generator is checked: threads, clock, ports and open files. Overloaded seconds never count against the server.',
    ],
  ];
  return table(
    'Terms',
    rows.filter((row) => row !== null),
    [column('Term', ([word]) => word), column('Meaning', ([, meaning]) => meaning)],
    'Times are kept in HDR histograms with 3 significant digits from 1 µs to 1 h, merged by addition over seconds, steps, threads and machines.',
  );
}

/** Returns the limits of this result: reasons for doubt, and what was not tested. All of them follow from the run itself. */
export function validityBlocks(result: RunResult): Passage[] {
  return list('Limits of this result', [
    ...describeDoubts(result),
    ...describeReach(result),
    ...describeSamples(result),
    'One run does not show how much runs vary. To compare two servers or settings, run each at least five times.',
  ]);
}

/** Returns problems during the measurement. */
function describeDoubts(result: RunResult): string[] {
  const { balances, run, generators } = result;
  const { seconds, causes } = findOverload(result);
  const why = causes.map(({ cause }) => OVERLOAD_WORDS[cause].what).join('; ');
  const shared = generators.filter(({ sharesMachineWithTarget }) => sharesMachineWithTarget).map(({ name }) => name);
  const lost = generators.filter((one) => one.lost !== null).map(({ name }) => name);
  return withoutAbsent([
    !balances && 'The figures do not add up to the requests sent. This is a fault of Holdfast. Do not trust them.',
    run.endedBecause !== null && 'The run ended early, so it can show a failure, but not a pass.',
    seconds !== 0 &&
      `The load generator was overloaded for ${formatSeconds(seconds)} (${why}). Latency in those seconds may be inflated; they are marked in the charts and do not count against the server.`,
    lost.length > 0 && `${lost.join(', ')} was lost during the run, so the load was lower than planned.`,
    shared.length > 0 &&
      `The server shared a processor with a load generator (${shared.join(', ')}). On its own machine it would perform better.`,
  ]);
}

/** Returns what was not tested, and from where the load came. */
function describeReach({ verdict, plan, generators, pages, outcomes }: RunResult): string[] {
  const names = generators.map(({ name }) => name);
  const { target, generator } = outcomes.journeys.notStarted;
  return withoutAbsent([
    ...verdict.notExercised.map((what) => `Not tested: ${what}.`),
    MODEL_LIMITS[plan.load.model],
    names.length > 0 &&
      `All load came from ${names.length === 1 ? 'one place' : `${formatCount(names.length)} places`}: ${names.join(', ')}. Delays of other networks are not included.`,
    ...(pages === null
      ? ['Requests were measured, not pages. A browser also fetches images, styles and scripts, runs scripts and renders.']
      : ['Page times end when all linked resources have arrived. They do not include running scripts and rendering.']),
    target > 0 &&
      `${formatCount(target)} planned arrivals were not started because too many requests were in flight. The planned load was not reached.`,
    generator > 0 &&
      `${formatCount(generator)} planned arrivals were not started because the load generator was overloaded. The planned load was not reached.`,
    hasSecureTarget(plan) && !plan.tls.verify && 'Certificates were not verified.',
  ]);
}

const MODEL_LIMITS: Readonly<Record<RunResult['plan']['load']['model'], string>> = {
  connections:
    'Each connection sent its next request after a response, so a slow server got fewer requests. This shows the capacity of the server, not the wait of users who arrive independently.',
  users:
    'Each user waited for a response before the next request, so a slow server got fewer requests than from users who arrive independently.',
  arrivals: 'Requests started at a fixed rate, whether or not earlier ones were complete, like users who arrive independently.',
};

/** Minimum number of responses for a p99. With fewer, it depends on only one or two of them. */
const MIN_RESPONSES_FOR_P99 = 300;
const MIN_RESPONSES_FOR_P99_9 = 3_000;

function describeSamples({ latency, criteria }: RunResult): string[] {
  const { count } = latency.response;
  const few = criteria.filter(({ unknownBecause }) => unknownBecause === 'tooFew' || unknownBecause === 'tooClose').length;
  return withoutAbsent([
    ...(count > 0 && count < MIN_RESPONSES_FOR_P99
      ? [`With ${formatCount(count)} responses, p99 and above depend on one or two of them.`]
      : count > 0 && count < MIN_RESPONSES_FOR_P99_9
        ? [`With ${formatCount(count)} responses, p99.9 depends on one or two of them.`]
        : []),
    few !== 0 &&
      `${few === 1 ? '1 pass criterion is' : `${formatCount(few)} pass criteria are`} inconclusive: too few requests, or too close to the measured value.`,
  ]);
}
