/** People who do something, wait and do something again, with a page open that asks by itself. */
export interface People {
  readonly count: number;
  readonly pauseSeconds: number;
  /** null where pages ask for nothing by themselves. */
  readonly pollSeconds: number | null;
}

/** Requests a second: each of them does something once in a pause, and each open page asks once in its interval. */
export function demandOf({ count, pauseSeconds, pollSeconds }: People): {
  readonly actions: number;
  readonly polls: number;
  readonly demand: number;
} {
  const actions = count / pauseSeconds;
  const polls = pollSeconds === null ? 0 : count / pollSeconds;
  return { actions, polls, demand: actions + polls };
}

/** How long the kernel keeps the port of a connection at the end that closed it: TCP_TIMEWAIT_LEN of Linux. */
const TIME_WAIT_SECONDS = 60;

/**
 * When a machine that opens so many connections a second to one address, and closes them itself, has no port left; null where the ports come back
 * faster than they are used.
 */
export function portSeconds(
  perSecond: number,
  ports: number,
): { readonly runsOutAfterSeconds: number | null; readonly sustainablePerSecond: number } {
  const sustainablePerSecond = ports / TIME_WAIT_SECONDS;
  return { runsOutAfterSeconds: perSecond <= sustainablePerSecond ? null : ports / perSecond, sustainablePerSecond };
}
