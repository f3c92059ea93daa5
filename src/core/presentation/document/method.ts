import { describeCheck } from '#core/work/bodyCheck/words.ts';
import { describePlan } from '#core/review/describe.ts';
import type { RunResult } from '#core/result/schema.ts';
import { timeKinds } from './figures.ts';
import { column, list, type Passage, table } from './model.ts';

/** More steps than this in a sentence are read by nobody. */
const MOST_IN_A_SENTENCE = 3;

/** What was done, in the words in which it was agreed to before it ran. */
export function loadBlocks({ plan }: Pick<RunResult, 'plan'>): Passage[] {
  const { sentences, aboutSteps, objectives } = describePlan(plan);
  const asTable = plan.flow === undefined && plan.journey.length > MOST_IN_A_SENTENCE;
  const checked = plan.journey.filter(({ checks }) => checks.length > 0).length;
  // The first says which steps there are, the last ones what each has to hold: both stand in the table.
  const inTable = new Set(asTable ? [...aboutSteps.slice(0, 1), ...aboutSteps.slice(aboutSteps.length - checked)] : []);
  return [
    ...list(
      'What was done',
      sentences.filter((sentence) => !inTable.has(sentence)),
    ),
    ...(asTable
      ? table('The steps of a journey, one after the other', plan.journey, [
          column('Step', ({ name }) => name),
          column('Request', ({ method, path }) => `${method} ${path}`.trim()),
          column('Good only if its body', ({ checks }) => checks.map(describeCheck).join(', and ')),
        ])
      : []),
    ...list('What counted as good enough', objectives),
  ];
}

/** What the words of this report mean; those of which it does not speak are left out. */
export function definitionBlocks(result: RunResult): Passage[] {
  const { plan, pages, objectives, servers, stages } = result;
  const judgesShares = objectives.some(({ shareHigh }) => shareHigh !== null);
  const speaksOfApdex = pages !== null || plan.objectives.some(({ kind }) => kind === 'apdex');
  const rows: (readonly [string, string] | null)[] = [
    [
      'Good answer',
      'A complete answer with an expected status (200 to 299 where the plan names none) that passed every check of its content. A redirect to a login page is none.',
    ],
    [
      'Failed',
      'Everything else that was sent and ended: another status, wrong content, no answer in time, no connection, a connection that broke.',
    ],
    [
      '19 of 20 within (p95)',
      '95 of 100 requests took no longer than this. 9 of 10 is p90, 99 of 100 is p99, half is p50. Percentiles are the nearest rank and are never averaged.',
    ],
    ...timeKinds(result),
    ['Answers/s', 'Complete answers, good or not, over the time that a stage was loaded. What came after its end is in no rate.'],
    stages.some(({ counted }) => !counted)
      ? ['Not counted', 'A stage for warming up or recovering: it is shown and accounted for, and nothing is judged by it.']
      : null,
    result.waits.length > 0 ? ['Waited for', 'Asked for again and again until the result was there.'] : null,
    speaksOfApdex
      ? [
          'Apdex',
          '(Those within the limit + half of those within four times the limit) / all, failures counting as too slow. 1 is best; from 0.85 on it is called good.',
        ]
      : null,
    judgesShares
      ? [
          'Certainty',
          'A limit on a share holds when the one-sided 95 % bound of the true share (Clopper and Pearson) is within what is allowed, requests being deflated for coming in clumps. Seconds in which the generator was busy are judged both ways.',
        ]
      : null,
    servers.length > 0 ? ['Server', 'Which of several servers answered, as their answers told.'] : null,
    [
      'Keeping up',
      'Each second of each machine that made the load is judged: its threads, its clock, its ports and files. A second in which it could not keep up is never held against the server.',
    ],
  ];
  return table(
    'What the words mean',
    rows.filter((row) => row !== null),
    [column('Word', ([word]) => word), column('Meaning', ([, meaning]) => meaning)],
    'Times are kept in HDR histograms with 3 significant digits from 1 µs to 1 h, merged by addition over seconds, steps, threads and machines.',
  );
}
