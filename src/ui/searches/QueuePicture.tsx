import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatCount, formatMs } from '#core/base/units.ts';
import { searchCharts } from '#core/presentation/document/searchReport.ts';
import type { SearchResult } from '#core/search/result.ts';
import { useWidth } from '../components/useWidth.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { NumberField } from '../components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import { LevelCharts } from '../charts/LevelChart.tsx';
import styles from './QueuePicture.module.css';

/** Time span during which a worker processes a request. */
interface QueueBox {
  /** Number of the request in the order of arrival, from 1. */
  readonly request: number;
  readonly worker: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Schedules simultaneous requests in order on W workers with service time S. Then k requests take ⌈k / W⌉ · S. */
export function queueBoxes(requests: number, workers: number, serviceMs: number): QueueBox[] {
  return Array.from({ length: requests }, (_unused, index) => {
    const round = Math.floor(index / workers);
    return { request: index + 1, worker: index % workers, fromMs: round * serviceMs, toMs: (round + 1) * serviceMs };
  });
}

/** Counts the requests that are waiting, in progress and done at a given time. */
export function countQueueAt(
  boxes: readonly QueueBox[],
  atMs: number,
): { readonly waiting: number; readonly working: number; readonly done: number } {
  const done = boxes.filter(({ toMs }) => toMs <= atMs).length;
  const working = boxes.filter(({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs).length;
  return { waiting: boxes.length - done - working, working, done };
}

const texts = words.searches.picture;
/** Maximum numbers of rows and boxes that can still be read. */
const MAX_ROWS = 16;
const MAX_REQUESTS = 400;
const ROW = 20;
const LEFT = 84;
/** Duration of the animation. It does not depend on the real duration. */
const PLAYED_MS = 4_000;

/** Animation of simultaneous requests on the estimated number of workers, with the server's measured service time. */
export function QueuePicture({ workers, serviceMs }: { readonly workers: number; readonly serviceMs: number }) {
  const [entry, setEntry] = useState<NumberEntry>(Math.ceil(2.5 * workers));
  const isNumber = typeof entry === 'number' && Number.isInteger(entry) && entry >= 1 && entry <= MAX_REQUESTS;
  const requests = isNumber ? entry : workers;
  const boxes = queueBoxes(requests, workers, serviceMs);
  const endMs = Math.ceil(requests / workers) * serviceMs;
  const { atMs, play } = useAnimation(endMs);
  const { waiting, done } = countQueueAt(boxes, atMs);
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <p className={styles.story}>{texts.story(formatCount(requests), formatCount(workers), formatMs(serviceMs))}</p>
        <div className={styles.controls}>
          <NumberField
            label={texts.requests}
            value={entry}
            onChange={setEntry}
            min={1}
            max={MAX_REQUESTS}
            error={isNumber ? null : texts.wrongNumber(formatCount(MAX_REQUESTS))}
          />
          <Button icon={<Play />} onPress={play}>
            {texts.play}
          </Button>
        </div>
        <Rows boxes={boxes} workers={workers} endMs={endMs} atMs={atMs} />
        <p className={styles.counts}>
          {[texts.at(formatMs(atMs)), texts.waiting(formatCount(waiting)), texts.done(formatCount(done))].join(' · ')}
        </p>
        <p>{texts.rounds(formatCount(Math.ceil(requests / workers)), formatMs(endMs))}</p>
      </Stack>
    </Card>
  );
}

interface RowsProps {
  readonly boxes: readonly QueueBox[];
  readonly workers: number;
  readonly endMs: number;
  readonly atMs: number;
}

function Rows({ boxes, workers, endMs, atMs }: RowsProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const rows = Math.min(workers, MAX_ROWS);
  const scale = Math.max(0, width - LEFT - 2) / endMs;
  return (
    <div ref={setBox}>
      {width > 0 ? (
        <svg width={width} height={rows * ROW + 4} aria-hidden="true" className={styles.picture}>
          {Array.from({ length: rows }, (_unused, row) => (
            <text key={row} x={LEFT - 8} y={row * ROW + 15} textAnchor="end">
              {texts.worker(formatCount(row + 1))}
            </text>
          ))}
          {boxes.map(({ request, worker, fromMs, toMs }) =>
            worker >= rows ? null : (
              <g key={request} className={toMs <= atMs ? styles.done : fromMs <= atMs ? styles.working : styles.waiting}>
                <rect
                  x={LEFT + fromMs * scale + 1}
                  y={worker * ROW + 2}
                  width={Math.max(1, (toMs - fromMs) * scale - 2)}
                  height={ROW - 4}
                  rx={3}
                />
                {(toMs - fromMs) * scale > 22 ? (
                  <text x={LEFT + ((fromMs + toMs) / 2) * scale} y={worker * ROW + 15} textAnchor="middle">
                    {formatCount(request)}
                  </text>
                ) : null}
              </g>
            ),
          )}
        </svg>
      ) : null}
      {rows < workers ? <p className={styles.counts}>{texts.firstRows(formatCount(rows), formatCount(workers))}</p> : null}
    </div>
  );
}

/** Returns the time that is shown: the end, except while the animation plays. With reduced motion, it is always the end. */
function useAnimation(endMs: number): { readonly atMs: number; readonly play: () => void } {
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [share, setShare] = useState(1);
  useEffect(() => {
    if (startedAt === null) return;
    let frame = 0;
    const nextFrame = (now: number): void => {
      const next = Math.min(1, (now - startedAt) / PLAYED_MS);
      setShare(next);
      if (next < 1) frame = requestAnimationFrame(nextFrame);
    };
    frame = requestAnimationFrame(nextFrame);
    return () => cancelAnimationFrame(frame);
  }, [startedAt]);
  const playAnimation = (): void => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    setShare(0);
    setStartedAt(performance.now());
  };
  return { atMs: share * endMs, play: playAnimation };
}

/** Charts of rates and times over the levels. Renders nothing if there is only one level. */
export function SearchCharts({ result }: { readonly result: SearchResult }) {
  const charts = searchCharts(result);
  if (charts.length === 0) return null;
  return (
    <Card title={words.searches.charts.title}>
      <Stack gap={12}>
        <LevelCharts charts={charts} />
      </Stack>
    </Card>
  );
}
