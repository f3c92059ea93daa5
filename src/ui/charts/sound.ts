import type { ChartData } from '#core/presentation/charts/types.ts';

/** A tone for a part of a chart. `frequencyHz` is null for a pause, where values are unknown. */
export interface Tone {
  readonly frequencyHz: number | null;
  readonly seconds: number;
}

const TOTAL_SECONDS = 4;
/** Maximum number of tones that can be distinguished. */
const MAX_TONES = 64;
/** Range of tones: two octaves that every loudspeaker can play. */
const MIN_HZ = 220;
const OCTAVES = 2;
const LOUDNESS = 0.15;
/** Duration of the fade-in and fade-out of each tone, which prevent clicks. */
const EDGE_SECONDS = 0.01;

/** Returns the series to play: the first line, which is the most important one, or else the sum of all stacked layers. */
export function playedLine({ series, spans }: ChartData): { readonly name: string; readonly values: readonly (number | null)[] } {
  const line = series.find(({ shape }) => shape === 'line');
  if (line !== undefined) return line;
  const sums = spans.map((_, index) => series.reduce<number>((sum, { values }) => sum + (values[index] ?? 0), 0));
  return { name: series.map(({ name }) => name).join(', '), values: sums };
}

/**
 * Converts values to tones, in the order of time. A higher value has a higher frequency. Values that share a tone are represented by their
 * maximum.
 */
export function listTones(values: readonly (number | null)[]): Tone[] {
  const count = Math.min(MAX_TONES, values.length);
  const parts = Array.from({ length: count }, (_, index) => {
    const knownValues = values
      .slice(Math.floor((index * values.length) / count), Math.floor(((index + 1) * values.length) / count))
      .filter((value) => value !== null);
    return knownValues.length === 0 ? null : Math.max(...knownValues);
  });
  const most = parts.reduce<number>((high, value) => Math.max(high, value ?? 0), 0);
  const relativeHeight = (value: number): number => (most === 0 ? 0 : value / most);
  return parts.map((value) => ({
    frequencyHz: value === null ? null : MIN_HZ * 2 ** (OCTAVES * relativeHeight(value)),
    seconds: TOTAL_SECONDS / Math.max(count, 16),
  }));
}

let playing: AudioContext | null = null;

/** Plays tones one after the other, after stopping any that are still playing. */
export async function play(tones: readonly Tone[]): Promise<void> {
  await playing?.close();
  const context = new AudioContext();
  playing = context;
  const oscillator = new OscillatorNode(context, { type: 'triangle' });
  const volume = new GainNode(context, { gain: 0 });
  oscillator.connect(volume).connect(context.destination);
  let at = context.currentTime + EDGE_SECONDS;
  for (const { frequencyHz, seconds } of tones) {
    if (frequencyHz !== null) {
      oscillator.frequency.setValueAtTime(frequencyHz, at);
      volume.gain.setTargetAtTime(LOUDNESS, at, EDGE_SECONDS / 3);
      volume.gain.setTargetAtTime(0, at + seconds - EDGE_SECONDS, EDGE_SECONDS / 3);
    }
    at += seconds;
  }
  oscillator.start();
  oscillator.stop(at + EDGE_SECONDS);
  oscillator.addEventListener('ended', () => {
    if (playing !== context) return;
    playing = null;
    void context.close();
  });
}
