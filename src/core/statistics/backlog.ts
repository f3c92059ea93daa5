/** Cumulative numbers of jobs that began and of results that were received, by the end of a second. */
export interface Progress {
  readonly second: number;
  readonly begun: number;
  readonly came: number;
}

export interface Work {
  readonly perSecond: number | null;
  /**
   * Whether results arrived at the rate at which jobs began. If they did, the workers' capacity is unknown, because it was never needed.
   */
  readonly keptUp: boolean;
  readonly most: number;
  readonly mostAtSecond: number | null;
  readonly clearedAtSecond: number | null;
}

/** Minimum number of results from which a rate is computed. */
const MIN_RESULTS = 10;

/** Maximum relative difference between the rates of results and of new jobs at which workers count as keeping up. */
const MAX_RATE_DIFFERENCE = 0.15;

/** Multiple of the 95th percentile of the waits. A job that began at least this long before the end of the run should have its result. */
const DUE_P95_MULTIPLE = 1.5;
/** Maximum usable wait, as a share of the run. In a queue that only grows, waits become as long as the run itself. */
const MAX_DUE_SHARE_OF_RUN = 1 / 3;

/**
 * Measures how fast a queue was worked off. The rate is the slope (least squares) of the cumulative results, from the first result on. Only
 * seconds with outstanding jobs count, because idle workers do not show their speed.
 */
export function measureWork(progress: readonly Progress[]): Work {
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
  const busy = findLongestBusy(progress);
  return {
    perSecond: rateOf(progress, busy),
    keptUp: isKeptUp(progress, busy),
    most,
    mostAtSecond,
    clearedAtSecond: cleared?.second ?? null,
  };
}

/**
 * Counts the jobs that are overdue at the end: they have no result and began earlier than 1.5 × `p95Seconds` before the end. Jobs that
 * began shortly before the end cannot have a result. `p95Seconds` is the 95th percentile of completed jobs.
 */
export function countOverdue(progress: readonly Progress[], p95Seconds: number): number {
  const usualSeconds = DUE_P95_MULTIPLE * p95Seconds;
  const [first, last] = [progress.find(({ begun }) => begun > 0), progress.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const isReported = usualSeconds <= MAX_DUE_SHARE_OF_RUN * (last.second - first.second);
  const due = isReported ? (progress.findLast(({ second }) => second <= last.second - usualSeconds)?.begun ?? 0) : last.begun;
  return Math.max(0, due - last.came);
}

function rateOf(progress: readonly Progress[], busy: readonly Progress[]): number | null {
  const total = progress.at(-1)?.came ?? 0;
  if (total < MIN_RESULTS || busy.length < 3) return null;
  return slopeOf(busy, ({ came }) => came);
}

/**
 * Returns whether workers kept up: most results arrived outside the longest time with outstanding jobs, or the rate of results was within
 * 15 % of the rate of new jobs.
 */
function isKeptUp(progress: readonly Progress[], busy: readonly Progress[]): boolean {
  const end = progress.at(-1);
  if (end === undefined) return false;
  if ((busy.at(-1)?.came ?? 0) - (busy[0]?.came ?? 0) < end.came / 2) return true;
  const lastBegun = progress.find(({ begun }) => begun === end.begun)?.second ?? end.second;
  const meanwhile = busy.filter(({ second }) => second <= lastBegun);
  const [begun, came] = [slopeOf(meanwhile, (one) => one.begun), slopeOf(meanwhile, (one) => one.came)];
  return begun !== null && came !== null && Math.abs(came - begun) <= MAX_RATE_DIFFERENCE * begun;
}

/** Returns the least-squares slope per second; null if nothing grows or there are fewer than three points. */
function slopeOf(progress: readonly Progress[], valueOf: (one: Progress) => number): number | null {
  if (progress.length < 3) return null;
  const meanSecond = progress.reduce((sum, { second }) => sum + second, 0) / progress.length;
  const meanValue = progress.reduce((sum, one) => sum + valueOf(one), 0) / progress.length;
  const spread = progress.reduce((sum, { second }) => sum + (second - meanSecond) ** 2, 0);
  const productSum = progress.reduce((sum, one) => sum + one.second * (valueOf(one) - meanValue), 0);
  return productSum <= 0 ? null : productSum / spread;
}

/**
 * Returns the longest time with outstanding jobs, without the second of its first result, because workers were busy for only a part of that
 * second.
 */
function findLongestBusy(progress: readonly Progress[]): readonly Progress[] {
  let longest: Progress[] = [];
  let current: Progress[] = [];
  let cameBefore = 0;
  for (const one of progress) {
    if (one.begun <= one.came) {
      current = [];
      cameBefore = one.came;
    } else if (one.came > cameBefore) current.push(one);
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/** Computes the seconds that workers need: ceil(jobs / workers) × seconds per job. */
export function drainSeconds({ jobs, secondsEach, workers }: { jobs: number; secondsEach: number; workers: number }): number {
  return Math.ceil(jobs / workers) * secondsEach;
}

/** Expected jobs: `count` in all over `overSeconds`, and `rush` of them in a faster part at the end. */
export interface ExpectedWork {
  readonly count: number;
  readonly overSeconds: number;
  readonly rush?: { readonly count: number; readonly overSeconds: number } | undefined;
}

export interface WorkForecast {
  /** Utilization ρ = arrival rate / service rate. Above 1, the queue grows. */
  readonly usual: number;
  readonly rush: number | null;
  /** Number of jobs that wait at the end, then for how many seconds the last of them waits. */
  readonly waiting: number;
  readonly behindSeconds: number;
}

/**
 * Forecasts the backlog at the end for workers that complete `perSecond`. Jobs arrive at a constant rate λ, and then at the rate of the
 * rush. With ρ = λ/μ > 1, the queue grows by λ − μ per second.
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
