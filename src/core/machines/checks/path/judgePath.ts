import { formatBytes, formatCount, formatMegabits, formatRate, formatSeconds } from '#core/base/units.ts';
import type { CheckFinding } from '../finding.ts';
import type { PlanLoad } from '../host/planLoad.ts';
import { type MeasuredPath, PATH_LIMITS, type PathLink, type PathReading } from './schema.ts';
import { FASTER_LINE, wantsMoreThanLine } from '../host/network.ts';

const PATH_CHECK = 'pathSpeed';

/** Share of the measured bandwidth from which a plan gets a warning. */
const NEAR_SHARE = 0.8;

const EXPLAIN =
  'A network card does not know the limits behind it: a switch, a cloud provider, the internet. A virtual one reports an invented speed. Holdfast therefore sends and times some megabytes. It leaves out the first quarter, because TCP starts slowly and limits allow short bursts.';

/** Judges the bandwidth between a generator and the target, measured with responses of the target. */
export function judgePath(
  reading: PathReading,
  { from, to, link }: Pick<MeasuredPath, 'from' | 'to' | 'link'>,
  load: PlanLoad,
): CheckFinding {
  const { megabits, isFull } = reading;
  const evidence = `${amountWords(reading)}${linkWords(link)}`;
  if (megabits === null) return pathUnknown(tooLittle(reading, to), evidence);
  const most = answersThrough(megabits, load.answerBytes);
  const rate = load.requestsPerSecond;
  const isShort = isFull && most !== null && rate !== null && rate > most;
  const isNear = isFull && most !== null && rate !== null && rate > most * NEAR_SHARE;
  return {
    id: PATH_CHECK,
    level: isShort ? 'problem' : isNear ? 'warning' : 'ok',
    title: `${isFull ? '' : 'At least '}${formatMegabits(megabits)} between ${from} and ${to}`,
    evidence,
    matters: `${ceilingWords(most, load.answerBytes, isFull, megabits)}${isShort ? ` ${wantsMoreThanLine(rate)}` : ''}`,
    remedy: isShort || isNear ? FASTER_LINE : null,
    explain: EXPLAIN,
  };
}

/** Judges the bandwidth between a host and this computer in both directions, measured over SSH. Both values are lower bounds. */
export function judgeSshPath(host: string, down: PathReading, up: PathReading): CheckFinding {
  const words = ({ megabits }: PathReading): string => (megabits === null ? 'unknown' : `at least ${formatMegabits(megabits)}`);
  const evidence = `To this computer: ${amountWords(down)} Back: ${amountWords(up)}`;
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
    explain: EXPLAIN,
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
    explain: EXPLAIN,
  };
}

/** Returns the responses per second through a path: bits per second / bits per response. */
export function answersThrough(megabits: number, answerBytes: number | null): number | null {
  return answerBytes === null || answerBytes <= 0 ? null : (megabits * 125_000) / answerBytes;
}

/** Returns a sentence about the reported speed of a link; empty if no link is known. */
export function linkWords(link: PathLink | null): string {
  if (link === null) return '';
  if (link.megabits === null) return ` Its link ${link.name} does not report its speed.`;
  return ` Its link ${link.name} reports ${formatMegabits(link.megabits)}${link.isVirtual ? ', which a virtual link invents' : ''}.`;
}

function amountWords({ bytes, seconds, answers, failure }: PathReading): string {
  const amount = `${formatBytes(bytes)}${answers > 0 ? ` in ${formatCount(answers)} responses` : ''}`;
  const time = seconds > 0 ? `, measured over ${formatSeconds(seconds)}` : '';
  return `${amount}${time}.${failure === null ? '' : ` ${failure}`}`;
}

function tooLittle({ failure, answers, answeredBytes, bytes }: PathReading, to: string): string {
  if (failure !== null) return failure;
  return `${to} sent ${formatBytes(answers === 0 ? bytes : answeredBytes / answers)} per response. In ${formatSeconds(PATH_LIMITS.seconds)} this is too little to fill the network. Use a plan whose first response is large.`;
}

function ceilingWords(most: number | null, answerBytes: number | null, isFull: boolean, megabits: number): string {
  if (most === null) return `It carries ${isFull ? 'at most' : 'at least'} ${formatBytes(megabits * 125_000)} of responses a second.`;
  return `At ${formatBytes(answerBytes)} per response, it carries ${isFull ? 'at most' : 'at least'} ${formatRate(most, 'responses')}.`;
}
