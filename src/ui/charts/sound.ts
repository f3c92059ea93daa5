import type { ChartData } from '#core/presentation/charts/types.ts';

/** A moment of a chart as a tone; no frequency where nothing is known, which is heard as a pause. */
export interface Tone {
  readonly frequencyHz: number | null;
  readonly seconds: number;
}

const WHOLE_SECONDS = 4;
/** More than these run into each other. */
const MOST_TONES = 64;
/** Two octaves, which every loudspeaker plays. */
const LOWEST_HZ = 220;
const OCTAVES = 2;
const LOUDNESS = 0.15;
/** Tones begin and end softly, or each would click. */
const EDGE_SECONDS = 0.01;

/** The line that a chart is heard by: its first one, which is the gravest; of layers all together. */
export function heardLine({ series, spans }: ChartData): { readonly name: string; readonly values: readonly (number | null)[] } {
  const line = series.find(({ shape }) => shape === 'line');
  if (line !== undefined) return line;
  const sums = spans.map((_, index) => series.reduce<number>((sum, { values }) => sum + (values[index] ?? 0), 0));
  return { name: series.map(({ name }) => name).join(', '), values: sums };
}

/** The values in the order of time, higher where there is more; of several that share a tone the highest is heard. */
export function tonesOf(values: readonly (number | null)[]): Tone[] {
  const count = Math.min(MOST_TONES, values.length);
  const parts = Array.from({ length: count }, (_, index) => {
    const known = values
      .slice(Math.floor((index * values.length) / count), Math.floor(((index + 1) * values.length) / count))
      .filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  });
  const most = parts.reduce<number>((high, value) => Math.max(high, value ?? 0), 0);
  const height = (value: number): number => (most === 0 ? 0 : value / most);
  return parts.map((value) => ({
    frequencyHz: value === null ? null : LOWEST_HZ * 2 ** (OCTAVES * height(value)),
    seconds: WHOLE_SECONDS / Math.max(count, 16),
  }));
}

let playing: AudioContext | null = null;

/** Plays tones one after the other; what was still playing ends. */
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
