import { z } from 'zod';
import { addCounters, SERVER_COUNTERS } from '#core/measurement/counters.ts';
import type { ServerCount, Window } from '#core/measurement/window.ts';
import { noServerCount } from '#core/measurement/windowFold.ts';

/** A time in which a server answered nothing, and what it cost. */
export const silenceSchema = z.strictObject({
  fromSecond: z.number(),
  toSecond: z.number(),
  /** Requests to it that got no answer of it in that time. */
  lost: z.int().default(0),
  /** Requests that failed in that time, to whichever server. */
  failed: z.int().default(0),
  /** The longest answer of that time, up to the second in which it answered again. */
  longestMs: z.number().nullable().default(null),
});
export type Silence = z.output<typeof silenceSchema>;

/** What a server did in one window. */
export interface Turn {
  readonly count: ServerCount;
  /** Answers that are its own. */
  good: number;
  /** Requests that a proxy asked it for in vain. */
  tried: number;
  /** Those, and requests to it without any answer. */
  lost: number;
  /** How long the proxy waited for it in vain: the longest, in µs. */
  hungUs: number;
}

export function noTurn(): Turn {
  return { count: noServerCount(), good: 0, tried: 0, lost: 0, hungUs: 0 };
}

/** What all servers did in one window. */
interface AllTurns {
  readonly good: number;
  readonly failed: number;
  readonly longestUs: number;
}

/** So many answers that should have come in a time did not: no chance. */
const MISSED = 3;
/** What was stuck says so by how long it took: as long as the silence, of one request and a half at least, and no answer before took nearly as long. */
const STUCK = { seconds: 2, excess: 1.5, times: 1.5 };
/** Others went on, and so many of their answers would have been its own. */
const WENT_ON = { missed: 20, seconds: 3 };

/** A time without an answer that is not over, whether or not it means anything. */
interface Gap {
  readonly fromSecond: number;
  /** Whether the server had not answered anything yet. */
  readonly isFirst: boolean;
  firstLost: number | null;
  lastLost: number;
  lost: number;
  failed: number;
  longestUs: number;
  /** Answers of the other servers, and the end of the last window that had one or lost one. */
  others: number;
  lastSecond: number;
  /** Whether anything was on its way at all times. */
  isAsked: boolean;
  /** Whether nothing at all was answered in the end, although something was on its way. */
  isOwed: boolean;
}

/** The window in which a server answered again, and the one after it: what was stuck may come in both. */
interface Return {
  readonly second: number;
  readonly count: ServerCount;
  longestUs: number;
}

/** What a server did before it fell silent. */
interface Usual {
  readonly perSecond: number;
  /** Mean service time in µs. */
  readonly meanUs: number;
  /** The longest answer in µs. */
  readonly longestUs: number;
}

/** A silence that has just ended; what it was is decided with the next window. */
interface Ending {
  readonly gap: Gap;
  readonly back: Return;
  readonly usual: Usual;
}

/**
 * When a server answered nothing although it was asked, told window by window. It was asked where requests to it were lost, where what it had been asked came all at once afterwards, and where others went on
 * with so many answers that its share of them cannot have been none by chance. Since when: its last answer, unless it is asked so seldom that only what was lost tells. Before its first answer, it was asked since anybody
 * was; that it was left out tells only of one that is known to be there from the beginning (`isKnown`).
 */
export class ServerSilence {
  private readonly over: Silence[] = [];
  private gap: Gap | null = null;
  private ending: Ending | null = null;
  /** What came before its first answer: what it means is told by what came later. */
  private beginning: { readonly gap: Gap; readonly back: Return } | null = null;
  private firstGood: number | null = null;
  private lastGood: number | null = null;
  /** Lost in the last second in which it answered: it went in the middle of it. */
  private lostWithGood = 0;
  private goods = 0;
  private serviceUs = 0;
  private all = 0;
  private longestUs = 0;

  /** Whether a silence is known to have ended with this window or the one before: what had been stuck is answered then, and in the seconds after. */
  add({ second, width, inFlight }: Window, { count, good, lost, hungUs }: Turn, all: AllTurns): boolean {
    this.all += all.good;
    const isOver = this.decide(count, good, all.longestUs);
    // What a proxy gave up only now was on its way before.
    const askedSecond = Math.min(second, Math.floor(second + width - hungUs / 1e6));
    if (good === 0) {
      if (this.gap === null && this.lastGood === null && lost === 0 && all.good === 0 && inFlight === 0) return isOver;
      const gap = (this.gap ??= newGap(this.lastGood ?? second, this.lostWithGood, this.lastGood === null));
      if (lost > 0) loseIn(gap, askedSecond, second + width, lost);
      gap.failed += all.failed;
      gap.longestUs = Math.max(gap.longestUs, all.longestUs);
      gap.others += all.good;
      if (lost > 0 || all.good > 0) gap.lastSecond = second + width;
      gap.isAsked &&= inFlight > 0;
      gap.isOwed = inFlight > 0 && all.good === 0;
      return isOver;
    }
    if (this.gap !== null) {
      if (lost > 0 && askedSecond < second) {
        loseIn(this.gap, askedSecond, second, lost);
        this.gap.failed += Math.min(lost, all.failed);
      }
      this.ending = { gap: this.gap, back: { second, count: { ...count }, longestUs: all.longestUs }, usual: this.usual() };
      if (this.gap.isFirst) this.beginning = this.ending;
    }
    this.gap = null;
    this.firstGood ??= second;
    this.lastGood = second + width;
    this.goods += good;
    this.lostWithGood = lost;
    this.serviceUs += count.serviceUs;
    return isOver;
  }

  /** Whether it was silent until just now, and nobody knows yet whether its answers were stuck. */
  get isEnding(): boolean {
    return this.ending !== null && this.ending.back.second - this.ending.gap.fromSecond >= STUCK.seconds;
  }

  /** The longest answer of a window in which nothing had been stuck. */
  addUsual(longestUs: number): void {
    this.longestUs = Math.max(this.longestUs, longestUs);
  }

  /** Those so far, the one that goes on included. */
  found(isKnown = false): Silence[] {
    const first = this.beginning === null ? null : this.firstSilence(this.beginning.gap, this.beginning.back, isKnown);
    const { ending, gap } = this;
    const ended = ending === null || ending.gap.isFirst ? null : this.silenceOf(ending.gap, ending.back, ending.usual);
    const open = gap === null ? null : gap.isFirst ? this.firstSilence(gap, null, isKnown) : this.silenceOf(gap, null, this.usual());
    return [first, ...this.over, ended, open].filter((silence) => silence !== null);
  }

  /** Says of a silence that has just ended what it was, now that the window after its end is known; whether it was one. */
  private decide(count: ServerCount, good: number, longestUs: number): boolean {
    if (this.ending === null) return false;
    const { gap, back, usual } = this.ending;
    this.ending = null;
    if (good > 0) {
      addCounters(SERVER_COUNTERS, back.count, count);
      back.longestUs = Math.max(back.longestUs, longestUs);
    }
    if (gap.isFirst) return false;
    const silence = this.silenceOf(gap, back, usual);
    if (silence === null) this.addUsual(back.longestUs);
    else this.over.push(silence);
    return silence !== null;
  }

  private usual(): Usual {
    return {
      perSecond: this.firstGood === null || this.lastGood === null ? 0 : this.goods / (this.lastGood - this.firstGood),
      meanUs: this.serviceUs / Math.max(1, this.goods),
      longestUs: this.longestUs,
    };
  }

  /** That of a server which is first heard of now, and was as silent so far. */
  copy(): ServerSilence {
    const copy = new ServerSilence();
    copy.all = this.all;
    copy.gap = this.gap === null ? null : { ...this.gap };
    return copy;
  }

  /** `back`: null where it answered nothing up to now. */
  private firstSilence(gap: Gap, back: Return | null, isKnown: boolean): Silence | null {
    const seconds = (back?.second ?? gap.lastSecond) - gap.fromSecond;
    const cost = costOf(gap, back);
    if (gap.firstLost !== null) return { fromSecond: gap.firstLost, toSecond: gap.lastLost, ...cost };
    const isLong = seconds >= WENT_ON.seconds && gap.isAsked;
    if (back === null) {
      const isOwed = isKnown && isLong && gap.isOwed && gap.others >= WENT_ON.missed;
      return isOwed ? { fromSecond: gap.fromSecond, toSecond: gap.lastSecond, ...cost } : null;
    }
    const later = this.goods - back.count.answered;
    const usualUs = later <= 0 ? 0 : (this.serviceUs - back.count.serviceUs) / later;
    const wasStuck =
      gap.others >= MISSED && isStuck({ seconds, excessUs: excessOf(back.count, usualUs), longestUs: back.longestUs }, gap.longestUs);
    const wasLeftOut = isKnown && isLong && this.missedIn(gap) >= WENT_ON.missed;
    return wasStuck || wasLeftOut ? { fromSecond: gap.fromSecond, toSecond: back.second, ...cost } : null;
  }

  private silenceOf(gap: Gap, back: Return | null, { perSecond, meanUs, longestUs }: Usual): Silence | null {
    const toSecond = back?.second ?? gap.lastSecond;
    const cost = costOf(gap, back);
    if (gap.firstLost !== null) {
      const isMissed = (seconds: number): boolean => perSecond * seconds >= MISSED;
      return {
        fromSecond: isMissed(gap.firstLost - gap.fromSecond) ? gap.fromSecond : gap.firstLost,
        toSecond: isMissed(toSecond - gap.lastLost) ? toSecond : gap.lastLost,
        ...cost,
      };
    }
    const seconds = toSecond - gap.fromSecond;
    const areMissed = perSecond * seconds >= MISSED;
    const wasLost = gap.lost > 0 && areMissed;
    const wasStuck =
      back !== null && areMissed && isStuck({ seconds, excessUs: excessOf(back.count, meanUs), longestUs: back.longestUs }, longestUs);
    const wasLeftOut = gap.isAsked && seconds >= WENT_ON.seconds && this.missedIn(gap) >= WENT_ON.missed;
    return wasLost || wasStuck || wasLeftOut ? { fromSecond: gap.fromSecond, toSecond, ...cost } : null;
  }

  /** Answers that would have been its own, by its share of those at other times. */
  private missedIn({ others }: Gap): number {
    const share = this.goods / Math.max(1, this.all - others);
    return share === 1 ? 0 : (others * share) / (1 - share);
  }
}

/** Whether what had been asked came all at once, after a time in which it was stuck. `before`: the longest answer until then, in µs. */
function isStuck(back: { seconds: number; excessUs: number; longestUs: number }, before: number): boolean {
  return back.seconds >= STUCK.seconds && back.excessUs >= STUCK.excess * back.seconds * 1e6 && back.longestUs >= STUCK.times * before;
}

function excessOf({ serviceUs, answered }: ServerCount, usualUs: number): number {
  return serviceUs - answered * usualUs;
}

function costOf(gap: Gap, back: Return | null): Pick<Silence, 'lost' | 'failed' | 'longestMs'> {
  return { lost: gap.lost, failed: gap.failed, longestMs: Math.max(gap.longestUs, back?.longestUs ?? 0) / 1_000 || null };
}

/** Counts requests that were asked for in vain from one second on, and are known to be lost at another. */
function loseIn(gap: Gap, askedSecond: number, lostSecond: number, lost: number): void {
  const asked = Math.max(gap.fromSecond, askedSecond);
  gap.firstLost = Math.min(gap.firstLost ?? asked, asked);
  gap.lastLost = lostSecond;
  gap.lost += lost;
}

function newGap(fromSecond: number, lost: number, isFirst: boolean): Gap {
  const none = { firstLost: null, lastLost: 0, failed: 0, longestUs: 0, others: 0, isOwed: false };
  return { ...none, fromSecond, isFirst, lost, lastSecond: fromSecond, isAsked: true };
}
