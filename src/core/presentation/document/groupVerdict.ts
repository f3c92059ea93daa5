import { formatCount } from '#core/base/units.ts';
import type { SearchResult } from '#core/search/result.ts';
import { type CriteriaJudgement, judgeRow } from '#core/series/criteria.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatDuet, type DuetResult } from '#core/result/duet.ts';
import type { BlockOf } from './model.ts';
import type { Verdict } from '#core/result/verdict.ts';
import { OUTCOME_TITLES } from '#core/judgement/verdict/labels.ts';

type GroupVerdict = BlockOf<'verdict'>;

/** Maximum number of cells that a verdict names. If there are more, only their number is stated. */
const MAX_NAMED_CELLS = 3;

/** Returns the verdict of a series: how many cells passed, and which failed. */
export function seriesVerdict({ series, rows, best, done, planned }: SeriesResult): GroupVerdict {
  const judged = rows.flatMap((row) => {
    const judgement = judgeRow(row);
    return judgement === null ? [] : [{ cell: row.cell, judgement }];
  });
  const [duet] = rows.flatMap(({ runs }) => runs.flatMap(({ figures }) => figures?.duet ?? []));
  const early = done < planned && series.endedAt !== null ? [`Only ${formatCount(done)} of ${formatCount(planned)} runs were made.`] : [];
  if (judged.length === 0) {
    const cells = rows.filter(({ values }) => values > 0).length;
    const named = best === null ? '' : `: best is “${best.cell}”`;
    if (duet !== undefined && rows.length === 1) return makeVerdict(outcomeOfDuet(duet), `: ${formatDuet(duet).slice(0, -1)}`, early);
    return cells === 0
      ? makeVerdict('inconclusive', ': nothing was measured', early)
      : makeVerdict('measured', ` ${formatCellCount(cells)}${named}`, early);
  }
  const of = (...kinds: CriteriaJudgement[]): string[] =>
    judged.flatMap(({ cell, judgement }) => (kinds.includes(judgement) ? [cell] : []));
  const [passed, failed, open] = [of('passed'), of('failed'), of('withinNoise', 'inconclusive')];
  const unjudged = rows.length - judged.length;
  const more = [
    ...(failed.length > 0 ? [`Failed: ${quoteCells(failed)}.`] : []),
    ...(open.length > 0 ? [`Inconclusive: ${quoteCells(open)}.`] : []),
    ...(unjudged > 0 ? [`Not judged: ${formatCellCount(unjudged)}.`] : []),
    ...early,
  ];
  const whole = formatCount(rows.length);
  if (failed.length > 0)
    return makeVerdict('failed', ` in ${formatCount(failed.length)} of ${whole} cells; passed in ${formatCount(passed.length)}`, more);
  if (open.length > 0 || unjudged > 0) return makeVerdict('inconclusive', `: ${formatCount(passed.length)} of ${whole} cells passed`, more);
  return makeVerdict('passed', rows.length === 1 ? '' : ` in all ${whole} cells`, more);
}

/** A comparison without pass criteria neither passes nor fails. */
function outcomeOfDuet({ conclusion }: DuetResult): Verdict['outcome'] {
  return conclusion === 'inconclusive' ? 'inconclusive' : 'measured';
}

function formatCellCount(count: number): string {
  return count === 1 ? '1 cell' : `${formatCount(count)} cells`;
}

function quoteCells(cells: readonly string[]): string {
  const named = cells.slice(0, MAX_NAMED_CELLS).map((cell) => `“${cell}”`);
  const more = cells.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/**
 * Returns the verdict of a search. The first word of the conclusion is its title, the rest of the first sentence is its load, and the other
 * sentences follow.
 */
export function searchVerdict({ conclusion }: Pick<SearchResult, 'conclusion'>): GroupVerdict {
  const [, title = '', load = '', more = ''] = /^([^\s:.]+)(.*?)\.(?: (.*))?$/s.exec(conclusion.sentence) ?? [];
  return { kind: 'verdict', outcome: decideOutcome(conclusion), title, load, cause: '', more };
}

/**
 * Returns the outcome of a search. A breaking point is a measurement, neither passed nor failed, because only the reader knows whether it
 * is high enough.
 */
function decideOutcome(conclusion: SearchResult['conclusion']): Verdict['outcome'] {
  if (conclusion.kind === 'characterize') return conclusion.server === 'unknown' ? 'inconclusive' : 'measured';
  if (conclusion.sustained === null) return conclusion.breakingPoint === null ? 'inconclusive' : 'failed';
  if (!conclusion.isKnown) return 'inconclusive';
  return conclusion.breakingPoint === null ? 'passed' : 'measured';
}

function makeVerdict(outcome: Verdict['outcome'], load: string, more: readonly string[]): GroupVerdict {
  return { kind: 'verdict', outcome, title: OUTCOME_TITLES[outcome], load, cause: '', more: more.join(' ') };
}
