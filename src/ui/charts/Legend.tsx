import { createContext, type ReactNode, useContext, useId, useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import type { ChartSeries } from '#core/presentation/charts/types.ts';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import styles from './Legend.module.css';

interface Switches {
  /** Keys of the lines that are switched off. */
  readonly off: ReadonlySet<string>;
  toggle(key: string): void;
}

const SwitchesContext = createContext<Switches | null>(null);

/** Provides the charts and legends inside with the lines that are switched off. */
export function LegendScope({ children }: { readonly children: ReactNode }) {
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const switches = useMemo(
    () => ({
      off,
      toggle: (key: string) =>
        setOff((before) => (before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]))),
    }),
    [off],
  );
  return <SwitchesContext value={switches}>{children}</SwitchesContext>;
}

export function useSwitches(): Switches {
  const switches = useContext(SwitchesContext);
  if (switches === null) throw new Error('LegendScope is missing above this chart');
  return switches;
}

/** A line in a legend. It is solid by default. */
export interface LegendLine {
  /** Key of the line, unique among the charts that share the legend. */
  readonly key: string;
  readonly name: string;
  readonly look: SeriesLook;
  readonly shape?: ChartSeries['shape'];
}

interface LegendProps {
  readonly lines: readonly LegendLine[];
  /** Additional entries that explain marks. They have no switch. */
  readonly children?: ReactNode;
}

/** Names of lines. Each name is a button that switches its line on and off in the charts of the same scope. */
export function Legend({ lines, children }: LegendProps) {
  const { off, toggle } = useSwitches();
  const id = useId().replaceAll(/\W/g, '_');
  return (
    <ul className={styles.legend} aria-label={words.charts.legend}>
      {lines.map(({ key, name, look, shape = 'line' }, place) => (
        <li key={key}>
          <ToggleButton className={classes(styles.entry)} isSelected={!off.has(key)} onChange={() => toggle(key)}>
            <svg width={18} height={12} aria-hidden="true">
              <Swatch look={look} shape={shape} id={`${id}-${place}`} />
            </svg>
            <span className={styles.name}>{name}</span>
          </ToggleButton>
        </li>
      ))}
      {children}
    </ul>
  );
}

const HATCH_ANGLES = [45, 135, 0, 90, 20, 160];

/** Pattern of a hatched area. The angle depends on the position, so that areas differ even without colour. */
export function HatchPattern({ id, color, place }: { readonly id: string; readonly color: string; readonly place: number }) {
  const turn = `rotate(${HATCH_ANGLES[place % HATCH_ANGLES.length]})`;
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform={turn}>
      <rect width={6} height={6} fill={color} fillOpacity={0.35} />
      <path d="M0 3H6" stroke={color} strokeWidth={2.5} />
    </pattern>
  );
}

interface SwatchProps {
  readonly look: SeriesLook;
  readonly shape: ChartSeries['shape'];
  /** Id that is unique on the page. */
  readonly id: string;
}

/** A short sample of a line, area or dots. */
export function Swatch({ look: { color, dash, hatched }, shape, id }: SwatchProps) {
  switch (shape) {
    case 'stacked':
      return (
        <>
          {hatched ? <HatchPattern id={id} color={color} place={0} /> : null}
          <rect x={1} y={1} width={16} height={10} fill={hatched ? `url(#${id})` : color} fillOpacity={hatched ? 1 : 0.75} stroke={color} />
        </>
      );
    case 'dots':
      return <path d="M3 6h0M9 6h0M15 6h0" stroke={color} strokeWidth={4} strokeLinecap="round" />;
    case 'line':
      return <path d="M0 6h18" stroke={color} strokeWidth={2} strokeDasharray={dash} />;
    default:
      return shape satisfies never;
  }
}
