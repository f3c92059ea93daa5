import { formatSeconds } from '#core/base/units.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import type { RunResult } from '#core/result/schema.ts';
import { answerSection } from './answer.ts';
import { section } from './blocks.ts';
import { runCapacityBlocks } from './capacityBlocks.ts';
import { findingBlocks, objectivesBlocks } from './evidence.ts';
import { behaviourBlocks, ledgerBlocks, specialBlocks, stageBlocks, timeBlocks } from './figures.ts';
import { generatorBlocks, monitorBlocks, tuningBlocks } from './machines.ts';
import { definitionBlocks, loadBlocks } from './method.ts';
import type { Block, Report, ReportChart } from './model.ts';
import { eventBlocks, repeatBlocks } from './repeat.ts';
import { spreadBlocks, type Spread } from './spread.ts';
import { chartsOfMonitors, mainCharts, moreCharts } from './timeCharts.ts';
import { validityBlocks } from './validity.ts';
import { instantText } from './words.ts';

/** Finer than a printed chart can show; a long run is joined so that no peak is lost. */
const MOST_POINTS = 600;

/** The report of a run: the answer on one page, then everything that it rests on. `spread`: how its times are spread, where somebody has read that; `tooLong`: there are so many that nobody waits for it. */
export function runReport(whole: RunResult, spread: Spread | null = null): Report {
  const result = { ...whole, windows: reducePoints(whole.windows, MOST_POINTS) };
  const { run, plan, durationSeconds } = result;
  const main = mainCharts(result);
  return {
    title: run.name,
    facts: [instantText(run.startedAt), `took ${formatSeconds(durationSeconds)}`, plan.targets.map(({ url }) => url).join(', ')],
    sections: [
      answerSection(result, main),
      ...section('limits', 'What counts as good enough', objectivesBlocks(result)),
      ...section('findings', 'What stands out', findingBlocks(result)),
      ...section('charts', 'Over time', charts(moreCharts(result), 'small')),
      ...section('spread', 'How times are spread', spread === null ? [] : spreadBlocks(spread)),
      ...section('figures', 'The figures', [
        ...ledgerBlocks(result),
        ...timeBlocks(result),
        ...stageBlocks(result),
        ...specialBlocks(result),
        ...behaviourBlocks(result),
        ...runCapacityBlocks(result),
      ]),
      ...section('method', 'How it was measured', [...loadBlocks(result), ...definitionBlocks(result)]),
      // A joined point is wider than the second in it that was not kept up with.
      ...section('validity', 'What this does not say', validityBlocks(whole)),
      ...section('machines', 'The machines', [
        ...generatorBlocks(result),
        ...tuningBlocks(result),
        ...monitorBlocks(result),
        ...chartsOfMonitors(result).flatMap(({ name, charts: own }): Block[] => [{ kind: 'heading', text: name }, ...charts(own, 'small')]),
      ]),
      ...section('repeat', 'To do it again', [...repeatBlocks(result), ...eventBlocks(result)]),
    ],
    origin: `Holdfast ${run.holdfastVersion} · run ${run.id}`,
  };
}

function charts(all: readonly ReportChart[], size: 'large' | 'small'): Block[] {
  return all.map((chart): Block => ({ kind: 'chart', size, chart }));
}
