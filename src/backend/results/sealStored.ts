import { reduceMonitor } from '#core/machines/monitors/foldPoints.ts';
import { foldWindows } from '#core/measurement/windowFold.ts';
import type { Window } from '#core/measurement/window.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { sealedResult, type SealedRun, statedVerdict } from '#core/presentation/document/sealed.ts';
import type { StatedVerdict } from '#core/presentation/document/sealCheck.ts';
import { reduceGeneratorPoints } from '#core/result/pointSeries.ts';
import type { RunResult } from '#core/result/schema.ts';
import { InFlightByGenerator, reduceReadings } from '../store/folding.ts';
import type { Store } from '../store/store.ts';
import type { SealKey } from './sealKey.ts';
import { sealRun } from './sealedFile.ts';

/** Maximum duration of a run whose windows are sealed as they are. The windows of longer runs are folded. */
const MAX_WHOLE_SECONDS = 600;
/** Widths of folded windows, tried in this order until the file is small enough. */
const WIDTHS = [10, 30, 60];
const MAX_FILE_BYTES = 2_000_000;
/** Maximum number of points, about as many as a chart of a report draws. */
const MAX_POINTS = 600;

interface Sealing {
  /** Version of this Holdfast. */
  readonly version: string;
  readonly key: SealKey;
  readonly at: Date;
}

/** Returns the sealed file of an ended run. Throws `NOT_ENDED`. `result`: the stored result. */
export function sealStored(store: Store, result: RunResult, { version, key, at }: Sealing): string {
  const { run: head } = result;
  if (head.endedAt === null)
    throw new HoldfastError({ code: 'NOT_ENDED', message: 'The run has not ended.', hint: 'Seal it when it has ended.' });
  const { key: run } = store.find(head.id);
  const { plan, engineEnd: end } = store.details(run);
  const whole = [...store.windows(run, { from: -Number.MAX_VALUE, before: Number.MAX_VALUE }, new InFlightByGenerator(), () => {})];
  const parts = {
    version,
    sealedAt: at.toISOString(),
    head,
    plan,
    end,
    generators: result.generators.map((generator) => ({
      ...generator,
      figures: generator.figures && { ...generator.figures, points: reduceGeneratorPoints(generator.figures.points, MAX_POINTS) },
      readings: reduceReadings(generator.readings, MAX_POINTS),
    })),
    monitors: result.monitors.map((monitor) => reduceMonitor(monitor, MAX_POINTS)),
    events: result.events,
    visits: store.visits(run),
  };
  const withWindows = (windows: readonly Window[], verdict: StatedVerdict): SealedRun => ({ ...parts, verdict, windows });
  const seconds = whole.reduce((sum, { width }) => sum + width, 0);
  const ofWhole = sealedResult(withWindows(whole, statedVerdict(result)));
  const verdict = statedVerdict(ofWhole);
  let file = seconds > MAX_WHOLE_SECONDS ? null : sealRun(withWindows(whole, verdict), ofWhole, key);
  for (const width of WIDTHS) {
    if (file !== null && Buffer.byteLength(file) <= MAX_FILE_BYTES) return file;
    const folded = withWindows(foldWindows(whole, width), verdict);
    const ofFolded = sealedResult(folded);
    // Folding must not change what the file states.
    if (isSameVerdict(statedVerdict(ofFolded), verdict)) file = sealRun(folded, ofFolded, key);
  }
  return file ?? sealRun(withWindows(whole, verdict), ofWhole, key);
}

function isSameVerdict(one: StatedVerdict, other: StatedVerdict): boolean {
  return one.outcome === other.outcome && one.sentence === other.sentence;
}
