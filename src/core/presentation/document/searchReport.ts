import { capitalized } from '#core/base/text.ts';
import { characterTable, TIME_OF_AN_ANSWER } from '#core/search/characterize/table.ts';
import { placesWords } from '#core/plan/hosts/places.ts';
import { describePlan } from '#core/review/describe.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { frozenReadings } from '#core/search/table.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { type Bar, type Block, list, pairs, plainTable, type Report, section, text } from './model.ts';
import { planText } from './planText.ts';
import { searchFacts, searchTable, tellsFigures } from './searchTables.ts';
import { instantText } from './words.ts';
import { NOT_OVER, SECRETS_IN_NO_REPORT, TITLES } from './titles.ts';

/** The report of a search: the answer with its reasons, then the runs that it follows from. */
export function searchReport(result: SearchResult): Report {
  const { search, document, runs } = result;
  const url = document.plan.targets[0]?.url ?? '';
  return {
    title: search.name,
    facts: [
      instantText(search.startedAt),
      `${formatCount(runs.length)} runs`,
      url,
      ...(document.on === undefined ? [] : [`from ${placesWords(document.on)}`]),
    ],
    sections: [
      {
        id: 'answer',
        title: search.kind === 'breakingPoint' ? 'Breaking point' : 'Server profile',
        blocks: answerBlocks(result, url),
      },
      ...section('runs', 'Runs', runBlocks(result)),
      ...section('method', TITLES.method, methodBlocks(result)),
      ...section('repeat', TITLES.doAgain, repeatBlocks(result)),
    ],
    origin: `Holdfast · search ${search.id}`,
  };
}

function answerBlocks({ search, answer, document }: SearchResult, url: string): Block[] {
  const early = search.endedBecause === null ? '' : `It ended early: ${search.endedBecause}`;
  if (answer.kind === 'breakingPoint')
    return [
      ...text(answer.sentence),
      ...text(early),
      ...pairs('Figures', searchFacts(answer, document.plan)),
      ...list('Why', answer.reasons),
    ];
  const { columns, row } = characterTable(answer, url);
  return [
    ...text(answer.sentence),
    ...text(early),
    ...plainTable('Profile', columns, [row]),
    ...list(
      'Why',
      answer.reasoning.map((reason) => capitalized(`${reason.about}: ${reason.text}`)),
    ),
    ...list('Common mistake', answer.trap === null ? [] : [answer.trap]),
  ];
}

function runBlocks(result: SearchResult): Block[] {
  const frozen = frozenReadings(result.runs);
  const ordered = result.runs
    .filter(({ level, reading }) => level !== null && reading !== null)
    .toSorted((a, b) => (a.level ?? 0) - (b.level ?? 0));
  return [
    ...searchTable({ ...result, runs: result.runs.filter(tellsFigures) }),
    ...bars(
      'Successful responses a second',
      ordered.filter(({ reading }) => !frozen.has(reading)),
      rateOf,
      formatRate,
    ),
    ...bars(TIME_OF_AN_ANSWER, ordered, timeOf, formatMs),
  ];
}

function rateOf({ reading }: SearchRun): number | null {
  return reading?.kind === 'level' || reading?.kind === 'users' ? reading.okPerSecond : null;
}

function timeOf({ reading }: SearchRun): number | null {
  return reading?.kind === 'level' || reading?.kind === 'users' ? reading.meanMs : null;
}

/** One bar for each level, with the spread of its runs where there were several. */
function bars(
  title: string,
  runs: readonly SearchRun[],
  of: (run: SearchRun) => number | null,
  format: (value: number) => string,
): Block[] {
  const all = [...new Set(runs.map(({ name }) => name))].flatMap((name): Bar[] => {
    const values = runs.flatMap((run) => (run.name === name ? (of(run) ?? []) : [])).toSorted((a, b) => a - b);
    const [least, most] = [values[0], values.at(-1)];
    if (least === undefined || most === undefined) return [];
    const middle = medianOf(values);
    return [{ name, value: { middle, least, most }, text: format(middle) }];
  });
  return all.length < 2 ? [] : [{ kind: 'bars', title, bars: all }];
}

function methodBlocks({ document }: SearchResult): Block[] {
  const { settings } = document;
  const rest = `After each run there was no load until the connections to the target had closed, and for ${formatSeconds(settings.coolDownSeconds)} more.`;
  const how =
    document.kind === 'breakingPoint'
      ? [
          'The load grew until a level failed. Then the search halved the range between the highest sustained level and the lowest failed level.',
          `Each level was run ${document.settings.repeats === 1 ? 'once' : `at most ${formatCount(document.settings.repeats)} times, and the majority decides`}; inconclusive runs were repeated.`,
        ]
      : [
          'The number of users doubled from one. Each sent its next request shortly after a response. Counting began when all users were active.',
          'Intervals are 95 % confidence intervals.',
        ];
  return [
    ...list(TITLES.order, [...how, rest]),
    ...(document.kind === 'breakingPoint' ? list('Plan in words', describePlan(document.plan).sentences) : []),
  ];
}

function repeatBlocks({ search, document }: SearchResult): Block[] {
  const from = document.on === undefined ? '' : ` --on ${document.on.join(',')}`;
  const command =
    document.kind === 'breakingPoint'
      ? `holdfast breaking-point plan.yaml${from}`
      : `holdfast characterize ${document.plan.targets[0]?.url ?? 'URL'}${from}`;
  return [
    ...pairs('This search', [
      ['Id', search.id],
      ['Started', instantText(search.startedAt)],
      ['Ended', search.endedAt === null ? NOT_OVER : instantText(search.endedAt)],
    ]),
    ...list(TITLES.runAgain, [
      document.kind === 'breakingPoint' ? `Save the text below as plan.yaml and run: ${command}` : `Run: ${command}`,
      SECRETS_IN_NO_REPORT,
    ]),
    ...(document.kind === 'breakingPoint' ? [{ kind: 'code' as const, title: 'Plan', text: planText(document.plan) }] : []),
  ];
}
