import { useMemo } from 'react';
import type { PlacePoint } from '#core/result/schema.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import type { ChartData } from '#core/presentation/charts/types.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { words } from '../words/words.ts';
import { placeData, type PlaceLine } from './placeData.ts';
import styles from './RunCharts.module.css';

const HEIGHT = 180;
const texts = words.run.places.charts;

interface PlaceChartsProps {
  /** Nothing is drawn for fewer than two. */
  readonly lines: readonly PlaceLine[];
}

/** A line for each of several places. Belongs into a ChartView, whose time axis its charts share. */
export function PlaceCharts({ lines }: PlaceChartsProps) {
  const data = useMemo(() => {
    const chart = (valueOf: (point: PlacePoint) => number | null): ChartData => placeData(lines, valueOf, variantLook);
    return lines.length < 2
      ? null
      : {
          rate: chart(({ completed, width }) => completed / width),
          half: chart(({ p50 }) => p50),
          bytes: chart(({ bytesReceived, width }) => bytesReceived / width),
        };
  }, [lines]);
  if (data === null) return null;
  return (
    <div className={styles.pair}>
      <TimeChart title={texts.rate} unit="perSecond" data={data.rate} height={HEIGHT} />
      <TimeChart title={texts.half} unit="ms" data={data.half} height={HEIGHT} />
      <TimeChart title={texts.bytes} unit="bytesPerSecond" data={data.bytes} height={HEIGHT} />
    </div>
  );
}
