import { answeredRequests } from '#core/measurement/ledger.ts';
import { linkWords } from '#core/machines/checks/path/judgePath.ts';
import { measuredPathSchema, PATH_EVENT, type MeasuredPath } from '#core/machines/checks/path/schema.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { allTargets } from '#core/plan/targets.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { keyParts } from '#core/machines/monitors/quantity.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatCount, formatMegabits, formatMs, formatPercent, formatRate } from '#core/base/units.ts';
import { sickShare, type Found, type Rule, type MeasuredRun } from '../rule.ts';
import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';

type GeneratorOfRun = MeasuredRun['generators'][number];
type StageOfRun = MeasuredRun['stages'][number];

/** Of what was measured before: answers of a run have heads, acknowledgements and pauses between them. */
const PATH_SHARE = 0.8;
/** A place that got so many times as much shows that the target has more to give. */
const MORE = 1.25;
/** Of what a link says of itself, everything that went through it counted. */
const LINK_SHARE = 0.9;
/** For as long as this part of the run at least. */
const LINK_TIME_SHARE = 0.25;

/** Answers a second stay within this of each other while the level grows by that: flat. */
const FLAT = 0.1;
const LEVEL_GROWTH = 1.5;
/** So many answers are under way at once: by Little's law, their number a second times the time from first byte to last. A busy processor leaves hardly any. */
const TRANSFERS_AT_ONCE = { low: 0.5, high: 1 } as const;
/** Smaller answers fill no line before they fill a processor. */
const LEAST_ANSWER_BYTES = 8_000;
/** Of the seconds. A generator that is busy reads slowly, which looks the same. */
const MOST_SICK = 0.2;

const REMEDY =
  'Send the load over a faster network path, or transfer less: smaller responses, compression, less load. A full network path hides everything beyond it.';

/**
 * A line that is full: as many bytes a second come whatever is asked for, and everybody only waits longer. Told for each place that sends a load, against what its way was
 * measured at before the run, or what its link calls its speed; without either, from answers that stay as many while more and more ask for them.
 */
export const bandwidthBound: Rule = {
  id: 'bandwidthBound',
  find(facts) {
    const found = facts.generators.flatMap((generator) => fullLine(facts, generator) ?? []);
    return found.length > 0 ? found : [flatAnswers(facts)].filter((finding) => finding !== null);
  },
};

/** Against a speed that is known. */
function fullLine(facts: MeasuredRun, generator: GeneratorOfRun): Found | null {
  const megabits = megabitsOf(facts, generator);
  if (megabits === null) return null;
  const path = pathOf(facts, generator.name);
  const link = fullLink(facts, generator.name);
  const share = path === null ? 0 : megabits / path.megabits;
  if (share < PATH_SHARE && link === null) return null;
  const isOneOfSeveral = facts.generators.length > 1;
  const most = share >= PATH_SHARE ? path?.megabits : link?.megabits;
  const flat = isOneOfSeveral ? null : flatStages(facts);
  // What was measured before the run may be the target at that time: the run has to show that it is the line.
  const isConfirmed = link !== null || flat !== null || anotherGotMore(facts, generator);
  return {
    id: isOneOfSeveral ? `${bandwidthBound.id}.${generator.name}` : bandwidthBound.id,
    level: 'warning',
    sentence: `The network path between ${generator.name} and the target was full: responses filled ${formatMegabits(megabits)} of its ${formatMegabits(most ?? null)}. The figures from there show the network, not the server.`,
    evidence: [
      ...(path === null ? [] : [pathWords(path)]),
      ...(link === null
        ? []
        : [
            `${link.name} received ${formatMegabits(link.sustained)} or more for a quarter of the time; its speed is ${formatMegabits(link.megabits)}.`,
          ]),
      ...(flat === null ? [] : [flatWords(flat)]),
      ...otherPlaces(facts, generator),
    ],
    remedy: REMEDY,
    confidence: isConfirmed ? 'certain' : 'likely',
    range: null,
    // It is the line that is full, and not the server.
    insteadOf: ['saturatedBelow'],
  };
}

/** Contents of answers: those of one of several places, else of the stage in which most came. */
function megabitsOf({ stages }: MeasuredRun, { figures }: GeneratorOfRun): number | null {
  const all =
    figures === null ? stages.filter(({ counted }) => counted).map(({ rates }) => rates.bytesPerSecond) : [figures.rates.bytesPerSecond];
  const known = all.filter((bytesPerSecond) => bytesPerSecond !== null);
  return known.length === 0 ? null : toMegabits(Math.max(...known));
}

/** What the way of a generator was measured at before the run; null where it was not, or where no end of it was found. */
function pathOf({ events, plan }: MeasuredRun, name: string): MeasuredPath | null {
  const origins = new Set(allTargets(plan).map(({ url }) => new URL(url).origin));
  const paths = events.flatMap(({ kind, data }) => (kind === PATH_EVENT ? (measuredPathSchema.safeParse(data).data ?? []) : []));
  return paths.find(({ from, to, isFull }) => from === name && origins.has(to) && isFull) ?? null;
}

/** A link of a generator that took in about as much as it says that it can; virtual links say far more than any line, and never do. */
function fullLink({ monitors }: MeasuredRun, name: string): { name: string; megabits: number; sustained: number } | null {
  const monitor = monitors.find(({ role, kind, host }) => role === 'generator' && kind === 'machine' && (host ?? THIS_COMPUTER) === name);
  for (const [key, values] of Object.entries(monitor?.values ?? {})) {
    const { id, instance } = keyParts(key);
    const limit = monitor?.limits.find((one) => one.chart === MACHINE_CHARTS.network && one.instance === instance);
    if (id !== 'net.in' || limit === undefined || instance === null) continue;
    const known = values.filter((value) => value !== null).sort((one, other) => other - one);
    const sustained = known[Math.floor(LINK_TIME_SHARE * known.length)] ?? 0;
    if (sustained >= LINK_SHARE * limit.value)
      return { name: instance, megabits: toMegabits(limit.value), sustained: toMegabits(sustained) };
  }
  return null;
}

interface Flat {
  readonly low: StageOfRun;
  readonly high: StageOfRun;
}

/** Two stages between which the level grew and the bytes a second did not, so that everybody waited longer. */
function flatStages({ stages }: MeasuredRun): Flat | null {
  const counted = stages.filter(({ counted: counts, level }) => counts && isSteady(level) && level.unit !== 'arrivalsPerSecond');
  const [low] = [...counted].sort((one, other) => one.level.highest - other.level.highest);
  const high = counted.findLast(({ level }) => level.highest === Math.max(...counted.map((stage) => stage.level.highest)));
  if (low === undefined || high === undefined || high.level.highest < LEVEL_GROWTH * low.level.highest) return null;
  const [before, after] = [low.rates.bytesPerSecond, high.rates.bytesPerSecond];
  if (before === null || after === null || before === 0 || Math.abs(after / before - 1) > FLAT) return null;
  const [fast, slow] = [low.latency.service.p50, high.latency.service.p50];
  if (typeof fast !== 'number' || typeof slow !== 'number') return null;
  const growth = high.level.highest / low.level.highest;
  return slow / fast >= 1 + (growth - 1) / 2 ? { low, high } : null;
}

/** Without a speed that is known: as many bytes at any level, and answers under way all the time. */
function flatAnswers(facts: MeasuredRun): Finding | null {
  if (facts.generators.length > 1 || sickShare(facts) > MOST_SICK) return null;
  const flat = flatStages(facts);
  if (flat === null || !isTransferring(flat.low, TRANSFERS_AT_ONCE.low) || !isTransferring(flat.high, TRANSFERS_AT_ONCE.high)) return null;
  const megabits = toMegabits(flat.high.rates.bytesPerSecond ?? 0);
  const [generator] = facts.generators;
  return {
    id: bandwidthBound.id,
    level: generator?.sharesMachineWithTarget === true ? 'info' : 'warning',
    sentence: `The network path was probably full: ${formatMegabits(megabits)} arrived at level ${formatCount(flat.low.level.highest)} as at level ${formatCount(flat.high.level.highest)}, and transfers never paused.`,
    evidence: [flatWords(flat)],
    remedy: `The speed of the path was not measured. Measure it on the Check page, or with “holdfast check --plan … --path”. If it is about ${formatMegabits(megabits)}, the network was the limit, not the server. ${REMEDY}`,
    confidence: 'possible',
    range: null,
  };
}

function isTransferring({ rates, phases, requests, bytes }: StageOfRun, least: number): boolean {
  const mean = phases.transfer?.mean;
  if (rates.completedPerSecond === null || typeof mean !== 'number') return false;
  return (rates.completedPerSecond * mean) / 1_000 >= least && bytes.body >= LEAST_ANSWER_BYTES * answeredRequests(requests);
}

function pathWords({ megabits, from, to, link }: MeasuredPath): string {
  return `Measured before the run: ${formatMegabits(megabits)} between ${from} and ${to}.${linkWords(link)}`;
}

function flatWords({ low, high }: Flat): string {
  const words = ({ level, rates, latency }: StageOfRun): string =>
    `${formatMegabits(toMegabits(rates.bytesPerSecond ?? 0))} at level ${formatCount(level.highest)} (median ${formatMs(latency.service.p50)})`;
  return `${words(low)}, ${words(high)}.`;
}

function anotherGotMore({ generators }: MeasuredRun, { name, figures }: GeneratorOfRun): boolean {
  const own = figures?.rates.bytesPerSecond ?? null;
  return own !== null && generators.some((other) => other.name !== name && (other.figures?.rates.bytesPerSecond ?? 0) >= MORE * own);
}

function otherPlaces({ generators }: MeasuredRun, { name, figures }: GeneratorOfRun): string[] {
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
