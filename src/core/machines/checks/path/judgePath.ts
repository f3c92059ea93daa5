import { formatBytes, formatCount, formatMegabits, formatRate, formatSeconds } from '#core/base/units.ts';
import type { CheckFinding } from '../finding.ts';
import type { PlanLoad } from '../host/planLoad.ts';
import { FASTER_LINE_ADVICE, wantsMoreThanLine } from '../host/network.ts';
import { type MeasuredPath, PATH_LIMITS, type PathLink, type PathReading } from './schema.ts';

const PATH_CHECK = 'pathSpeed';

/** Share of the measured bandwidth from which a plan gets a warning. */
const MIN_WARNING_SHARE = 0.8;

const PATH_EXPLANATION =
  'A network card does not know the limits behind it: a switch, a cloud provider, the internet. A virtual one reports an invented speed. Holdfast therefore sends and times some megabytes. It leaves out the first quarter, because TCP starts slowly and limits allow short bursts.';

/** Judges the bandwidth between a generator and the target, measured with responses of the target. */
export function judgePath(
  reading: PathReading,
  { from, to, link }: Pick<MeasuredPath, 'from' | 'to' | 'link'>,
  load: PlanLoad,
): CheckFinding {
  const { megabits, isFull } = reading;
  const evidence = `${formatAmount(reading)}${linkWords(link)}`;
  if (megabits === null) return pathUnknown(formatTooLittle(reading, to), evidence);
  const maxPerSecond = maxResponsesPerSecond(megabits, load.responseBytes);
  const rate = load.requestsPerSecond;
  const isShort = isFull && maxPerSecond !== null && rate !== null && rate > maxPerSecond;
  const isNear = isFull && maxPerSecond !== null && rate !== null && rate > maxPerSecond * MIN_WARNING_SHARE;
  return {
    id: PATH_CHECK,
    level: isShort ? 'problem' : isNear ? 'warning' : 'ok',
    title: `${isFull ? '' : 'At least '}${formatMegabits(megabits)} between ${from} and ${to}`,
    evidence,
    matters: `${formatCeiling(maxPerSecond, load.responseBytes, isFull, megabits)}${isShort ? ` ${wantsMoreThanLine(rate)}` : ''}`,
    remedy: isShort || isNear ? FASTER_LINE_ADVICE : null,
    explain: PATH_EXPLANATION,
  };
}

/** Judges the bandwidth between a host and this computer in both directions, measured over SSH. Both values are lower bounds. */
export function judgeSshPath(host: string, down: PathReading, up: PathReading): CheckFinding {
  const words = ({ megabits }: PathReading): string => (megabits === null ? 'unknown' : `at least ${formatMegabits(megabits)}`);
  const evidence = `To this computer: ${formatAmount(down)} Back: ${formatAmount(up)}`;
  if (down.megabits === null && up.megabits === null)
    return pathUnknown(down.failure ?? up.failure ?? 'Too little data arrived to measure.', evidence);
  return {
    id: PATH_CHECK,
    level: 'ok',
    title: `From ${host} to this computer ${words(down)}, back ${words(up)}`,
    evidence,
    matters:
      'Responses from that host have at least the first bandwidth. The measurement used SSH, which may be slower than the network, never faster.',
    remedy: null,
    explain: PATH_EXPLANATION,
  };
}

export function pathUnknown(why: string, evidence: string): CheckFinding {
  return {
    id: PATH_CHECK,
    level: 'unknown',
    title: 'Bandwidth of the path: unknown',
    evidence,
    matters: why,
    remedy: null,
    explain: PATH_EXPLANATION,
  };
}

/** Returns the responses per second through a path: bits per second / bits per response. */
export function maxResponsesPerSecond(megabits: number, responseBytes: number | null): number | null {
  return responseBytes === null || responseBytes <= 0 ? null : (megabits * 125_000) / responseBytes;
}

/** Returns a sentence about the reported speed of a link; empty if no link is known. */
export function linkWords(link: PathLink | null): string {
  if (link === null) return '';
  if (link.megabits === null) return ` Its link ${link.name} does not report its speed.`;
  return ` Its link ${link.name} reports ${formatMegabits(link.megabits)}${link.isVirtual ? ', which a virtual link invents' : ''}.`;
}

function formatAmount({ bytes, seconds, responses, failure }: PathReading): string {
  const amount = `${formatBytes(bytes)}${responses > 0 ? ` in ${formatCount(responses)} responses` : ''}`;
  const time = seconds > 0 ? `, measured over ${formatSeconds(seconds)}` : '';
  return `${amount}${time}.${failure === null ? '' : ` ${failure}`}`;
}

function formatTooLittle({ failure, responses, respondedBytes, bytes }: PathReading, to: string): string {
  if (failure !== null) return failure;
  return `${to} sent ${formatBytes(responses === 0 ? bytes : respondedBytes / responses)} per response. In ${formatSeconds(PATH_LIMITS.seconds)} this is too little to fill the network. Use a plan whose first response is large.`;
}

function formatCeiling(maxPerSecond: number | null, responseBytes: number | null, isFull: boolean, megabits: number): string {
  if (maxPerSecond === null)
    return `It carries ${isFull ? 'at most' : 'at least'} ${formatBytes(megabits * 125_000)} of responses a second.`;
  return `At ${formatBytes(responseBytes)} per response, it carries ${isFull ? 'at most' : 'at least'} ${formatRate(maxPerSecond, 'responses')}.`;
}

export interface Arrival {
  readonly atMs: number;
  readonly bytes: number;
}

export interface Transfer {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Throughput {
  /** Payload in 10^6 bit/s. */
  readonly megabits: number;
  /** Whether the line was the limit. If not, `megabits` is a lower bound. */
  readonly isFull: boolean;
  /** Duration of the measured part in seconds. */
  readonly seconds: number;
}

/** Minimum number of bytes for a usable measurement. */
const MIN_BYTES = 65_536;
/** Share of the bytes that is left out at the start, because TCP slow start lowers their rate and full token buckets raise it. */
const SKIPPED_SHARE = 0.25;
/** Minimum share of busy time at which the line was the limit. */
const MIN_BUSY_SHARE = 0.8;

/**
 * Returns the rate after the first quarter of the bytes; null if too little arrived. The line was full if transfers cover most of that time
 * and the rate is measurable. `arrivals` must be in order of time.
 */
export function computeThroughput(arrivals: readonly Arrival[], transfers: readonly Transfer[], mostMegabits: number): Throughput | null {
  const all = arrivals.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all < MIN_BYTES) return null;
  let before = 0;
  const start = arrivals.find(({ bytes }) => (before += bytes) >= all * SKIPPED_SHARE);
  const end = arrivals.at(-1);
  if (start === undefined || end === undefined || end.atMs <= start.atMs) return null;
  const lengthMs = end.atMs - start.atMs;
  const megabits = ((all - before) * 8) / 1_000 / lengthMs;
  const isBusy = countCoveredMs(transfers, start.atMs, end.atMs) >= MIN_BUSY_SHARE * lengthMs;
  return { megabits: Math.min(megabits, mostMegabits), isFull: isBusy && megabits < mostMegabits, seconds: lengthMs / 1_000 };
}

/** Returns how much of a span the transfers cover; they may overlap. */
function countCoveredMs(transfers: readonly Transfer[], fromMs: number, toMs: number): number {
  let covered = 0;
  let until = fromMs;
  for (const transfer of [...transfers].sort((one, other) => one.fromMs - other.fromMs)) {
    const begin = Math.max(until, transfer.fromMs);
    const end = Math.min(toMs, transfer.toMs);
    if (end <= begin) continue;
    covered += end - begin;
    until = end;
  }
  return covered;
}
