import type { Problem } from '#core/base/errors.ts';
import { type ConnectFailure, connectOnce, hostOf, localAddressesFor } from '../targets/targetConnection.ts';
import { NoAnswer } from '../targets/singleRequest.ts';
import { unreachableProblem } from '../targets/unreachable.ts';
import type { Check } from './check.ts';
import { allTargets } from '#core/plan/targets.ts';

/** The result of one attempt to connect; `failure` is null on success. */
export interface Attempt {
  readonly origin: string;
  /** Local address of the attempt; null if the system chose it. */
  readonly from: string | null;
  readonly failure: ConnectFailure | null;
}

export interface Reachability {
  readonly attempts: readonly Attempt[];
  /** Addresses that were not tried, because the plan has no agreement. */
  readonly unpermitted: number;
  /** Addresses that were not tried, because there are too many. */
  readonly beyond: number;
  /** Why the client certificate of the plan is unusable. */
  readonly ownProblem: Problem | null;
}

/** As many as a plan may name: a list of servers is only useful if each was tried. */
const MAX_ADDRESSES = 64;
const CONNECT_LIMIT_MS = 3_000;

/** Connects, with TLS like the load, and sends no request: the server's log stays exact for the run. */
export const targetReachable: Check<Reachability> = {
  id: 'targetReachable',
  about: 'Whether the target accepts connections',
  async probe({ plan, clientCertificate: own, isAgreed }) {
    const origins = [...new Set(allTargets(plan).map(({ url }) => new URL(url).origin))];
    const permitted = isAgreed ? origins : [];
    const { socketPath, localAddresses } = plan.connections;
    const ways = permitted.flatMap((origin) => {
      const from =
        localAddresses === undefined || socketPath !== undefined ? [null] : localAddressesFor(plan.connections, hostOf(new URL(origin)));
      return from.map((address) => ({ origin, from: address }));
    });
    const tried = ways.slice(0, MAX_ADDRESSES);
    const clientCertificate = own.kind === 'usable' ? own.certificate : null;
    const attempts = tried.map(async ({ origin, from }) => {
      const connections = from === null ? plan.connections : { ...plan.connections, localAddresses: [from] };
      const connection = { tls: plan.tls, connections, clientCertificate };
      return { origin, from, failure: await connectOnce(new URL(origin), connections, connection, CONNECT_LIMIT_MS) };
    });
    return {
      attempts: await Promise.all(attempts),
      unpermitted: origins.length - permitted.length,
      beyond: ways.length - tried.length,
      ownProblem: own.kind === 'unusable' ? own.problem : null,
    };
  },
  judge({ attempts, unpermitted, beyond, ownProblem }) {
    if (ownProblem !== null)
      return {
        level: 'problem',
        title: 'The client certificate cannot be used',
        evidence: ownProblem.message,
        matters: 'The run cannot start without it.',
        remedy: { text: ownProblem.hint, command: null, undo: null, risk: '' },
      };
    const problems = attempts.flatMap(problemsOf);
    const evidence = evidenceOf(attempts, unpermitted, beyond);
    if (problems.length > 0)
      return {
        level: 'problem',
        title:
          attempts.length === 1
            ? 'The target cannot be reached'
            : `${problems.length} of ${attempts.length} ${attemptWords(attempts)} cannot be reached`,
        evidence: unique(problems.map(({ message }) => message)),
        matters: 'All requests to it would fail. The run would measure only errors.',
        remedy: { text: unique(problems.map(({ hint }) => hint)), command: null, undo: null, risk: '' },
      };
    if (unpermitted > 0)
      return {
        level: 'info',
        title: unpermitted === 1 ? 'A target was not tried' : `${unpermitted} targets were not tried`,
        evidence,
        matters: 'Holdfast connects to a server only after you have allowed what the plan asks for.',
        remedy: { text: 'Allow it, and Holdfast tries the connection.', command: null, undo: null, risk: '' },
      };
    return {
      level: 'ok',
      title: attempts.length === 1 ? 'The target accepts connections' : `${attempts.length} targets accept connections`,
      evidence,
      matters: 'One connection was opened and closed without a request. The run shows how the server responds.',
      remedy: null,
    };
  },
};

/** A target may be tried from several local addresses. */
function attemptWords(attempts: readonly Attempt[]): string {
  return attempts.some(({ from }) => from !== null) ? 'paths to the targets' : 'targets';
}

function problemsOf({ origin, failure }: Attempt): Problem[] {
  return failure ? [unreachableProblem(new NoAnswer(failure.code, failure.message), new URL(origin))] : [];
}

function evidenceOf(attempts: readonly Attempt[], unpermitted: number, beyond: number): string {
  const hosts = attempts.map(({ origin, from }) => `${new URL(origin).host}${from === null ? '' : ` from ${from}`}`);
  const parts = attempts.length > 0 ? [`Connected to ${hosts.join(', ')}.`] : [];
  if (unpermitted > 0) parts.push(`${unpermitted} without permission.`);
  if (beyond > 0) parts.push(`${beyond} more were not tried.`);
  return parts.join(' ');
}

function unique(sentences: readonly string[]): string {
  return [...new Set(sentences)].join(' ');
}
