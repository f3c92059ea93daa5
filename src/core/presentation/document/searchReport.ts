import { capitalized } from '#core/base/text.ts';
import { characterTable } from '#core/search/characterize/table.ts';
import { placesWords } from '#core/plan/hosts/places.ts';
import { describePlan } from '#core/review/describe.ts';
import type { SearchResult } from '#core/search/result.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { searchVerdict } from './groupVerdict.ts';
import { searchCharts } from './searchCharts.ts';
import { type Block, list, pairs, plainTable, type Report, section, text } from './model.ts';
import { planText } from './planText.ts';
import { searchFacts, searchTable, tellsFigures } from './searchTables.ts';
import { instantText } from './words.ts';
import { NOT_OVER, SECRETS_IN_NO_REPORT, TITLES } from './titles.ts';

/** Returns the report of a search: the verdict with its reasons, then the runs. */
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
      searchVerdict({ answer }),
      ...text(early),
      ...pairs('Figures', searchFacts(answer, document.plan)),
      ...list('Why', answer.reasons),
    ];
  const { columns, row } = characterTable(answer, url);
  return [
    searchVerdict({ answer }),
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
  return [
    ...searchTable({ ...result, runs: result.runs.filter(tellsFigures) }),
    ...searchCharts(result).map((chart): Block => ({ kind: 'levels', chart })),
  ];
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
