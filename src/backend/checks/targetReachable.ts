import { connect } from 'node:net';
import type { Problem } from '#core/errors.ts';
import { unconsentedHosts } from '#core/plan/check.ts';
import { ExchangeFailure } from '../services/targets/exchange.ts';
import { unreachableProblem } from '../services/targets/unreachable.ts';
import type { Check } from './check.ts';

/** What one attempt to connect came to; null when the connection was made. */
export interface Attempt {
  readonly origin: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export interface Reachability {
  readonly attempts: readonly Attempt[];
  /** Addresses left alone because nobody has permitted to test their hosts yet. */
  readonly unpermitted: number;
  /** Addresses left alone because there are more than are tried. */
  readonly beyond: number;
}

const MOST_TRIED = 8;
const CONNECT_LIMIT_MS = 3_000;

/** A connection without a request: the server's log stays as exact as the run needs it. */
export const targetReachable: Check<Reachability> = {
  id: 'targetReachable',
  about: 'Whether the target accepts connections',
  async probe({ plan }) {
    const origins = [...new Set(plan.targets.map(({ url }) => new URL(url).origin))];
    const forbidden = new Set(unconsentedHosts(plan));
    const permitted = origins.filter((origin) => !forbidden.has(new URL(origin).hostname));
    const tried = permitted.slice(0, MOST_TRIED);
    return {
      attempts: await Promise.all(tried.map(async (origin) => ({ origin, failure: await connectOnce(origin) }))),
      unpermitted: origins.length - permitted.length,
      beyond: permitted.length - tried.length,
    };
  },
  judge({ attempts, unpermitted, beyond }) {
    const problems = attempts.flatMap(problemsOf);
    const evidence = evidenceOf(attempts, unpermitted, beyond);
    if (problems.length > 0)
      return {
        level: 'problem',
        title:
          attempts.length === 1 ? 'The target cannot be reached' : `${problems.length} of ${attempts.length} targets cannot be reached`,
        evidence: unique(problems.map(({ message }) => message)),
        matters: 'Requests to it would all fail, so the run would measure nothing but errors.',
        remedy: { text: unique(problems.map(({ hint }) => hint)), command: null, undo: null, risk: '' },
      };
    if (unpermitted > 0)
      return {
        level: 'info',
        title: unpermitted === 1 ? 'A target was not tried yet' : `${unpermitted} targets were not tried yet`,
        evidence,
        matters: 'Holdfast connects to a public server only after you have confirmed that you may test it.',
        remedy: { text: 'Confirm the permission on this page; then it is tried.', command: null, undo: null, risk: '' },
      };
    return {
      level: 'ok',
      title: attempts.length === 1 ? 'The target accepts connections' : `${attempts.length} targets accept connections`,
      evidence,
      matters: 'One connection was opened and closed without a request. What the server answers shows only in the run.',
      remedy: null,
    };
  },
};

function problemsOf({ origin, failure }: Attempt): Problem[] {
  return failure ? [unreachableProblem(new ExchangeFailure(failure.code, failure.message), new URL(origin))] : [];
}

function evidenceOf(attempts: readonly Attempt[], unpermitted: number, beyond: number): string {
  const parts = attempts.length > 0 ? [`Connected to ${attempts.map(({ origin }) => new URL(origin).host).join(', ')}.`] : [];
  if (unpermitted > 0) parts.push(`${unpermitted} without permission yet.`);
  if (beyond > 0) parts.push(`${beyond} more were not tried.`);
  return parts.join(' ');
}

function unique(sentences: readonly string[]): string {
  return [...new Set(sentences)].join(' ');
}

/** Never throws. The limit holds for the look-up of the name and the connection together. */
function connectOnce(origin: string): Promise<Attempt['failure']> {
  const { hostname, port, protocol } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) });
    const settle = (failure: Attempt['failure']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => settle({ code: 'ETIMEDOUT', message: 'no connection in time' }), CONNECT_LIMIT_MS);
    socket.once('connect', () => settle(null));
    // Stays after the first: a socket that is being destroyed may still tell of an error.
    socket.on('error', (error: NodeJS.ErrnoException) => settle({ code: error.code ?? 'UNKNOWN', message: error.message }));
  });
}
