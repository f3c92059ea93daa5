import { changeWords, formatInterval, formatJudgement, measureTitle, spreadWords } from '#core/comparison/figureTexts.ts';
import { judgeGate } from '#core/comparison/baseline.ts';
import type { Comparison, Pair } from '#core/comparison/schema.ts';
import { countOf } from '#core/base/units.ts';
import { formatNotJudged } from '#core/judgement/verdict/notJudged.ts';
import { listTargets } from '#core/plan/url.ts';
import { DUET_TITLES, duetFigures, type DuetResult, formatDuet, isDuetWorse } from '#core/result/duet.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Verdict } from '#core/result/verdict.ts';
import { headFigures } from '../document/headFigures.ts';
import { formatEndedEarly } from '../document/runReport.ts';
import { FINDING_WORDS } from '../document/words.ts';
import { escapeInline, formatTable } from './markdown.ts';

export const MAX_COMMENT_LINES = 40;
const MAX_CRITERIA = 6;
const MAX_FINDINGS = 3;
const MAX_FIGURES = 6;
/** Maximum length of a text in a comment. A server's name or an error message may be longer. */
const MAX_TEXT_LENGTH = 300;

const MARKS: Readonly<Record<Verdict['outcome'], string>> = { passed: '✅', failed: '❌', inconclusive: '⚠️', measured: 'ℹ️' };

export interface CommentParts {
  readonly result: RunResult;
  /** Number of runs of the change. `result` is the result of the run with the worst outcome. */
  readonly runCount: number;
  /** Comparison with the runs of the base branch; null if there is no baseline. */
  readonly comparison: Comparison | null;
  /** Share by which a figure may be worse than its baseline, or the second variant of a duet worse than the first. */
  readonly tolerance: number;
  /** Address of the full report; omitted if there is none. */
  readonly reportUrl?: string | undefined;
}

/**
 * Formats a result as a comment on a pull request: GitHub or GitLab Markdown of at most {@link MAX_COMMENT_LINES} lines. Texts from servers
 * and plans cannot become markup, links or mentions.
 */
export function formatComment({ result, runCount, comparison, tolerance, reportUrl }: CommentParts): string {
  const { run, verdict, plan, duet } = result;
  const [pair] = comparison?.pairs ?? [];
  const isSlower = duet !== undefined && isDuetWorse(duet, tolerance);
  const isWorse = isSlower || (comparison !== null && judgeGate(comparison, tolerance) === 'worse');
  const duetText = duet === undefined ? '' : escapeForeign(formatDuet(duet));
  const pairText = pair === undefined ? '' : escapeForeign(pair.sentence);
  const paragraphs = [
    `### ${isWorse ? MARKS.failed : MARKS[verdict.outcome]} Load test: ${escapeForeign(plan.name)}`,
    // The reason why the build fails comes first.
    isWorse ? duetText || pairText : '',
    `${escapeForeign(verdict.sentence)}${runCount > 1 ? ` (the worst of ${runCount} runs)` : ''}`,
    escapeForeign([formatNotJudged(verdict), formatEndedEarly(run)].filter((text) => text !== '').join(' ')),
    isWorse ? '' : duetText,
    ...tables(result, pair, comparison),
    isWorse && duetText === '' ? '' : pairText,
    criteriaList(result),
    findingList(result),
    closingParagraph(result, reportUrl),
  ];
  return `${paragraphs.filter((text) => text !== '').join('\n\n')}\n`;
}

function tables(result: RunResult, pair: Pair | undefined, comparison: Comparison | null): string[] {
  if (pair !== undefined && comparison !== null) return [comparisonTable(pair, comparison)];
  return [result.duet === undefined ? figureTable(result) : duetMarkdown(result.duet)];
}

function duetMarkdown(duet: DuetResult): string {
  const rows = duetFigures(duet).map(({ name, typical, ok, failed }) => [name, typical, ok, failed]);
  return formatTable(['Variant', ...DUET_TITLES], rows, { escape: escapeForeign });
}

function figureTable(result: RunResult): string {
  return formatTable(
    ['Figure', 'Value', ''],
    headFigures(result).map(({ name, value, note }) => [name, value, note]),
    { escape: escapeForeign },
  );
}

/** Returns the figures of the whole run on both sides, with the change and its 99 % interval. */
function comparisonTable(pair: Pair, { sides }: Comparison): string {
  const rows = pair.differences
    .filter(({ scope, from, to }) => scope.kind === 'run' && from !== null && to !== null)
    .slice(0, MAX_FIGURES)
    .map((one) => [
      measureTitle(one.measure),
      spreadWords(one, 'from'),
      spreadWords(one, 'to'),
      one.change === null ? '–' : changeWords(one.change, one),
      formatInterval(one) ?? '–',
      formatJudgement(one),
    ]);
  const sideTitle = (index: number): string => {
    const side = sides[index];
    return side === undefined ? '' : `${side.name} (${countOf(side.runs.length, 'run')})`;
  };
  const head = ['Figure', sideTitle(pair.reference), sideTitle(pair.side), 'Change', '99 % interval', 'Result'];
  return formatTable(head, rows, { escape: escapeForeign });
}

function criteriaList({ criteria }: RunResult): string {
  const open = criteria
    .filter(({ outcome }) => outcome !== 'passed')
    .toSorted((one, other) => rankOutcome(one.outcome) - rankOutcome(other.outcome));
  if (open.length === 0) return criteria.length === 0 ? '' : `All pass criteria passed (${criteria.length}).`;
  const lines = open
    .slice(0, MAX_CRITERIA)
    .map(
      ({ text, outcome, reason }) => `- ${outcome === 'failed' ? 'Failed' : 'Undecided'}: ${escapeForeign(text)}. ${escapeForeign(reason)}`,
    );
  const rest = open.length - MAX_CRITERIA;
  return [
    `**Pass criteria** (${open.length} of ${criteria.length} not passed)`,
    '',
    ...lines,
    ...(rest > 0 ? [`- ${rest} more`] : []),
  ].join('\n');
}

function rankOutcome(outcome: string): number {
  return outcome === 'failed' ? 0 : 1;
}

function findingList({ findings }: RunResult): string {
  const important = findings.filter(({ level }) => level !== 'info').slice(0, MAX_FINDINGS);
  if (important.length === 0) return '';
  return [
    '**Findings**',
    '',
    ...important.map(({ level, sentence, remedy }) => `- ${FINDING_WORDS[level]}: ${escapeForeign(sentence)} ${escapeForeign(remedy)}`),
  ].join('\n');
}

function closingParagraph({ run, plan }: RunResult, reportUrl: string | undefined): string {
  const facts = [
    ...(reportUrl === undefined ? [] : [`[Full report](${new URL(reportUrl).href.replaceAll('(', '%28').replaceAll(')', '%29')})`]),
    `run ${escapeForeign(run.id)}`,
    escapeForeign([...new Set(listTargets(plan).map(({ url }) => url))].join(', ')),
    `Holdfast ${escapeForeign(run.holdfastVersion)}`,
  ];
  return `<sub>${facts.join(' · ')}</sub>`;
}

/**
 * Escapes a foreign text for a comment. Beyond markup, GitHub and GitLab interpret addresses, mentions (`@team`), references (`!12`,
 * `~label`, `$1`), and commands at the start of a line (`/close`). An empty HTML comment separates each such sign from the text after it.
 */
export function escapeForeign(text: string): string {
  return escapeInline(clip(text))
    .replaceAll(/[~|$&]/g, String.raw`\$&`)
    .replaceAll(/(?:[@!](?=\S)|%(?=[\w"])|^\/|www(?=\.)|https?(?=:))/gi, '$&<!-- -->');
}

function clip(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
