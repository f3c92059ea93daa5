import { memo, useMemo } from 'react';
import { atStart } from '#core/plan/hosts/places.ts';
import type { LiveMonitor } from '#core/machines/monitors/live.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { Banner } from '../components/Banner.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import { inShort, monitorCharts } from '#core/presentation/charts/monitorSeries.ts';
import styles from './RunCharts.module.css';

const HEIGHT = 180;
const say = words.run.monitors;

/** How machines and services are while the load goes. Belongs into a ChartView, whose time axis its charts share. */
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

/** What makes the load is looked at when something is off; what was asked to be watched is shown. */
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
