import { failedRequests, wantedRequests } from '#core/measurement/ledger.ts';
import { formatCount, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import { toldReasons } from '#core/judgement/verdict/reasons.ts';
import type { RunResult } from '#core/result/schema.ts';
import { plansStarts } from '../text/textTimes.ts';
import { list, text } from './blocks.ts';
import type { Block, ReportChart, Section, Tile } from './model.ts';
import { loadText, percentileText } from './words.ts';

/** The page that is enough for whoever asked the question: the verdict, why, the four numbers, two charts, what to do next. */
export function answerSection(result: RunResult, charts: readonly ReportChart[]): Section {
  const { verdict, run, plan } = result;
  const blocks: Block[] = [
    { kind: 'verdict', outcome: verdict.outcome, sentence: verdict.sentence },
    ...text(plan.story),
    ...text(run.endedBecause === null ? '' : `It ended early: ${run.endedBecause.text} What was measured until then is here.`),
    { kind: 'tiles', tiles: tilesOf(result) },
    ...list(
      'Why',
      toldReasons(verdict.reasons).map((reason) => reason.text),
    ),
    ...charts.map((chart): Block => ({ kind: 'chart', size: 'large', chart })),
    ...text(sentenceOf('This was tested', verdict.exercised)),
    ...text(sentenceOf('This was not tested, and nothing here speaks of it', verdict.notExercised)),
    ...list(
      'What to do next',
      verdict.next.map(({ label, explanation }) => `${label}. ${explanation}`),
    ),
    ...list('What stays on the server', plan.leavesBehind),
    ...list('Note', run.note === '' ? [] : [run.note]),
  ];
  return { id: 'answer', title: 'The answer', blocks };
}

function sentenceOf(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}: ${items.join('; ')}.`;
}

function tilesOf(result: RunResult): Tile[] {
  const { model } = result.plan.load;
  const { ledger, rates, latency, durationSeconds } = result;
  const { requests } = ledger;
  const failed = failedRequests(requests);
  const kind = plansStarts(result) ? 'from when each was due' : 'from when each was sent';
  return [
    {
      name: 'Load',
      value: loadText(result),
      note: `${model === 'arrivals' ? 'begun' : 'at the same time'}, for ${formatSeconds(durationSeconds)} in all`,
    },
    { name: 'Answered', value: formatRate(rates.completedPerSecond), note: `${formatCount(requests.sent)} requests sent` },
    { name: '19 of 20 answers within', value: percentileText(latency.response.p95, 95), note: kind },
    {
      name: 'Failed',
      value: formatCount(failed),
      note:
        requests.sent === 0
          ? 'nothing was sent'
          : failed === 0
            ? 'none'
            : `${formatShare(failed / wantedRequests(requests))} of all requests`,
    },
  ];
}
