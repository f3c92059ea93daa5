import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { linkWords } from '#core/machines/checks/path/judgePath.ts';
import { type MeasuredPath, measuredPathSchema, PATH_EVENT } from '#core/machines/checks/path/schema.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { listTargets } from '#core/plan/url.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { formatCount, formatMegabits, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { type Draft, figure, type MeasuredRun, rule, overloadedShare } from '../rule.ts';
import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import {
  generatorFigures,
  type GeneratorFigures,
  formatLine,
  type SlowGenerator,
  findSlowGenerators,
  formatSlow,
} from '#core/result/generatorSentences.ts';
import { withoutAbsent, sumOf } from '#core/base/lists.ts';
import { keyParts } from '#core/machines/monitors/result.ts';

type GeneratorOfRun = MeasuredRun['generators'][number];
type StageOfRun = MeasuredRun['stages'][number];

/** Minimum share of the measured bandwidth. It is below 1, because responses have headers, acknowledgements and pauses. */
const MIN_PATH_SHARE = 0.8;
/** Minimum ratio of another location's throughput to this one's. It proves that the target can send more. */
const MIN_OTHER_LOCATION_RATIO = 1.25;
/** Minimum share of a link's nominal speed, with all traffic on the link counted. */
const MIN_LINK_SHARE = 0.9;
/** Minimum share of the run in which the link was full. */
const MIN_LINK_TIME_SHARE = 0.25;

/** Maximum difference at which throughput is flat, as a share, while the level grows by the factor. */
const MAX_FLAT_DIFFERENCE = 0.1;
const MIN_LEVEL_GROWTH = 1.5;
/**
 * Minimum number of responses in transfer at once, by Little's law: rate × time from first to last byte. If a processor is the limit,
 * hardly any are in transfer.
 */
const MIN_TRANSFERS = { low: 0.5, high: 1 } as const;
/** Minimum size of responses in bytes. Smaller ones load a processor before they fill a link. */
const MIN_RESPONSE_BYTES = 8_000;
/** Maximum share of overloaded seconds. A busy generator reads slowly, which looks like a full path. */
const MAX_OVERLOADED_SHARE = 0.2;

const PATH_REMEDY =
  'Send the load over a faster network path, or transfer less: smaller responses, compression, less load. A full network path hides everything beyond it.';

/**
 * Finds a full network path: throughput in bytes stays the same at any level, while waits grow. Compares each load generator with the
 * bandwidth of its path before the run, or with its link speed. If neither is known, requires flat throughput over several levels.
 */
export const bandwidthBound = rule('bandwidthBound', (facts) => {
  const found = withoutAbsent(facts.generators.map((generator) => findFullLine(facts, generator)));
  return found.length > 0 ? found : findFlatResponses(facts);
});

/** Compares a generator's throughput with a known bandwidth. */
function findFullLine(facts: MeasuredRun, generator: GeneratorOfRun): Draft | null {
  const megabits = findMegabits(facts, generator);
  if (megabits === null) return null;
  const path = pathOf(facts, generator.name);
  const link = findFullLink(facts, generator.name);
  const share = path === null ? 0 : megabits / path.megabits;
  if (share < MIN_PATH_SHARE && link === null) return null;
  const isOneOfSeveral = facts.generators.length > 1;
  const maxMegabits = share >= MIN_PATH_SHARE ? path?.megabits : link?.megabits;
  const flat = isOneOfSeveral ? null : findFlatStages(facts);
  // The target may have limited the bandwidth measured before the run, so the run must confirm that the path is the limit.
  const isConfirmed = link !== null || flat !== null || hasFasterLocation(facts, generator);
  return {
    ...(isOneOfSeveral && { of: generator.name }),
    level: 'warning',
    sentence: `The network path between ${generator.name} and the target was full: responses filled ${formatMegabits(megabits)} of its ${formatMegabits(maxMegabits ?? null)}. The figures from there show the network, not the server.`,
    evidence: [
      path !== null && formatPath(path),
      link !== null &&
        `${link.name} received ${formatMegabits(link.sustained)} or more for a quarter of the time; its speed is ${formatMegabits(link.megabits)}.`,
      flat !== null && formatFlat(flat),
      ...listOtherGenerators(facts, generator),
    ],
    remedy: PATH_REMEDY,
    confidence: isConfirmed ? 'certain' : 'likely',
    insteadOf: ['saturatedBelow'],
  };
}

/** Returns the megabits per second of the generator if there are several generators, and otherwise of the stage with the most bytes. */
function findMegabits({ stages }: MeasuredRun, { figures }: GeneratorOfRun): number | null {
  const all =
    figures === null ? stages.filter(({ counted }) => counted).map(({ rates }) => rates.bytesPerSecond) : [figures.rates.bytesPerSecond];
  const knownRates = all.filter((bytesPerSecond) => bytesPerSecond !== null);
  return knownRates.length === 0 ? null : toMegabits(Math.max(...knownRates));
}

/** Returns the bandwidth of a generator's path before the run; null if it was not measured or not saturated. */
function pathOf({ events, plan }: MeasuredRun, name: string): MeasuredPath | null {
  const origins = new Set(listTargets(plan).map(({ url }) => new URL(url).origin));
  const paths = events.flatMap(({ kind, data }) => (kind === PATH_EVENT ? (measuredPathSchema.safeParse(data).data ?? []) : []));
  return paths.find(({ from, to, isFull }) => from === name && origins.has(to) && isFull) ?? null;
}

/**
 * Finds a link of a generator that received at about its nominal speed. Virtual links state a far higher speed than they can carry, so they
 * never match.
 */
function findFullLink({ monitors }: MeasuredRun, name: string): { name: string; megabits: number; sustained: number } | null {
  const monitor = monitors.find(({ role, kind, host }) => role === 'generator' && kind === 'machine' && (host ?? THIS_COMPUTER) === name);
  for (const [key, values] of Object.entries(monitor?.values ?? {})) {
    const { id, instance } = keyParts(key);
    const limit = monitor?.limits.find((one) => one.chart === MACHINE_CHARTS.network && one.instance === instance);
    if (id !== 'net.in' || limit === undefined || instance === null) continue;
    const sortedValues = values.filter((value) => value !== null).sort((one, other) => other - one);
    const sustained = sortedValues[Math.floor(MIN_LINK_TIME_SHARE * sortedValues.length)] ?? 0;
    if (sustained >= MIN_LINK_SHARE * limit.value)
      return { name: instance, megabits: toMegabits(limit.value), sustained: toMegabits(sustained) };
  }
  return null;
}

interface FlatStages {
  readonly low: StageOfRun;
  readonly high: StageOfRun;
}

/** Finds two stages between which the level and the waits grew but the bytes per second did not. */
function findFlatStages({ stages }: MeasuredRun): FlatStages | null {
  const counted = stages.filter(({ counted: counts, level }) => counts && isSteady(level) && level.unit !== 'arrivalsPerSecond');
  const [low] = [...counted].sort((one, other) => one.level.highest - other.level.highest);
  const high = counted.findLast(({ level }) => level.highest === Math.max(...counted.map((stage) => stage.level.highest)));
  if (low === undefined || high === undefined || high.level.highest < MIN_LEVEL_GROWTH * low.level.highest) return null;
  const [before, after] = [low.rates.bytesPerSecond, high.rates.bytesPerSecond];
  if (before === null || after === null || before === 0 || Math.abs(after / before - 1) > MAX_FLAT_DIFFERENCE) return null;
  const [fast, slow] = [low.latency.service.p50, high.latency.service.p50];
  if (typeof fast !== 'number' || typeof slow !== 'number') return null;
  const growth = high.level.highest / low.level.highest;
  return slow / fast >= 1 + (growth - 1) / 2 ? { low, high } : null;
}

/** Finds a full path without a known bandwidth: the bytes per second are the same at any level, with responses in transfer all the time. */
function findFlatResponses(facts: MeasuredRun): Draft | null {
  if (facts.generators.length > 1 || overloadedShare(facts) > MAX_OVERLOADED_SHARE) return null;
  const flat = findFlatStages(facts);
  if (flat === null || !isTransferring(flat.low, MIN_TRANSFERS.low) || !isTransferring(flat.high, MIN_TRANSFERS.high)) return null;
  const megabits = toMegabits(flat.high.rates.bytesPerSecond ?? 0);
  const [generator] = facts.generators;
  return {
    level: generator?.sharesMachineWithTarget === true ? 'info' : 'warning',
    sentence: `The network path was probably full: ${formatMegabits(megabits)} arrived at level ${formatCount(flat.low.level.highest)} as at level ${formatCount(flat.high.level.highest)}, and transfers never paused.`,
    evidence: [formatFlat(flat)],
    remedy: `The speed of the path was not measured. Measure it on the Check page, or with “holdfast check --plan … --path”. If it is about ${formatMegabits(megabits)}, the network was the limit, not the server. ${PATH_REMEDY}`,
    confidence: 'possible',
  };
}

function isTransferring({ rates, phases, requests, bytes }: StageOfRun, least: number): boolean {
  const mean = phases.transfer?.mean;
  if (rates.completedPerSecond === null || typeof mean !== 'number') return false;
  return (rates.completedPerSecond * mean) / 1_000 >= least && bytes.body >= MIN_RESPONSE_BYTES * countResponses(requests);
}

function formatPath({ megabits, from, to, link }: MeasuredPath): string {
  return `Measured before the run: ${formatMegabits(megabits)} between ${from} and ${to}.${linkWords(link)}`;
}

function formatFlat({ low, high }: FlatStages): string {
  const words = ({ level, rates, latency }: StageOfRun): string =>
    `${formatMegabits(toMegabits(rates.bytesPerSecond ?? 0))} at level ${formatCount(level.highest)} (median ${formatMs(latency.service.p50)})`;
  return `${words(low)}, ${words(high)}.`;
}

function hasFasterLocation({ generators }: MeasuredRun, { name, figures }: GeneratorOfRun): boolean {
  const own = figures?.rates.bytesPerSecond ?? null;
  return (
    own !== null &&
    generators.some((other) => other.name !== name && (other.figures?.rates.bytesPerSecond ?? 0) >= MIN_OTHER_LOCATION_RATIO * own)
  );
}

function listOtherGenerators({ generators }: MeasuredRun, { name, figures }: GeneratorOfRun): string[] {
  return generators.flatMap((other) => {
    const rates = other.figures?.rates;
    if (other.name === name || figures === null || rates?.completedPerSecond == null || rates.bytesPerSecond === null) return [];
    const share = (figures.rates.bytesPerSecond ?? 0) / Math.max(1, rates.bytesPerSecond);
    return [
      `From ${other.name}: ${formatMegabits(toMegabits(rates.bytesPerSecond))}, ${formatRate(rates.completedPerSecond, 'responses')} from the same target; ${name} got ${formatPercent(share)} of that.`,
    ];
  });
}

function toMegabits(bytesPerSecond: number): number {
  return bytesPerSecond / 125_000;
}

type Figures = NonNullable<MeasuredRun['generators'][number]['figures']>;
type Part = 'firstByte' | 'transfer';

/** Minimum share of the difference that a phase must explain to be its cause. */
const MIN_PHASE_SHARE = 0.5;

/** Finds a location from which the server is slower. The cause is the network path, or how the server treats clients there. */
export const generatorsDiffer = rule('generatorsDiffer', (facts) => {
  const computeFigures = new Map(facts.generators.flatMap(({ name, figures }) => (figures === null ? [] : [[name, figures] as const])));
  const places = generatorFigures(facts.generators);
  return findSlowGenerators(places).map((one): Draft => {
    const part = findLargest(computeFigures.get(one.slow.name), computeFigures.get(one.fastest.name));
    return {
      of: one.slow.name,
      level: 'warning',
      sentence: `${formatSlow(one)}${formatPart(part, one)}`,
      evidence: places.map((place) => formatEvidence(place, computeFigures.get(place.name))),
      remedy: remedyFor(part, one),
      confidence: part === null ? 'possible' : 'likely',
    };
  });
});

/** Returns the phase that explains most of the difference of the medians; null if unknown. */
function findLargest(slow: Figures | undefined, fast: Figures | undefined): Part | null {
  const all = difference(slow?.service.p50, fast?.service.p50);
  if (all === null || all <= 0) return null;
  const parts = (['firstByte', 'transfer'] as const).map((part) => ({
    part,
    share: (difference(slow?.phases?.[part]?.p50, fast?.phases?.[part]?.p50) ?? 0) / all,
  }));
  const [largest] = parts.toSorted((one, other) => other.share - one.share);
  return largest !== undefined && largest.share >= MIN_PHASE_SHARE ? largest.part : null;
}

type Time = Figures['service']['p50'] | undefined;

function difference(one: Time, other: Time): number | null {
  return typeof one === 'number' && typeof other === 'number' ? one - other : null;
}

function formatPart(part: Part | null, { slow, fastest }: SlowGenerator): string {
  if (part === null) return '';
  if (part === 'firstByte') return ' Most of the difference is the time to first byte.';
  const came = `${slow.name} got ${formatLine(slow.bytesPerSecond)}, ${fastest.name} ${formatLine(fastest.bytesPerSecond)}`;
  return ` Most of the difference is the transfer of responses: ${came}.`;
}

function remedyFor(part: Part | null, { slow }: SlowGenerator): string {
  const apart = 'Look at each load generator by itself: the figures of the whole run mix them.';
  if (part === 'transfer')
    return `${apart} Check the network path to ${slow.name}. Smaller or compressed responses help if it cannot change.`;
  if (part === 'firstByte')
    return `${apart} Compare the round trip from ${slow.name} (ping), and check whether a proxy, a cache or a rate limit treats that address differently.`;
  return `${apart} Check the path from ${slow.name}: its distance, its network, and what is in between.`;
}

function formatEvidence({ name, responded, p50, p90, bytesPerSecond }: GeneratorFigures, figures: Figures | undefined): string {
  const { firstByte, transfer } = figures?.phases ?? {};
  const parts = withoutAbsent([
    `${formatCount(responded)} responses`,
    `p50 ${formatMs(p50)}`,
    `p90 ${formatMs(p90)}`,
    `${formatLine(bytesPerSecond)} received`,
    typeof firstByte?.p50 === 'number' && `first byte after ${formatMs(firstByte.p50)}`,
    typeof transfer?.p50 === 'number' && `transfer ${formatMs(transfer.p50)}`,
  ]);
  return `${name}: ${parts.join(', ')}`;
}

/** Finds an address of a host name that accepted no connection, while another address of the name accepted some. */
export const silentAddress = rule('silentAddress', ({ server }) =>
  Object.entries(server.silentAddresses ?? {}).flatMap(([address, attempts]) => {
    const others = Object.entries(server.addresses).filter(([other, requests]) => other !== address && requests > 0);
    if (others.length === 0) return [];
    return {
      of: address,
      level: 'warning',
      sentence: `${address}, an address of “${server.host}”, did not respond to ${formatCount(attempts)} attempts to connect. After 250 ms each, another address was tried.`,
      evidence: [
        'Browsers do the same: a visitor waits a quarter of a second, a program that tries one address only waits until it times out.',
      ],
      figures: others.map(([other, requests]) => figure(other, `${formatCount(requests)} requests`)),
      remedy: `Check that the server listens on ${address}, and that no firewall drops its packets. Otherwise remove it from the name.`,
    };
  }),
);

const MIN_SLOW_LOOKUP_MS = 100;

/** Finds name lookups that took a noticeable time. */
export const slowLookup = rule('slowLookup', ({ server, phases }) => {
  const { max, count = 0 } = phases.lookup ?? {};
  if (typeof max !== 'number' || max < MIN_SLOW_LOOKUP_MS) return [];
  return {
    level: 'warning',
    sentence: `Looking up the name “${server.host}” took up to ${formatMs(max)}. ${formatCount(count)} requests waited for it before they could connect.`,
    evidence: ['It is the name server, not the server under test. A visitor whose computer does not know the name may wait as long.'],
    figures: [figure('Longest lookup', formatMs(max))],
    remedy:
      'Check the name servers of the load generator and of the domain. To leave them out of the test, give the address by --resolve HOST:PORT:ADDRESS.',
  };
});

/** Minimum time in ms by which Linux delays an acknowledgement (TCP_DELACK_MIN). */
const STEP_MS = 40;
/** Maximum number of delayed acknowledgements in a response. With more, the delays of timers would hide the pattern. */
const MAX_STEPS = 3;
/** Maximum additional delay by the server and the timer, in ms. */
const LATE_TOLERANCE_MS = 6;
/**
 * Maximum time in ms by which a response may be early. Histogram buckets have a width, and the timer may start before the last byte of the
 * first part arrives.
 */
const EARLY_TOLERANCE_MS = 2;
/** Minimum share of responses that waited. */
const MIN_SHARE = 0.02;

/**
 * Finds responses that take 40 ms longer than others, with none in between. If a server writes a response in two parts, the second part
 * waits (Nagle's algorithm) until the first is acknowledged, and the other side delays the acknowledgement.
 */
export const delayedAck = rule('delayedAck', ({ behaviour }) =>
  (behaviour?.groups ?? []).flatMap(({ stage, step, responses }) => {
    const [quick, ...later] = responses;
    if (quick === undefined || later.length === 0) return [];
    const isSteps = later.every(({ fromMs, medianMs }) => {
      const wait = medianMs - quick.medianMs;
      const steps = Math.max(1, Math.floor(wait / STEP_MS));
      return steps <= MAX_STEPS && wait <= steps * (STEP_MS + LATE_TOLERANCE_MS) && fromMs >= steps * STEP_MS - EARLY_TOLERANCE_MS;
    });
    const share = sumOf(later, (group) => group.share);
    if (!isSteps || share < MIN_SHARE) return [];
    return {
      of: `${stage}.${step}`,
      level: 'warning',
      sentence: `${formatShare(share)} of responses to “${step}” took about 40 ms longer than the others (${formatMs(later[0]?.medianMs ?? null)}, the others ${formatMs(quick.medianMs)}): that is a delayed acknowledgement of TCP, not work.`,
      evidence: [
        'Linux delays an acknowledgement by 40 ms. A server that sends a response in two writes with Nagle’s algorithm holds back the second one until then.',
      ],
      figures: [quick, ...later].map((group, index) =>
        figure(index === 0 ? 'Fast group' : 'Slow group', `${formatShare(group.share)} about ${formatMs(group.medianMs)}`),
      ),
      remedy: 'Switch on TCP_NODELAY at the server, or let it send head and body in one write.',
      confidence: 'likely',
      insteadOf: [`groups.${stage}.${step}`, `averageHides.${step}`, 'slowTail'],
    };
  }),
);
