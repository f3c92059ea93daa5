import { useState } from 'react';
import type { Description } from '#core/review/describe.ts';
import { formatNumber, formatSeconds } from '#core/base/units.ts';
import { useWidth } from '#ui/components/useWidth.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import styles from './LoadPreview.module.css';

/** A bell of the plan, with its time in seconds. */
interface PlannedBell {
  readonly name: string;
  readonly atSeconds: number;
}

interface LoadPreviewProps {
  readonly profile: Description['profile'];
  readonly bells?: readonly PlannedBell[];
  /** Description of the plan for screen readers. */
  readonly label: string;
}

const HEIGHT = 220;
const LEFT = 56;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 40;
const LABEL_MIN_WIDTH = 56;
const NO_BELLS: readonly PlannedBell[] = [];

/** Chart of the planned load over time. Parts that do not count are hatched. Parts whose end is unknown end with a dashed line. */
export function LoadPreview({ profile, bells = NO_BELLS, label }: LoadPreviewProps) {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const width = useWidth(frame);
  const shape = profileShape(profile);
  return (
    <div ref={setFrame} className={styles.frame}>
      {width > 0 && shape.parts.length > 0 ? <ProfilePicture shape={shape} bells={bells} width={width} label={label} /> : null}
    </div>
  );
}

interface ProfilePictureProps {
  readonly shape: ProfileShape;
  readonly bells: readonly PlannedBell[];
  readonly width: number;
  readonly label: string;
}

function ProfilePicture({ shape, bells, width, label }: ProfilePictureProps) {
  const loadWords = words.wizard.load;
  const xAt = (second: number): number => LEFT + (second / shape.endSecond) * (width - LEFT - RIGHT);
  const levels = axisTo(shape.highest, 4);
  const top = levels.at(-1) || 1;
  const yAt = (level: number): number => HEIGHT - BOTTOM - (level / top) * (HEIGHT - TOP - BOTTOM);
  const floor = HEIGHT - BOTTOM;
  const seconds = shape.isTimed ? ticksTo(shape.endSecond, Math.max(2, Math.floor((width - LEFT) / 90))) : [0];
  const outline = shape.parts.flatMap(({ from, to, level, toLevel }) => [`${xAt(from)},${yAt(level)}`, `${xAt(to)},${yAt(toLevel)}`]);
  return (
    <svg
      className={styles.chart}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- [an inline picture that follows the theme cannot be an img]
      role="img"
      aria-label={`${loadWords.chartAlt}. ${label}`}
    >
      <defs>
        <pattern id="load-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" className={styles.hatchGround} />
          <line x1="0" x2="0" y1="0" y2="6" className={styles.hatchLine} />
        </pattern>
      </defs>
      <text x={LEFT} y={14} className={styles.axis}>
        {words.load.axes[shape.unit]}
      </text>
      {levels.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width - RIGHT} y1={yAt(tick)} y2={yAt(tick)} className={styles.grid} />
          <text x={LEFT - 8} y={yAt(tick) + 4} textAnchor="end" className={styles.axis}>
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {shape.parts.map(({ counted, from, to, level, toLevel, isOpen }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- [parts have no other identity than their place]
        <g key={index}>
          <polygon
            points={`${xAt(from)},${floor} ${xAt(from)},${yAt(level)} ${xAt(to)},${yAt(toLevel)} ${xAt(to)},${floor}`}
            className={counted ? styles.area : undefined}
            fill={counted ? undefined : 'url(#load-hatch)'}
          />
          {isOpen ? <line x1={xAt(to)} x2={xAt(to)} y1={yAt(toLevel)} y2={floor} className={styles.open} /> : null}
        </g>
      ))}
      {shape.stages.map(({ name, from, to }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- [as above]
        <g key={index}>
          {index > 0 ? <line x1={xAt(from)} x2={xAt(from)} y1={TOP} y2={floor + 4} className={styles.border} /> : null}
          {xAt(to) - xAt(from) > LABEL_MIN_WIDTH ? (
            <text x={(xAt(from) + xAt(to)) / 2} y={HEIGHT - 6} textAnchor="middle" className={styles.axis}>
              {fitName(name, xAt(to) - xAt(from))}
            </text>
          ) : null}
        </g>
      ))}
      <polyline points={outline.join(' ')} className={styles.line} />
      <line x1={LEFT} x2={width - RIGHT} y1={floor} y2={floor} className={styles.floor} />
      {shape.isTimed
        ? bells.map(({ name, atSeconds }) => (
            <BellMark key={name} name={name} x={xAt(atSeconds)} floor={floor} isLate={xAt(atSeconds) > width / 2} />
          ))
        : null}
      {seconds.map((tick) => (
        <text key={tick} x={xAt(tick)} y={floor + 16} textAnchor={tick === 0 ? 'start' : 'middle'} className={styles.axis}>
          {formatSeconds(tick)}
        </text>
      ))}
    </svg>
  );
}

interface BellMarkProps {
  readonly name: string;
  readonly x: number;
  readonly floor: number;
  /** Whether the bell is in the right half, where its name is on the left of its line. */
  readonly isLate: boolean;
}

/** Line at the instant at which all waiting users continue. */
function BellMark({ name, x, floor, isLate }: BellMarkProps) {
  return (
    <g>
      <line x1={x} x2={x} y1={TOP} y2={floor} className={styles.bell} />
      <text x={isLate ? x - 5 : x + 5} y={TOP + 14} textAnchor={isLate ? 'end' : 'start'} className={styles.bellName}>
        {laterWords.run.bells.title(name)}
      </text>
    </g>
  );
}

/** Shortens a stage's name to fit the width, at 7 px per character. */
function fitName(name: string, width: number): string {
  const letters = Math.floor(width / 7);
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;
}

type Profile = Description['profile'];

/**
 * A part of the profile on a time axis in seconds. If `isOpen` is true, the part ends after a number of requests, so its width is
 * arbitrary.
 */
interface ProfilePart {
  readonly stage: string;
  readonly counted: boolean;
  readonly from: number;
  readonly to: number;
  /** Load at the start. `toLevel` is the load at the end. */
  readonly level: number;
  readonly toLevel: number;
  readonly isOpen: boolean;
}

/** Time span of a stage, including all its parts. */
interface StagePlace {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface ProfileShape {
  readonly parts: readonly ProfilePart[];
  readonly stages: readonly StagePlace[];
  readonly unit: Profile[number]['unit'];
  readonly endSecond: number;
  readonly highest: number;
  /** Whether the plan determines when every part ends. */
  readonly isTimed: boolean;
}

/**
 * Computes the layout of the profile. A part that ends after a number of requests has no known length. It is drawn as long as all timed
 * parts together (or 30 s if there are none), and marked as open.
 */
export function profileShape(profile: Profile): ProfileShape {
  const timed = profile.reduce((sum, { fromSecond, toSecond }) => sum + (toSecond === null ? 0 : toSecond - fromSecond), 0);
  const openWidth = timed > 0 ? timed : 30;
  const parts: ProfilePart[] = [];
  let at = 0;
  for (const { stage, counted, fromSecond, toSecond, level, toLevel } of profile) {
    const width = toSecond === null ? openWidth : Math.max(0, toSecond - fromSecond);
    parts.push({ stage, counted, level, toLevel, from: at, to: at + width, isOpen: toSecond === null });
    at += width;
  }
  return {
    parts: parts,
    stages: stagesOf(parts),
    unit: profile[0]?.unit ?? 'connections',
    endSecond: at,
    highest: Math.max(0, ...profile.map(({ level, toLevel }) => Math.max(level, toLevel))),
    isTimed: profile.every(({ toSecond }) => toSecond !== null),
  };
}

function stagesOf(parts: readonly ProfilePart[]): StagePlace[] {
  const places: StagePlace[] = [];
  for (const { stage: name, from, to } of parts) {
    const last = places.at(-1);
    if (last?.name === name) places[places.length - 1] = { ...last, to };
    else places.push({ name, from, to });
  }
  return places;
}

/** Returns ticks like {@link ticksTo}, with an additional tick if the last one is below `highest`. */
export function axisTo(highest: number, maxTicks: number): number[] {
  const ticks = ticksTo(highest, maxTicks);
  const last = ticks.at(-1) ?? 0;
  const step = ticks[1] ?? highest;
  return last < highest ? [...ticks, Number((last + step).toPrecision(12))] : ticks;
}

/** Returns ticks from 0 to at most `highest` at a round step, with at most `maxTicks` ticks besides 0. */
export function ticksTo(highest: number, maxTicks: number): number[] {
  if (highest <= 0) return [0];
  const rough = highest / maxTicks;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= rough) ?? rough;
  const whole = Number.isInteger(highest) ? Math.max(1, step) : step;
  return Array.from({ length: Math.floor(highest / whole + 1e-9) + 1 }, (_, index) => Number((index * whole).toPrecision(12)));
}
