/** What was begun and what came up to the end of a second, in all. */
export interface Progress {
  readonly second: number;
  readonly begun: number;
  readonly came: number;
}

export interface Work {
  readonly perSecond: number | null;
  /** Whether results came as fast as work was begun, and no faster: those who work could have done more. */
  readonly keptUp: boolean;
  readonly most: number;
  readonly mostAtSecond: number | null;
  readonly clearedAtSecond: number | null;
}

/** Fewer results than this tell nothing about a rate. */
const LEAST_RESULTS = 10;

/** What comes within so large a part of what is begun keeps up with it. */
const ALIKE = 0.15;

/** What began so many times the 95th percentile before the end should have come. */
const USUAL_TIMES = 1.5;
/** Times that long beside the run tell nothing: a queue that only grows makes them as long as it lasts. */
const LONGEST_USUAL = 1 / 3;

/**
 * How fast a queue was worked off. The rate is the slope of a straight line (least squares) through what had come at the end of each second, from
 * the first result to the last: only while something was waited for, since workers that have nothing to do show nothing of their speed.
 */
export function workOf(progress: readonly Progress[]): Work {
  let most = 0;
  let mostAtSecond: number | null = null;
  for (const { second, begun, came } of progress) {
    if (begun - came <= most) continue;
    most = begun - came;
    mostAtSecond = second;
  }
  const last = progress.at(-1);
  const isCleared = last !== undefined && last.begun > 0 && last.begun === last.came;
  const cleared = isCleared ? progress.find(({ came }) => came === last.came) : undefined;
  const busy = longestBusy(progress);
  return {
    perSecond: rateOf(progress, busy),
    keptUp: isKeptUp(progress, busy),
    most,
    mostAtSecond,
    clearedAtSecond: cleared?.second ?? null,
  };
}

/**
 * Of what had not come in the end, how much had been waited for longer than usual: whoever hands something in shortly before the end has no result then, and nobody is behind for it. `p95Seconds` of
 * what came.
 */
export function overdueOf(progress: readonly Progress[], p95Seconds: number): number {
  const usualSeconds = USUAL_TIMES * p95Seconds;
  const [first, last] = [progress.find(({ begun }) => begun > 0), progress.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const isTold = usualSeconds <= LONGEST_USUAL * (last.second - first.second);
  const due = isTold ? (progress.findLast(({ second }) => second <= last.second - usualSeconds)?.begun ?? 0) : last.begun;
  return Math.max(0, due - last.came);
}

function rateOf(progress: readonly Progress[], busy: readonly Progress[]): number | null {
  const total = progress.at(-1)?.came ?? 0;
  if (total < LEAST_RESULTS || busy.length < 3) return null;
  return slopeOf(busy, ({ came }) => came);
}

/** Most results came while there was hardly ever work for all, or they came at the rate at which work was begun as long as any was. */
function isKeptUp(progress: readonly Progress[], busy: readonly Progress[]): boolean {
  const end = progress.at(-1);
  if (end === undefined) return false;
  if ((busy.at(-1)?.came ?? 0) - (busy[0]?.came ?? 0) < end.came / 2) return true;
  const lastBegun = progress.find(({ begun }) => begun === end.begun)?.second ?? end.second;
  const meanwhile = busy.filter(({ second }) => second <= lastBegun);
  const [begun, came] = [slopeOf(meanwhile, (one) => one.begun), slopeOf(meanwhile, (one) => one.came)];
  return begun !== null && came !== null && Math.abs(came - begun) <= ALIKE * begun;
}

/** By least squares, for each second; null where nothing grows, or two of them make no line. */
function slopeOf(progress: readonly Progress[], valueOf: (one: Progress) => number): number | null {
  if (progress.length < 3) return null;
  const meanSecond = progress.reduce((sum, { second }) => sum + second, 0) / progress.length;
  const meanValue = progress.reduce((sum, one) => sum + valueOf(one), 0) / progress.length;
  const spread = progress.reduce((sum, { second }) => sum + (second - meanSecond) ** 2, 0);
  const together = progress.reduce((sum, one) => sum + one.second * (valueOf(one) - meanValue), 0);
  return together <= 0 ? null : together / spread;
}

/** The longest time in which something was waited for all along, without the second of its first result, which is loaded in part only. */
function longestBusy(progress: readonly Progress[]): readonly Progress[] {
  let longest: Progress[] = [];
  let now: Progress[] = [];
  let cameBefore = 0;
  for (const one of progress) {
    if (one.begun <= one.came) {
      now = [];
      cameBefore = one.came;
    } else if (one.came > cameBefore) now.push(one);
    if (now.length > longest.length) longest = now;
  }
  return longest;
}

/** Seconds that workers need for so many jobs: jobs × seconds of one / workers, whole rounds of all workers at a time. */
export function drainSeconds({ jobs, secondsEach, workers }: { jobs: number; secondsEach: number; workers: number }): number {
  return Math.ceil(jobs / workers) * secondsEach;
}

/** What will be handed in: so many over a time, and the last of them in a rush. */
export interface ExpectedWork {
  readonly count: number;
  readonly overSeconds: number;
  readonly rush?: { readonly count: number; readonly overSeconds: number } | undefined;
}

export interface WorkForecast {
  /** Work that comes in by the work that can be done: above 1 the queue grows as long as it lasts. */
  readonly usual: number;
  readonly rush: number | null;
  /** Jobs that wait at the end, and how long the last of them waits. */
  readonly waiting: number;
  readonly behindSeconds: number;
}

/**
 * How far workers that manage `perSecond` will be behind at the end: work flows in at a constant rate, then at that of the rush, and out at `perSecond`
 * (ρ = λ/μ; for ρ > 1 what waits grows by λ − μ a second).
 */
export function forecastWork({ count, overSeconds, rush }: ExpectedWork, perSecond: number): WorkForecast {
  const usualSeconds = Math.max(0, overSeconds - (rush?.overSeconds ?? 0));
  const usualRate = usualSeconds === 0 ? 0 : Math.max(0, count - (rush?.count ?? 0)) / usualSeconds;
  const rushRate = rush === undefined ? null : rush.count / rush.overSeconds;
  const before = Math.max(0, (usualRate - perSecond) * usualSeconds);
  const waiting = rushRate === null ? before : Math.max(0, before + (rushRate - perSecond) * (rush?.overSeconds ?? 0));
  return {
    usual: usualRate / perSecond,
    rush: rushRate === null ? null : rushRate / perSecond,
    waiting,
    behindSeconds: waiting / perSecond,
  };
}
