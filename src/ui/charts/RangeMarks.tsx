import { useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { type Plot, xOf } from '#core/presentation/charts/geometry.ts';
import { labelLines } from '#core/presentation/charts/layOutLabels.ts';
import type { ShadedRange } from '#core/presentation/charts/types.ts';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { HaloText } from './ChartBackground.tsx';
import { type TimeFrame, useTimeFrame } from './ChartView.tsx';
import { walk } from './CrosshairLayer.tsx';
import styles from './RangeMarks.module.css';

const CHARACTER_WIDTH = 6.4;
/** Distance between rows of marks, in pixels. */
const LINE_HEIGHT = 18;
const HEIGHT = 16;
const MIN_WIDTH = 16;
const TICK_GAP = 3;

interface MarkPlace {
  /** Start of the range, in pixels. */
  readonly x: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** Places each mark right of the start of its range, left of it near the end of the plot, and in a lower row where marks would overlap. */
function placesOf(ranges: readonly ShadedRange[], plot: Plot, { from, to }: Pick<TimeFrame, 'from' | 'to'>): MarkPlace[] {
  const beside = ranges.map(({ from: begin, label }) => {
    const x = xOf(Math.max(begin, from), from, to, plot);
    const width = Math.max(MIN_WIDTH, label.length * CHARACTER_WIDTH + 8);
    const room = width + 2 * TICK_GAP;
    return { x, from: x + room > plot.right && x - room > plot.left ? x - room : x, width: room };
  });
  const lines = labelLines(beside);
  return beside.map(({ x, from: left, width }, index) => ({
    x,
    left: left + TICK_GAP,
    top: plot.top + 1 + (lines[index] ?? 0) * LINE_HEIGHT,
    width: width - 2 * TICK_GAP,
  }));
}

/** Labels of findings are numbers and drawn in a disc; other labels are plain text. */
const isNumber = (label: string): boolean => label.length <= 2;

/** Draws the label of each range at its start, in front of the data. */
export function RangeLabels({ plot, frame }: { readonly plot: Plot; readonly frame: TimeFrame }) {
  const places = placesOf(frame.ranges, plot, frame);
  return (
    <g>
      {frame.ranges.map(({ label, from, tone }, index) => {
        const place = places[index];
        if (place === undefined) return null;
        const color = `var(--text-${tone})`;
        return (
          <g key={`${label} ${from}`}>
            {/* A tick beside it; a line through the whole chart would be read as an event. */}
            <path d={`M${place.x} ${place.top - 1}v${HEIGHT + 1}`} stroke={color} fill="none" />
            {isNumber(label) ? (
              <>
                <rect x={place.left} y={place.top} width={place.width} height={HEIGHT} rx={HEIGHT / 2} fill={color} />
                <text
                  x={place.left + place.width / 2}
                  y={place.top + 12}
                  fontSize={12}
                  fontWeight={600}
                  textAnchor="middle"
                  fill="var(--surface-card)"
                >
                  {label}
                </text>
              </>
            ) : (
              <HaloText x={place.left + 1} y={place.top + 12} color={color} isStrong>
                {label}
              </HaloText>
            )}
          </g>
        );
      })}
    </g>
  );
}

/**
 * The marks as buttons: hovering over or focusing one shows its sentence, and its seconds in every chart of the view. All marks share one
 * tab stop; the arrow keys move between them.
 */
export function RangeMarks({ title, plot }: { readonly title: string; readonly plot: Plot }) {
  const frame = useTimeFrame();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [stated, setStated] = useState<number | null>(null);
  if (frame.ranges.length === 0) return null;
  const places = placesOf(frame.ranges, plot, frame);
  const stop = Math.min(current, frame.ranges.length - 1);
  const say = (index: number | null): void => {
    setStated(index);
    frame.point(index === null ? null : (frame.ranges[index]?.label ?? null));
  };
  const walkFrom = (key: string): boolean => {
    if (key === 'Escape') say(null);
    const next = walk(key, stop, frame.ranges.length);
    if (next !== null) list.current?.querySelectorAll('button')[next]?.focus();
    return next !== null;
  };
  return (
    <ul ref={list} aria-label={words.charts.marks(title)} className={styles.marks}>
      {frame.ranges.map(({ label, sentence, from }, index) => {
        const place = places[index];
        if (place === undefined) return null;
        const isAtEnd = place.left > (plot.left + plot.right) / 2;
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- [nothing is pressed: the button in it says the same, and its words stay while the pointer is on them]
          <li
            key={`${label} ${from}`}
            className={classes(stated === index && styles.open)}
            style={{ left: place.left, top: place.top, width: place.width, height: HEIGHT }}
            onPointerEnter={() => say(index)}
            onPointerLeave={() => say(null)}
          >
            <Button
              className={classes(styles.mark)}
              aria-label={isNumber(label) ? words.charts.finding(label, sentence) : `${label}: ${sentence}`}
              excludeFromTabOrder={index !== stop}
              onFocus={() => {
                setCurrent(index);
                say(index);
              }}
              onBlur={() => say(null)}
              onKeyDown={(event) => {
                if (walkFrom(event.key)) event.preventDefault();
                else event.continuePropagation();
              }}
              onPress={() => say(index)}
            />
            {stated === index ? (
              <p role="tooltip" className={classes(styles.stated, isAtEnd && styles.atEnd)}>
                {sentence}
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
