import { z } from 'zod';
import { addCounters, SERVER_COUNTERS } from '#core/measurement/counters.ts';
import type { ServerCount, Window } from '#core/measurement/window.ts';
import { emptyServerCount } from '#core/measurement/windowFold.ts';

/** A time in which a server sent no response, with its cost. */
export const silenceSchema = z.strictObject({
  fromSecond: z.number(),
  toSecond: z.number(),
  /** Number of requests to the server without a response in that time. */
  lost: z.int().default(0),
  /** Number of requests to any server that failed in that time. */
  failed: z.int().default(0),
  /** The longest response time in ms during that time, up to the second in which the server responded again. */
  longestMs: z.number().nullable().default(null),
});
export type Silence = z.output<typeof silenceSchema>;

/** Counts of one server in one window. */
export interface ServerWindowCounts {
  readonly count: ServerCount;
  /** Number of responses from the server itself. */
  good: number;
  /** Number of requests that a proxy sent to the server without getting a response. */
  tried: number;
  /** Number of requests in `tried`, plus those to the server that had no response. */
  lost: number;
  /** Longest time in µs for which the proxy waited for the server without getting a response. */
  hungUs: number;
}

export function createServerWindowCounts(): ServerWindowCounts {
  return { count: emptyServerCount(), good: 0, tried: 0, lost: 0, hungUs: 0 };
}

/** Counts of all servers in one window. */
interface AllServerCounts {
  readonly good: number;
  readonly failed: number;
  readonly longestUs: number;
}

/** Minimum number of missing responses, of those expected, at which chance is excluded. */
const MIN_MISSED = 3;
/**
 * Thresholds of a hang: minimum duration, minimum excess of the times over usual ones relative to the duration, and minimum ratio to the
 * longest earlier response.
 */
const HANG_THRESHOLDS = { seconds: 2, excess: 1.5, times: 1.5 };
/** Thresholds if the other servers continued: the number of responses expected from the silent server, and the minimum duration. */
const OTHERS_CONTINUED_THRESHOLDS = { missed: 20, seconds: 3 };

/** A time without responses that is not over. It may be a silence or chance. */
interface Gap {
  readonly fromSecond: number;
  /** Whether the server had not responded before. */
  readonly isFirst: boolean;
  firstLost: number | null;
  lastLost: number;
  lost: number;
  failed: number;
  longestUs: number;
  /** Number of responses from the other servers. `lastSecond`: end of the last window with such a response or with a loss. */
  others: number;
  lastSecond: number;
  /** Whether requests were in flight all the time. */
  isAsked: boolean;
  /** Whether, at the end, no server responded although requests were in flight. */
  isOutstanding: boolean;
}

/** The window in which a server responded again, and the window after it, because responses that hung may arrive in both. */
interface ServerReturn {
  readonly second: number;
  readonly count: ServerCount;
  longestUs: number;
}

/** Figures of a server before its silence. */
interface UsualFigures {
  readonly perSecond: number;
  /** Mean service time in µs. */
  readonly meanUs: number;
  /** The longest response time in µs. */
  readonly longestUs: number;
}

/** A silence that has just ended. The next window decides its kind. */
interface Ending {
  readonly gap: Gap;
  readonly back: ServerReturn;
  readonly usual: UsualFigures;
}

/**
 * Finds times in which a server did not respond although requests were sent to it, window by window. Three signs show that requests were
 * sent to it: requests to it were lost; many responses arrived at once afterwards; or the other servers sent so many responses that its
 * share cannot be 0 by chance. A silence begins at the server's last response, or at the first loss if requests to it are rare. Before its
 * first response, a silence begins with the first request to any server. If a server was only left out, that counts only if it is known to
 * have existed from the beginning (`isKnown`).
 */
export class ServerSilence {
  private readonly over: Silence[] = [];
  private gap: Gap | null = null;
  private ending: Ending | null = null;
  /** A silence before the first response, which only later figures can confirm. */
  private beginning: { readonly gap: Gap; readonly back: ServerReturn } | null = null;
  private firstGood: number | null = null;
  private lastGood: number | null = null;
  /** Number of requests that were lost in the last window with a response: the server failed in that window. */
  private lostWithGood = 0;
  private goods = 0;
  private serviceUs = 0;
  private all = 0;
  private longestUs = 0;

  /**
   * Adds a window. Returns whether a silence certainly ended with this window or the previous one. Responses that hung arrive at that time
   * and shortly after it.
   */
  add({ second, width, inFlight }: Window, { count, good, lost, hungUs }: ServerWindowCounts, all: AllServerCounts): boolean {
    this.all += all.good;
    const isOver = this.decide(count, good, all.longestUs);
    // A request that a proxy gave up counts in the second in which it was sent.
    const askedSecond = Math.min(second, Math.floor(second + width - hungUs / 1e6));
    if (good === 0) {
      if (this.gap === null && this.lastGood === null && lost === 0 && all.good === 0 && inFlight === 0) return isOver;
      const gap = (this.gap ??= createGap(this.lastGood ?? second, this.lostWithGood, this.lastGood === null));
      if (lost > 0) addLosses(gap, askedSecond, second + width, lost);
      gap.failed += all.failed;
      gap.longestUs = Math.max(gap.longestUs, all.longestUs);
      gap.others += all.good;
      if (lost > 0 || all.good > 0) gap.lastSecond = second + width;
      gap.isAsked &&= inFlight > 0;
      gap.isOutstanding = inFlight > 0 && all.good === 0;
      return isOver;
    }
    if (this.gap !== null) {
      if (lost > 0 && askedSecond < second) {
        addLosses(this.gap, askedSecond, second, lost);
        this.gap.failed += Math.min(lost, all.failed);
      }
      this.ending = { gap: this.gap, back: { second, count: { ...count }, longestUs: all.longestUs }, usual: this.usualFigures() };
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

  /** Whether the server was silent until just now, while it is still unknown whether its responses hung. */
  get isEnding(): boolean {
    return this.ending !== null && this.ending.back.second - this.ending.gap.fromSecond >= HANG_THRESHOLDS.seconds;
  }

  /** Adds the longest response of a window without hanging responses. */
  addUsual(longestUs: number): void {
    this.longestUs = Math.max(this.longestUs, longestUs);
  }

  /** Returns the silences so far, including a current one. */
  listSilences(isKnown = false): Silence[] {
    const first = this.beginning === null ? null : this.firstSilence(this.beginning.gap, this.beginning.back, isKnown);
    const { ending, gap } = this;
    const ended = ending === null || ending.gap.isFirst ? null : this.findSilence(ending.gap, ending.back, ending.usual);
    const open =
      gap === null ? null : gap.isFirst ? this.firstSilence(gap, null, isKnown) : this.findSilence(gap, null, this.usualFigures());
    return [first, ...this.over, ended, open].filter((silence) => silence !== null);
  }

  /** Decides the kind of a silence that has just ended, using the window after its end. Returns whether it was a silence. */
  private decide(count: ServerCount, good: number, longestUs: number): boolean {
    if (this.ending === null) return false;
    const { gap, back, usual } = this.ending;
    this.ending = null;
    if (good > 0) {
      addCounters(SERVER_COUNTERS, back.count, count);
      back.longestUs = Math.max(back.longestUs, longestUs);
    }
    if (gap.isFirst) return false;
    const silence = this.findSilence(gap, back, usual);
    if (silence === null) this.addUsual(back.longestUs);
    else this.over.push(silence);
    return silence !== null;
  }

  private usualFigures(): UsualFigures {
    return {
      perSecond: this.firstGood === null || this.lastGood === null ? 0 : this.goods / (this.lastGood - this.firstGood),
      meanUs: this.serviceUs / Math.max(1, this.goods),
      longestUs: this.longestUs,
    };
  }

  /** Returns the initial state of a server whose first response has just arrived: the silence of all servers so far is its own. */
  copy(): ServerSilence {
    const copy = new ServerSilence();
    copy.all = this.all;
    copy.gap = this.gap === null ? null : { ...this.gap };
    return copy;
  }

  /** Returns the silence before a server's first response; null if there is none. `back` is null if the server has not responded. */
  private firstSilence(gap: Gap, back: ServerReturn | null, isKnown: boolean): Silence | null {
    const seconds = (back?.second ?? gap.lastSecond) - gap.fromSecond;
    const cost = computeLosses(gap, back);
    if (gap.firstLost !== null) return { fromSecond: gap.firstLost, toSecond: gap.lastLost, ...cost };
    const isLong = seconds >= OTHERS_CONTINUED_THRESHOLDS.seconds && gap.isAsked;
    if (back === null) {
      const isOutstanding = isKnown && isLong && gap.isOutstanding && gap.others >= OTHERS_CONTINUED_THRESHOLDS.missed;
      return isOutstanding ? { fromSecond: gap.fromSecond, toSecond: gap.lastSecond, ...cost } : null;
    }
    const later = this.goods - back.count.responded;
    const usualUs = later <= 0 ? 0 : (this.serviceUs - back.count.serviceUs) / later;
    const wasStuck =
      gap.others >= MIN_MISSED &&
      wasHanging({ seconds, excessUs: computeExcess(back.count, usualUs), longestUs: back.longestUs }, gap.longestUs);
    const wasLeftOut = isKnown && isLong && this.countMissed(gap) >= OTHERS_CONTINUED_THRESHOLDS.missed;
    return wasStuck || wasLeftOut ? { fromSecond: gap.fromSecond, toSecond: back.second, ...cost } : null;
  }

  private findSilence(gap: Gap, back: ServerReturn | null, { perSecond, meanUs, longestUs }: UsualFigures): Silence | null {
    const toSecond = back?.second ?? gap.lastSecond;
    const cost = computeLosses(gap, back);
    if (gap.firstLost !== null) {
      const isMissed = (seconds: number): boolean => perSecond * seconds >= MIN_MISSED;
      return {
        fromSecond: isMissed(gap.firstLost - gap.fromSecond) ? gap.fromSecond : gap.firstLost,
        toSecond: isMissed(toSecond - gap.lastLost) ? toSecond : gap.lastLost,
        ...cost,
      };
    }
    const seconds = toSecond - gap.fromSecond;
    const areMissed = perSecond * seconds >= MIN_MISSED;
    const wasLost = gap.lost > 0 && areMissed;
    const wasStuck =
      back !== null &&
      areMissed &&
      wasHanging({ seconds, excessUs: computeExcess(back.count, meanUs), longestUs: back.longestUs }, longestUs);
    const wasLeftOut =
      gap.isAsked && seconds >= OTHERS_CONTINUED_THRESHOLDS.seconds && this.countMissed(gap) >= OTHERS_CONTINUED_THRESHOLDS.missed;
    return wasLost || wasStuck || wasLeftOut ? { fromSecond: gap.fromSecond, toSecond, ...cost } : null;
  }

  /** Returns the number of missing responses that was expected, by the share of the server at other times. */
  private countMissed({ others }: Gap): number {
    const share = this.goods / Math.max(1, this.all - others);
    return share === 1 ? 0 : (others * share) / (1 - share);
  }
}

/** Returns whether responses arrived at once after they had hung. `before`: the longest response until then, in µs. */
function wasHanging(back: { seconds: number; excessUs: number; longestUs: number }, before: number): boolean {
  return (
    back.seconds >= HANG_THRESHOLDS.seconds &&
    back.excessUs >= HANG_THRESHOLDS.excess * back.seconds * 1e6 &&
    back.longestUs >= HANG_THRESHOLDS.times * before
  );
}

function computeExcess({ serviceUs, responded }: ServerCount, usualUs: number): number {
  return serviceUs - responded * usualUs;
}

function computeLosses(gap: Gap, back: ServerReturn | null): Pick<Silence, 'lost' | 'failed' | 'longestMs'> {
  return { lost: gap.lost, failed: gap.failed, longestMs: Math.max(gap.longestUs, back?.longestUs ?? 0) / 1_000 || null };
}

/** Counts lost requests: they were sent from `askedSecond` on, and their loss was known at `lostSecond`. */
function addLosses(gap: Gap, askedSecond: number, lostSecond: number, lost: number): void {
  const firstSecond = Math.max(gap.fromSecond, askedSecond);
  gap.firstLost = Math.min(gap.firstLost ?? firstSecond, firstSecond);
  gap.lastLost = lostSecond;
  gap.lost += lost;
}

function createGap(fromSecond: number, lost: number, isFirst: boolean): Gap {
  const none = { firstLost: null, lastLost: 0, failed: 0, longestUs: 0, others: 0, isOutstanding: false };
  return { ...none, fromSecond, isFirst, lost, lastSecond: fromSecond, isAsked: true };
}
