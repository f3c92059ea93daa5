import { useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Plot } from '#core/presentation/charts/geometry.ts';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { type TimeFrame, useChartView } from './ChartView.tsx';
import { isNumber, MARK_HEIGHT, markPlaces } from './plotMarks.tsx';
import { nextIndex } from './TimeWalk.tsx';
import styles from './RangeMarks.module.css';

/**
 * Marks as buttons. Hovering over a mark, or focusing it, shows its sentence, and shades its seconds in every chart of the view. All marks
 * share one tab stop; the arrow keys move between them.
 */
export function RangeMarks({ title, plot, frame }: { readonly title: string; readonly plot: Plot; readonly frame: TimeFrame }) {
  const view = useChartView();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [stated, setStated] = useState<number | null>(null);
  const places = markPlaces(frame, plot);
  if (places.length === 0) return null;
  const stop = Math.min(current, places.length - 1);
  const setMark = (index: number | null): void => {
    setStated(index);
    view.point(index === null ? null : (places[index]?.range.label ?? null));
  };
  const moveByKey = (key: string): boolean => {
    if (key === 'Escape') setMark(null);
    const next = nextIndex(key, stop, places.length);
    if (next !== null) list.current?.querySelectorAll('button')[next]?.focus();
    return next !== null;
  };
  return (
    <ul ref={list} aria-label={words.charts.marks(title)} className={styles.marks}>
      {places.map(({ range: { label, sentence, from }, ...place }, index) => {
        const isAtEnd = place.left > (plot.left + plot.right) / 2;
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- [nothing is pressed: the button in it says the same, and its words stay while the pointer is on them]
          <li
            key={`${label} ${from}`}
            className={classes(stated === index && styles.open)}
            style={{ left: place.left, top: place.top, width: place.width, height: MARK_HEIGHT }}
            onPointerEnter={() => setMark(index)}
            onPointerLeave={() => setMark(null)}
          >
            <Button
              className={classes(styles.mark)}
              aria-label={isNumber(label) ? words.charts.finding(label, sentence) : `${label}: ${sentence}`}
              excludeFromTabOrder={index !== stop}
              onFocus={() => {
                setCurrent(index);
                setMark(index);
              }}
              onBlur={() => setMark(null)}
              onKeyDown={(event) => {
                if (moveByKey(event.key)) event.preventDefault();
                else event.continuePropagation();
              }}
              onPress={() => setMark(index)}
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
