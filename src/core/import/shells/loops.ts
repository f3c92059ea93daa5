import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import { secondsOfUnit } from '../commands/amounts.ts';
import { describeDifferentRequests } from '../notes.ts';
import { findLoops, type Loop, maskQuoted } from './findLoops.ts';
import { readRounds, type Rounds } from './loopRounds.ts';
import { holdsTool } from './shellText.ts';

/** How a shell repeats the commands in a loop. */
export interface Repetition {
  /** The word that begins the loop, for notes. */
  readonly keyword: string;
  /** Number of rounds; null: the loop runs until it is stopped. */
  readonly rounds: number | null;
  /** Number of rounds that run at the same time. */
  readonly atOnce: number;
  /** Pause after each round, in seconds. */
  readonly pauseSeconds: number;
  /** Whether a round begins without waiting for the end of the one before. */
  readonly isBackground: boolean;
  /** Whether the commands of all rounds are written out, because each round has other values. */
  readonly isWrittenOut: boolean;
  /** Maximum duration that `timeout` sets, in seconds. */
  readonly maxSeconds?: number;
  /** A variable that has another number in each of the rounds, which run at the same time. */
  readonly numbered?: { readonly name: string; readonly from: number; readonly to: number };
}

/** `read`: `text` has the commands of the loop without the loop. `unreadable`: the number of rounds or their requests are unknown. */
export type LoopReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly text: string; readonly repetition: Repetition }
  | { readonly kind: 'unreadable'; readonly keyword: string; readonly what: string };

export const NO_LOOP: LoopReading = { kind: 'none' };

/**
 * Reads the loop around the commands of a text. `countCommands` returns the number of known commands in a part of the text. A loop without
 * known commands, and a loop that only waits for the server before other commands, are left unchanged.
 */
export function readLoop(text: string, countCommands: (part: string) => number): LoopReading {
  const loops = findLoops(text);
  if (loops.length === 0) return NO_LOOP;
  const unreadable = (keyword: string, what: string): LoopReading => ({ kind: 'unreadable', keyword, what });
  const bodyOf = ({ bodyFrom, bodyTo }: Loop): string => text.slice(bodyFrom, bodyTo);
  const repeating = loops.filter((loop) => countCommands(bodyOf(loop)) > 0);
  const [loop, second] = repeating;
  if (loop === undefined) {
    const waiting = loops.find(({ head }) => countCommands(head.replace(/^!\s*/, '')) > 0);
    const rest = waiting === undefined ? '' : `${text.slice(0, waiting.from)}\n${text.slice(waiting.to)}`;
    if (waiting !== undefined && countCommands(rest) === 0)
      return unreadable(waiting.keyword, 'It waits until the server responds, and sends no load.');
    if (/\w[ \t]*\(\)\s*\{/.test(text) && holdsTool(text))
      return unreadable(loops[0]?.keyword ?? '', 'The loop calls a function of the text.');
    return NO_LOOP;
  }
  const { keyword } = loop;
  const body = bodyOf(loop);
  if (second !== undefined) return unreadable(keyword, 'Several loops repeat commands.');
  if (findLoops(body).some((inner) => countCommands(text.slice(loop.bodyFrom + inner.bodyFrom, loop.bodyFrom + inner.bodyTo)) > 0))
    return unreadable(keyword, 'A loop within a loop repeats commands.');
  const outside = `${text.slice(0, loop.from)}\n${text.slice(loop.to)}`;
  if (countCommands(outside) > 0) return unreadable(keyword, 'There are other commands outside the loop.');
  if (/(?:^|[\n;&|({])\s*(?:if|case|break|continue|wait|read|exit|return|switch)\b/.test(maskQuoted(body)))
    return unreadable(keyword, 'The loop decides for each round what it does.');
  const rounds = readRounds(loop, text);
  return typeof rounds === 'string' ? unreadable(keyword, rounds) : readBody(loop, rounds, body, outside, countCommands);
}

/** Matches what a round prints, and the file that it writes. They do not change the request. */
const OUTPUT_PATTERN =
  /(?<=^|[\n;&({])[ \t]*(?:echo|printf|[Ww]rite-[Hh]ost|[Ww]rite-[Oo]utput)\b[^\n;]*|(?<=\s)(?:-o|--output)[ \t=]*[^\s-]\S*|>{1,2}[ \t]*\S+/g;

/** Returns the commands of a round without what they print. Signs between quotes belong to the request. */
function withoutOutput(body: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: output, index } of maskQuoted(body).matchAll(OUTPUT_PATTERN)) {
    kept += body.slice(from, index);
    from = index + output.length;
  }
  return kept + body.slice(from);
}

const PAUSE_PATTERN =
  /(?<=^|[\n;&({])[ \t]*(?:sleep|Start-Sleep)[ \t]+(?:(-(?:Seconds|Milliseconds|s|m))[ \t]+)?("?[\w.$]+"?)[ \t]*(?=[\n;&)}]|$)/gi;

/** Reads what a round does: its pause, whether the next round waits for its end, and what it sends with the variable of the loop. */
function readBody(
  { keyword, head, isPosix, limit = '' }: Loop,
  { variable, values }: Rounds,
  body: string,
  outside: string,
  countCommands: (part: string) => number,
): LoopReading {
  const unreadable = (what: string): LoopReading => ({ kind: 'unreadable', keyword, what });
  // `while sleep 1` waits in its condition.
  const pauses = [...`${/^(?:while|until)$/i.test(keyword) ? `${head}\n` : ''}${body}`.matchAll(PAUSE_PATTERN)].map(
    ([, unit, amount = '']) => secondsOf(amount, unit),
  );
  if (pauses.some(Number.isNaN)) return unreadable('The pause of the loop is in a variable.');
  const kept = body.replaceAll(PAUSE_PATTERN, ' ');
  const text = `${outside.replaceAll(/(?<=^|[\n;])[ \t]*wait[ \t]*(?=[\n;]|$)/g, '')}\n${kept}`;
  const throttle = /-Parallel\b/i.test(head) ? Number(/-ThrottleLimit[ \t]+(\d+)/i.exec(`${head}${limit}`)?.[1] ?? 5) : 1;
  const isBackground = /(?<![&>|<])&(?=[\s)]|$)/.test(maskQuoted(kept));
  const commands = countCommands(kept);
  if (isBackground && commands > 1) return unreadable('Several commands of a round run in the background.');
  const rounds = values?.length ?? null;
  const pauseSeconds = pauses.reduce((sum, one) => sum + one, 0);
  if (isBackground && rounds === null && pauseSeconds === 0)
    return unreadable('It starts commands without end and without waiting for them.');
  const atOnce = isBackground && pauseSeconds === 0 ? (rounds ?? 1) : Math.min(throttle, rounds ?? throttle);
  const repetition: Repetition = { keyword, rounds, atOnce, pauseSeconds, isBackground, isWrittenOut: false };
  const isUsed = variable !== null && new RegExp(String.raw`[$%]\{?${variable}\b|\$_\b`).test(withoutOutput(kept));
  if (!isUsed) return { kind: 'read', text, repetition };
  const [from, to] = [Number(values?.[0]), Number(values?.at(-1))];
  if (rounds !== null && atOnce === rounds && Number.isInteger(from) && from >= 0 && to - from === rounds - 1 && pauseSeconds === 0)
    return { kind: 'read', text, repetition: { ...repetition, numbered: { name: variable, from, to } } };
  if (values === null || isBackground || atOnce > 1 || !isPosix || !/^for$/.test(keyword))
    return unreadable(`Each round has another value of $${variable}.`);
  if (values.length * commands > MAX_STEPS) return unreadable(describeDifferentRequests(values.length));
  const written = values.map((value) => `${variable}='${value.replaceAll("'", '')}'\n${kept}`).join('\n');
  return { kind: 'read', text: `${outside}\n${written}`, repetition: { ...repetition, rounds: 1, isWrittenOut: true } };
}

function secondsOf(amount: string, option = ''): number {
  const [, number = '', unit = ''] = /^"?(\d*\.?\d+)([smhd]?)"?$/.exec(amount) ?? [];
  if (number === '') return Number.NaN;
  return Number(number) * (/^-m/i.test(option) ? 0.001 : (secondsOfUnit(unit === '' ? 's' : unit) ?? Number.NaN));
}
