import { memo, useMemo } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listens } from '#core/judgement/verdict/streams.ts';
import type { GeneratorPoint, Point } from '#core/result/schema.ts';
import type { WatchedReading } from '#core/result/readings.ts';
import { inShort, monitorCharts, watchedCharts } from '#core/presentation/charts/monitorSeries.ts';
import { backlogData, cacheData, handshakeData, streamCharts } from '#core/presentation/charts/runSeries.ts';
import { atStart } from '#core/plan/hosts/generatorNames.ts';
import type { LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { ChartData } from '#core/presentation/charts/types.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { LineLegend } from '../charts/LineLegend.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { words } from '../words/words.ts';
import { Banner } from '../components/Banner.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { generatorData, type GeneratorLine } from './generatorLines.ts';
import styles from './RunCharts.module.css';

const HEIGHT = 180;

interface MoreChartsProps {
  readonly plan: Plan;
  readonly points: readonly Point[];
  /** Whether the run polled for results. */
  readonly hasWaits: boolean;
  readonly watched: readonly WatchedReading[];
}

/** Charts that only some runs have: event streams, cached responses, resumed TLS sessions, polled results and numbers read during the load. */
export function MoreCharts({ plan, points, hasWaits, watched }: MoreChartsProps) {
  const backlog = useMemo(() => (hasWaits ? backlogData(points) : null), [hasWaits, points]);
  const cache = useMemo(() => (points.some(({ cache }) => cache !== undefined) ? cacheData(points) : null), [points]);
  const handshakes = useMemo(() => handshakeData(points), [points]);
  const charts = useMemo(() => watchedCharts(plan, watched), [plan, watched]);
  // For plans whose users listen to streams, these charts are already the main ones.
  const streams = useMemo(() => (listens(plan) ? [] : streamCharts(points)), [plan, points]);
  return (
    <>
      {streams.map(({ title, unit, about, data }) => (
        <TimeChart key={title} title={title} unit={unit} about={about} data={data} height={HEIGHT} />
      ))}
      {cache === null ? null : <TimeChart title={words.charts.titles.cache} unit="share" data={cache} height={HEIGHT} />}
      {handshakes === null ? null : <TimeChart title={words.charts.titles.handshakes} unit="perSecond" data={handshakes} height={HEIGHT} />}
      {backlog === null ? null : <TimeChart title={words.charts.titles.backlog} unit="count" data={backlog} height={HEIGHT} />}
      {charts.map(({ name, limits, data }) => (
        <TimeChart key={name} title={name} unit="count" data={data} limits={limits} height={HEIGHT} />
      ))}
    </>
  );
}

const say = words.run.monitors;

/** Charts of monitored machines and services. Needs a ChartView above it, whose time axis they share. */
export function MonitorCharts({ monitors }: { readonly monitors: readonly LiveMonitor[] }) {
  if (monitors.length === 0) return null;
  return (
    <section className={styles.monitors} aria-label={say.title}>
      {monitors.map((monitor) => (
        <OneMonitor key={monitor.info.number} monitor={monitor} />
      ))}
    </section>
  );
}

/** Charts of one monitor. Those of load generators are folded; those that the plan requests are open. */
const OneMonitor = memo(function OneMonitor({ monitor }: { readonly monitor: LiveMonitor }) {
  const { info } = monitor;
  const trouble = info.problem !== null && (info.state === 'lost' || info.state === 'unavailable');
  const title = titleOf(info);
  return (
    <>
      {trouble && info.role !== 'generator' ? (
        <Banner tone="inconclusive" title={info.state === 'lost' ? say.lost(info.name) : say.unavailable(info.name)}>
          {info.problem}
        </Banner>
      ) : null}
      <Disclosure title={title} summary={inShort(monitor) || say.states[info.state]} level={3} isOpenAtFirst={info.role !== 'generator'}>
        <Charts monitor={monitor} />
      </Disclosure>
    </>
  );
});

function titleOf({ name, role }: LiveMonitor['info']): string {
  switch (role) {
    case 'generator':
      return atStart(say.makesLoad(name));
    case 'hop':
      return atStart(say.standsBetween(name));
    case 'target':
      return atStart(name);
    default:
      return role satisfies never;
  }
}

function Charts({ monitor }: { readonly monitor: LiveMonitor }) {
  const charts = useMemo(() => monitorCharts(monitor), [monitor]);
  if (charts.length === 0) return <p>{monitor.info.problem ?? say.states[monitor.info.state]}</p>;
  return (
    <div className={styles.pair}>
      {charts.map(({ title, unit, data, limits }) => (
        <TimeChart key={title} title={title} unit={unit} data={data} limits={limits} height={HEIGHT} />
      ))}
    </div>
  );
}

const texts = words.run.places.charts;

interface GeneratorChartsProps {
  /** Lines of the load generators; with fewer than two nothing is drawn. */
  readonly lines: readonly GeneratorLine[];
}

/** Charts with a line for each load generator. Needs a ChartView above it, whose time axis they share. */
export function GeneratorCharts({ lines }: GeneratorChartsProps) {
  const data = useMemo(() => {
    const chart = (valueOf: (point: GeneratorPoint) => number | null): ChartData => generatorData(lines, valueOf, variantLook);
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
    <>
      <LineLegend lines={data.rate.series} />
      <div className={styles.pair}>
        <TimeChart title={texts.rate} unit="perSecond" data={data.rate} height={HEIGHT} hasKeyAbove />
        <TimeChart title={texts.half} unit="ms" data={data.half} height={HEIGHT} hasKeyAbove />
        <TimeChart title={texts.bytes} unit="bytesPerSecond" data={data.bytes} height={HEIGHT} hasKeyAbove />
      </div>
    </>
  );
}
