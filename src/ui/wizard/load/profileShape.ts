import type { Description } from '#core/review/description.ts';

type Profile = Description['profile'];

/** A part of the profile on a time axis in seconds; `isOpen`: it ends by requests, so its width is arbitrary. */
export interface ProfilePart {
  readonly stage: string;
  readonly counted: boolean;
  readonly from: number;
  readonly to: number;
  /** Load at the start; `toLevel`: load at the end. */
  readonly level: number;
  readonly toLevel: number;
  readonly isOpen: boolean;
}

/** Time span of a stage with all its parts. */
export interface StagePlace {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface ProfileShape {
  readonly parts: readonly ProfilePart[];
  readonly stages: readonly StagePlace[];
  readonly unit: Profile[number]['unit'];
  readonly endSecond: number;
  readonly highest: number;
  /** Whether the end of every part is known from the plan. */
  readonly isTimed: boolean;
}

/**
 * Lays the profile out for drawing. A part that ends by requests has no known length: it is drawn as long as the timed ones
 * together (30 s when there are none) and marked open.
 */
export function shapeOf(profile: Profile): ProfileShape {
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

/** The same as {@link ticksTo}, with a further tick if the last one is below `highest`. */
export function axisTo(highest: number, most: number): number[] {
  const ticks = ticksTo(highest, most);
  const last = ticks.at(-1) ?? 0;
  const step = ticks[1] ?? highest;
  return last < highest ? [...ticks, Number((last + step).toPrecision(12))] : ticks;
}

/** Returns ticks with a round step from 0 to at most `highest`: no more than `most` besides 0. */
export function ticksTo(highest: number, most: number): number[] {
  if (highest <= 0) return [0];
  const rough = highest / most;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= rough) ?? rough;
  const whole = Number.isInteger(highest) ? Math.max(1, step) : step;
  return Array.from({ length: Math.floor(highest / whole + 1e-9) + 1 }, (_, index) => Number((index * whole).toPrecision(12)));
}
