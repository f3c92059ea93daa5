import { formatBytes, formatCount, formatMegabits, formatRate, formatSeconds } from '#core/base/units.ts';
import type { CheckFinding } from '../finding.ts';
import type { PlanLoad } from '../host/planLoad.ts';
import { type MeasuredPath, PATH_LIMITS, type PathLink, type PathReading } from './schema.ts';
import { FASTER_LINE, wantsMoreThanLine } from '../host/network.ts';

const PATH_CHECK = 'pathSpeed';

/** From here on a plan comes too near to what the line carries. */
const NEAR_SHARE = 0.8;

const EXPLAIN =
  'What a network card calls its speed is made up where it is a virtual one, and no word of what lies behind it: a switch, a cloud’s limit, a way through the internet. So some megabytes are sent over the way and timed. The first quarter is left out: TCP begins slowly, and limits let a little pass at once.';

/** Bandwidth between a generator and the target of a plan, by answers of the target. */
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

/** Bandwidth between a host and this computer, both ways, over the SSH connection: lower bounds. */
export function judgeSshPath(host: string, down: PathReading, up: PathReading): CheckFinding {
  const words = ({ megabits }: PathReading): string => (megabits === null ? 'not known' : `at least ${formatMegabits(megabits)}`);
  const evidence = `To this computer: ${amountWords(down)} Back: ${amountWords(up)}`;
  if (down.megabits === null && up.megabits === null)
    return pathUnknown(down.failure ?? up.failure ?? 'Too little came to tell.', evidence);
  return {
    id: PATH_CHECK,
    level: 'ok',
    title: `From ${host} to this computer ${words(down)}, back ${words(up)}`,
    evidence,
    matters:
      'Answers of that host to a load from here have room for the first at least. It went through SSH, which may be slower than the line itself, never faster.',
    remedy: null,
    explain: EXPLAIN,
  };
}

/** A path that was not measured, and why. */
export function pathUnknown(why: string, evidence: string): CheckFinding {
  return {
    id: PATH_CHECK,
    level: 'unknown',
    title: 'Bandwidth of the way: not known',
    evidence,
    matters: why,
    remedy: null,
    explain: EXPLAIN,
  };
}

/** Answers a second through a path whose contents were measured: bits a second by bits an answer. */
export function answersThrough(megabits: number, answerBytes: number | null): number | null {
  return answerBytes === null || answerBytes <= 0 ? null : (megabits * 125_000) / answerBytes;
}

/** "; its link eth0 calls itself 10,000 Mbit/s, which a virtual one makes up". Empty where no link is known. */
export function linkWords(link: PathLink | null): string {
  if (link === null) return '';
  if (link.megabits === null) return ` Its link ${link.name} does not tell its speed.`;
  return ` Its link ${link.name} calls itself ${formatMegabits(link.megabits)}${link.isVirtual ? ', which a virtual link makes up' : ''}.`;
}

function amountWords({ bytes, seconds, answers, failure }: PathReading): string {
  const amount = `${formatBytes(bytes)}${answers > 0 ? ` in ${formatCount(answers)} answers` : ''}`;
  const time = seconds > 0 ? `, measured over ${formatSeconds(seconds)}` : '';
  return `${amount}${time}.${failure === null ? '' : ` ${failure}`}`;
}

function tooLittle({ failure, answers, answeredBytes, bytes }: PathReading, to: string): string {
  if (failure !== null) return failure;
  return `${to} gave ${formatBytes(answers === 0 ? bytes : answeredBytes / answers)} an answer, and ${formatSeconds(PATH_LIMITS.seconds)} of them are too little to fill a line. A plan whose first request asks for something large can tell.`;
}

function ceilingWords(most: number | null, answerBytes: number | null, isFull: boolean, megabits: number): string {
  if (most === null) return `${isFull ? 'No more than' : 'At least'} ${formatBytes(megabits * 125_000)} of answers a second fit through.`;
  return `At ${formatBytes(answerBytes)} an answer, ${isFull ? 'no more than' : 'at least'} ${formatRate(most, 'answers')} fit through.`;
}
