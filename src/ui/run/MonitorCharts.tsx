import { memo, useMemo } from 'react';
import type { GeneratorPoint } from '#core/result/schema.ts';
import { summarizeMonitor, monitorCharts } from '#core/presentation/charts/monitorSeries.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import type { LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { RunChart, Unit } from '#core/presentation/charts/types.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { runChart } from '#core/presentation/charts/runSeries.ts';
import { Legend } from '../charts/Legend.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { laterWords } from '../words/laterWords.ts';
import { Banner } from '../components/Banner.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { generatorData, type GeneratorLine } from './generatorLines.ts';
import { SMALL_CHART_HEIGHT } from './RunCharts.tsx';
import styles from './RunCharts.module.css';

const monitorsWords = laterWords.run.monitors;

/** Charts of monitored machines and services. They must be inside a ChartView, whose time axis they use. */
export function MonitorCharts({ monitors }: { readonly monitors: readonly LiveMonitor[] }) {
  if (monitors.length === 0) return null;
  return (
    <section className={styles.monitors} aria-label={monitorsWords.title}>
      {monitors.map((monitor) => (
        <OneMonitor key={monitor.info.number} monitor={monitor} />
      ))}
    </section>
  );
}

/** Charts of one monitor. The charts of load generators are collapsed; those that the plan requests are open. */
const OneMonitor = memo(function OneMonitor({ monitor }: { readonly monitor: LiveMonitor }) {
  const { info } = monitor;
  const trouble = info.problem !== null && (info.state === 'lost' || info.state === 'unavailable');
  const title = titleOf(info);
  return (
    <>
      {trouble && info.role !== 'generator' ? (
        <Banner tone="inconclusive" title={info.state === 'lost' ? monitorsWords.lost(info.name) : monitorsWords.unavailable(info.name)}>
          {info.problem}
        </Banner>
      ) : null}
      <Disclosure
        title={title}
        summary={summarizeMonitor(monitor) || monitorsWords.states[info.state]}
        level={3}
        isOpenAtFirst={info.role !== 'generator'}
      >
        <Charts monitor={monitor} />
      </Disclosure>
    </>
  );
});

function titleOf({ name, role }: LiveMonitor['info']): string {
  switch (role) {
    case 'generator':
      return capitalizeStart(monitorsWords.makesLoad(name));
    case 'hop':
      return capitalizeStart(monitorsWords.standsBetween(name));
    case 'target':
      return capitalizeStart(name);
    default:
      return role satisfies never;
  }
}

function Charts({ monitor }: { readonly monitor: LiveMonitor }) {
  const charts = useMemo(() => monitorCharts(monitor), [monitor]);
  if (charts.length === 0) return <p>{monitor.info.problem ?? monitorsWords.states[monitor.info.state]}</p>;
  return (
    <div className={styles.pair}>
      {charts.map((chart) => (
        <TimeChart key={chart.title} {...chart} height={SMALL_CHART_HEIGHT} />
      ))}
    </div>
  );
}

const texts = laterWords.run.places.charts;

interface GeneratorChartsProps {
  /** Lines of the load generators. If there are fewer than two, they are not drawn. */
  readonly lines: readonly GeneratorLine[];
}

/** Charts with a line for each load generator. They must be inside a ChartView, whose time axis they use. */
export function GeneratorCharts({ lines }: GeneratorChartsProps) {
  const charts = useMemo(() => {
    const chart = (title: string, unit: Unit, valueOf: (point: GeneratorPoint) => number | null): RunChart =>
      runChart(title, unit, generatorData(lines, valueOf, variantLook));
    return [
      chart(texts.rate, 'perSecond', ({ completed, width }) => completed / width),
      chart(texts.half, 'ms', ({ p50 }) => p50),
      chart(texts.bytes, 'bytesPerSecond', ({ bytesReceived, width }) => bytesReceived / width),
    ];
  }, [lines]);
  if (lines.length < 2) return null;
  return (
    <>
      <Legend lines={lines.map(({ name }, index) => ({ key: name, name, look: variantLook(index) }))} />
      <div className={styles.pair}>
        {charts.map((chart) => (
          <TimeChart key={chart.title} {...chart} height={SMALL_CHART_HEIGHT} hasLegendAbove />
        ))}
      </div>
    </>
  );
}
