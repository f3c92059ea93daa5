import { describeCheck } from '#core/work/bodyCheck/words.ts';
import { describePlan } from '#core/review/describe.ts';
import type { RunResult } from '#core/result/schema.ts';
import { timeKinds } from './figures.ts';
import { column, list, type Passage, table } from './model.ts';

/** Maximum number of steps in a readable sentence. */
const MAX_STEPS_IN_SENTENCE = 3;

/** Describes the load in the words of the plan’s summary before the run. Pass criteria are in a separate table. */
export function loadBlocks({ plan }: Pick<RunResult, 'plan'>): Passage[] {
  const { sentences, aboutSteps } = describePlan(plan);
  const asTable = plan.flow === undefined && plan.journey.length > MAX_STEPS_IN_SENTENCE;
  const checked = plan.journey.filter(({ checks }) => checks.length > 0).length;
  // The first sentence lists the steps and the last ones their criteria. The table contains both.
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
