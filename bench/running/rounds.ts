import type { Found } from './findSubjects.ts';
import type { Measurement } from './measureSubject.ts';
import { MAX_STOLEN_SHARE, throughStealGate, type GatedValue } from './stealGate.ts';

/** Returns the items rotated by the number of the turn, so that each item comes first in turn. */
export function rotate<Item>(items: readonly Item[], turn: number): Item[] {
  const from = items.length === 0 ? 0 : turn % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

/** The results of one subject in each round. */
export interface Track<Value extends { readonly measurement: Measurement }> {
  readonly id: string;
  readonly version: string | null;
  readonly rounds: readonly GatedValue<Value>[];
}

export interface RoundsSetup<Value> {
  readonly found: readonly Found[];
  readonly rounds: number;
  readonly measure: (found: Found) => Promise<Value>;
  readonly notify: (line: string) => void;
}

/** Measures every subject once per round, one after the other. Measurements during which CPU was stolen are repeated. */
export async function runRounds<Value extends { readonly measurement: Measurement }>(setup: RoundsSetup<Value>): Promise<Track<Value>[]> {
  const { found, rounds, measure, notify } = setup;
  const tracks = found.map(({ subject, version }) => ({ id: subject.id, version, rounds: new Array<GatedValue<Value>>() }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, each] of rotate(found, round).entries()) {
      const gated = await throughStealGate(() => measure(each));
      tracks.find(({ id }) => id === each.subject.id)?.rounds.push(gated);
      notify(`round ${round + 1} of ${rounds}, ${place + 1} of ${found.length}: ${each.subject.id}: ${describeMeasurement(gated)}`);
    }
  }
  return tracks;
}

function describeMeasurement({ value, attempts, stolenShare }: GatedValue<{ readonly measurement: Measurement }>): string {
  const { reading, problem } = value.measurement;
  const figures =
    reading === null ? `failed: ${problem ?? 'no reason known'}` : `${(reading.responses / reading.seconds).toFixed(0)} requests/s`;
  return attempts === 1 ? figures : `${figures} (measured ${attempts} times, ${percent(stolenShare ?? 0)} of the CPU stolen in the best)`;
}

/** Returns the doubts about a subject's figures as text; empty if there are none. */
export function findDoubts<Value extends { readonly measurement: Measurement }>({ rounds }: Track<Value>): string {
  const failed = rounds.flatMap(({ value }) => value.measurement.problem ?? []);
  const note = rounds.flatMap(({ value }) => value.measurement.reading?.note ?? []).find((note) => note !== '');
  const repeated = rounds.filter(({ attempts }) => attempts > 1).length;
  const stolen = rounds.filter(({ stolenShare }) => (stolenShare ?? 0) > MAX_STOLEN_SHARE).length;
  return [
    failed[0] === undefined ? '' : `failed in ${failed.length} of ${rounds.length} rounds: ${failed[0]}`,
    note ?? '',
    repeated === 0 ? '' : `repeated in ${repeated} of ${rounds.length} rounds because of stolen CPU`,
    stolen === 0 ? '' : `in ${stolen} of them still more than ${percent(MAX_STOLEN_SHARE)} stolen`,
  ]
    .filter((doubt) => doubt !== '')
    .join('; ');
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
