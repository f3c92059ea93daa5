import {
  lineWords,
  generatorFigures,
  slowGenerators,
  slowWords,
  type GeneratorFigures,
  type SlowGenerator,
} from '#core/result/generatorSentences.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import type { Rule, MeasuredRun } from '../rule.ts';

type Figures = NonNullable<MeasuredRun['generators'][number]['figures']>;
type Part = 'firstByte' | 'transfer';

/** Smallest share of the difference that makes a phase its cause. */
const MIN_PHASE_SHARE = 0.5;

/** Finds a location from which the server is slower: the network path, or how the server treats clients from there. */
export const placesDiffer: Rule = {
  id: 'placesDiffer',
  find(facts) {
    const figuresOf = new Map(facts.generators.flatMap(({ name, figures }) => (figures === null ? [] : [[name, figures] as const])));
    const places = generatorFigures(facts.generators);
    return slowGenerators(places).map((one): Finding => {
      const part = mostOf(figuresOf.get(one.slow.name), figuresOf.get(one.fastest.name));
      return {
        id: `${this.id}.${one.slow.name}`,
        level: 'warning',
        sentence: `${slowWords(one)}${partWords(part, one)}`,
        evidence: places.map((place) => evidenceOf(place, figuresOf.get(place.name))),
        remedy: remedyOf(part, one),
        confidence: part === null ? 'possible' : 'likely',
        range: null,
      };
    });
  },
};

/** Returns the phase with most of the difference of medians; null if unknown. */
function mostOf(slow: Figures | undefined, fast: Figures | undefined): Part | null {
  const all = difference(slow?.service.p50, fast?.service.p50);
  if (all === null || all <= 0) return null;
  const parts = (['firstByte', 'transfer'] as const).map((part) => ({
    part,
    share: (difference(slow?.phases?.[part]?.p50, fast?.phases?.[part]?.p50) ?? 0) / all,
  }));
  const [most] = parts.toSorted((one, other) => other.share - one.share);
  return most !== undefined && most.share >= MIN_PHASE_SHARE ? most.part : null;
}

type Time = Figures['service']['p50'] | undefined;

function difference(one: Time, other: Time): number | null {
  return typeof one === 'number' && typeof other === 'number' ? one - other : null;
}

function partWords(part: Part | null, { slow, fastest }: SlowGenerator): string {
  if (part === null) return '';
  if (part === 'firstByte') return ' Most of the difference is the time to first byte.';
  const came = `${slow.name} got ${lineWords(slow.bytesPerSecond)}, ${fastest.name} ${lineWords(fastest.bytesPerSecond)}`;
  return ` Most of the difference is the transfer of responses: ${came}.`;
}

function remedyOf(part: Part | null, { slow }: SlowGenerator): string {
  const apart = 'Look at each load generator by itself: the figures of the whole run mix them.';
  if (part === 'transfer')
    return `${apart} Check the network path to ${slow.name}. Smaller or compressed responses help if it cannot change.`;
  if (part === 'firstByte')
    return `${apart} Compare the round trip from ${slow.name} (ping), and check whether a proxy, a cache or a rate limit treats that address differently.`;
  return `${apart} Check the path from ${slow.name}: its distance, its network, and what is in between.`;
}

function evidenceOf({ name, answered, p50, p90, bytesPerSecond }: GeneratorFigures, figures: Figures | undefined): string {
  const { firstByte, transfer } = figures?.phases ?? {};
  const parts = [
    `${formatCount(answered)} responses`,
    `p50 ${formatMs(p50)}`,
    `p90 ${formatMs(p90)}`,
    `${lineWords(bytesPerSecond)} received`,
    ...(typeof firstByte?.p50 === 'number' ? [`first byte after ${formatMs(firstByte.p50)}`] : []),
    ...(typeof transfer?.p50 === 'number' ? [`transfer ${formatMs(transfer.p50)}`] : []),
  ];
  return `${name}: ${parts.join(', ')}`;
}
