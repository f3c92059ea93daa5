import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { Visitor } from '#lab/testing/visitor.ts';
import type { Figure } from '../framework/figure.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import { meanMs, knownMs } from '../framework/readings.ts';

export const DESCRIPTION = '/tasks/coprobber/description';
/** Size of a description page in bytes, if its timestamp does not end in a zero. */
export const DESCRIPTION_BYTES = 6_844;
/** Tolerance for times. Timers fire up to a few ms late, which matters little for times of 150 ms and more. */
export const TIME_TOLERANCE = 0.1;

/** A contestant who is logged in. */
export interface Contestant {
  /** Value of the Cookie header. */
  readonly cookie: string;
  readonly xsrf: string;
}

export async function logIn(lab: LabProcess): Promise<Contestant> {
  const [account] = lab.accounts;
  const visitor = new Visitor(lab.urls[0] ?? '');
  await visitor.logIn(account?.username ?? '', account?.password ?? '');
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, xsrf: visitor.cookies.get('_xsrf') ?? '' };
}

/**
 * Returns the figure for the mean service time of a page. A page takes 0.8 to 1.2 times the configured time, and on average exactly the
 * configured time.
 */
export function meanTime(serviceMs: number, result: RunResult, lines: readonly LoggedRequest[]): Figure {
  const measured = knownMs(result.latency.service.mean);
  return { name: 'mean time', unit: 'ms', predicted: serviceMs, measured, logged: meanMs(lines), within: TIME_TOLERANCE * serviceMs };
}
