import type { Problem } from '#core/base/errors.ts';
import { listTargets } from '#core/plan/url.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { hasCostlyKey, type TlsOffer, formatTls } from '#core/result/tlsOffer.ts';
import { type ConnectFailure, connectOnce, hostOf, localAddressesFor } from '../targets/targetConnection.ts';
import { NoResponseError, singleRequest } from '../targets/singleRequest.ts';
import { unreachableProblem } from '../targets/unreachable.ts';
import { askTlsOffers } from '../targets/tlsOffer.ts';
import type { Check } from './check.ts';

/** An attempt to connect; `failure` is null if it succeeded. */
export interface Attempt {
  readonly origin: string;
  /** Local address of the attempt; null if the system chose it. */
  readonly from: string | null;
  readonly failure: ConnectFailure | null;
}

export interface Reachability {
  readonly attempts: readonly Attempt[];
  /** Number of addresses that were not tried because the user has not agreed to what the plan asks for. */
  readonly unpermitted: number;
  /** Number of addresses that were not tried because there are too many. */
  readonly beyond: number;
  /** Why the client certificate of the plan is unusable. */
  readonly ownProblem: Problem | null;
}

/** Maximum number of addresses that are tried: as many as a plan may name, because each server in a list needs to be tried. */
const MAX_ADDRESSES = 64;
const CONNECT_LIMIT_MS = 3_000;

/** Opens a connection, with TLS as in the load, but sends no request, so that the server's log contains only requests of the run. */
export const targetReachable: Check<Reachability> = {
  id: 'targetReachable',
  about: 'Whether the target accepts connections',
  async probe({ plan, clientCertificate: own, isAgreed }) {
    const origins = [...new Set(listTargets(plan).map(({ url }) => new URL(url).origin))];
    const permitted = isAgreed ? origins : [];
    const { socketPath, localAddresses } = plan.connections;
    const ways = permitted.flatMap((origin) => {
      const from =
        localAddresses === undefined || socketPath !== undefined ? [null] : localAddressesFor(plan.connections, hostOf(new URL(origin)));
      return from.map((address) => ({ origin, from: address }));
    });
    const triedWays = ways.slice(0, MAX_ADDRESSES);
    const clientCertificate = own.kind === 'usable' ? own.certificate : null;
    const attempts = triedWays.map(async ({ origin, from }) => {
      const connections = from === null ? plan.connections : { ...plan.connections, localAddresses: [from] };
      const connection = { tls: plan.tls, connections, clientCertificate };
      return { origin, from, failure: await connectOnce(new URL(origin), connections, connection, CONNECT_LIMIT_MS) };
    });
    return {
      attempts: await Promise.all(attempts),
      unpermitted: origins.length - permitted.length,
      beyond: ways.length - triedWays.length,
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
    const problems = attempts.flatMap(listProblems);
    const evidence = collectEvidence(attempts, unpermitted, beyond);
    if (problems.length > 0)
      return {
        level: 'problem',
        title:
          attempts.length === 1
            ? 'The target cannot be reached'
            : `${problems.length} of ${attempts.length} ${attemptNoun(attempts)} cannot be reached`,
        evidence: joinUnique(problems.map(({ message }) => message)),
        matters: 'All requests to it would fail. The run would measure only errors.',
        remedy: { text: joinUnique(problems.map(({ hint }) => hint)), command: null, undo: null, risk: '' },
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

/** Returns what the attempts are called. They are paths if a target is tried from several local addresses. */
function attemptNoun(attempts: readonly Attempt[]): string {
  return attempts.some(({ from }) => from !== null) ? 'paths to the targets' : 'targets';
}

function listProblems({ origin, failure }: Attempt): Problem[] {
  return failure ? [unreachableProblem(new NoResponseError(failure.code, failure.message), new URL(origin))] : [];
}

function collectEvidence(attempts: readonly Attempt[], unpermitted: number, beyond: number): string {
  const hosts = attempts.map(({ origin, from }) => `${new URL(origin).host}${from === null ? '' : ` from ${from}`}`);
  const parts = attempts.length > 0 ? [`Connected to ${hosts.join(', ')}.`] : [];
  if (unpermitted > 0) parts.push(`${unpermitted} without permission.`);
  if (beyond > 0) parts.push(`${beyond} more were not tried.`);
  return parts.join(' ');
}

function joinUnique(sentences: readonly string[]): string {
  return [...new Set(sentences)].join(' ');
}

/** Which servers responded. */
interface ServerSpread {
  readonly serverNames: readonly (string | null)[];
  readonly header: string;
  readonly expected: number;
}

const MIN_REQUESTS = 4;
const MAX_REQUESTS = 16;
const LIMIT_MS = 3_000;

/**
 * Finds out which of several servers behind one address respond to this computer, by requesting the start page over separate connections.
 * Applies only to plans that name the header and expect several servers.
 */
export const serversBehind: Check<ServerSpread> = {
  id: 'serversBehind',
  about: 'Servers behind the address',
  appliesTo: ({ plan, isAgreed }) =>
    isAgreed && plan.servers?.header !== undefined && (plan.servers.expected ?? 1) > 1 && plan.targets.length === 1,
  async probe({ plan, clientCertificate: own }) {
    const [target] = plan.targets;
    const { servers, tls, connections } = plan;
    const header = servers?.header;
    if (target === undefined || header === undefined) return { unknown: 'There is no address.' };
    const expected = servers?.expected ?? 1;
    const clientCertificate = own.kind === 'usable' ? own.certificate : null;
    const ask = async (): Promise<string | null> => {
      const { headers } = await singleRequest({
        url: new URL(target.url),
        method: 'GET',
        headers: { Connection: 'close' },
        connection: { tls, connections, clientCertificate },
        demandsTrust: false,
        timeoutMs: LIMIT_MS,
      });
      const value = getOwn(headers, header.toLowerCase());
      return typeof value === 'string' ? value : (value?.[0] ?? null);
    };
    const times = Math.min(MAX_REQUESTS, Math.max(MIN_REQUESTS, 2 * expected));
    return { serverNames: await Promise.all(Array.from({ length: times }, ask)), header, expected };
  },
  judge({ serverNames, header, expected }) {
    const names = [...new Set(serverNames.filter((name) => name !== null))];
    const evidence =
      names.length === 0 ? `${serverNames.length} responses without ${header}.` : `${serverNames.length} responses: ${names.join(', ')}.`;
    if (names.length === 0)
      return {
        level: 'info',
        title: 'Responses do not name their server',
        evidence,
        matters: 'Whether the servers share the load remains unknown.',
        remedy: {
          text: `Let the proxy add the header ${header}, for nginx in the server block:`,
          command: `add_header ${header} $upstream_addr always;`,
          undo: null,
          risk: '',
        },
      };
    if (names.length === 1)
      return {
        level: 'problem',
        title: `All ${serverNames.length} responses came from one of ${expected} servers`,
        evidence,
        matters:
          'The proxy chooses the server by the address of the visitor. All load from this computer would reach one of them: the run would measure a single server.',
        remedy: {
          text: 'For the test, let nginx use the servers in turn: leave “hash $remote_addr” or “ip_hash” out of the upstream block. Or enter every server as a target, or send the load from several addresses.',
          command: null,
          undo: null,
          risk: 'CMS keeps notifications in the memory of each server: with servers used in turn, a participant may see one twice or late.',
        },
      };
    return {
      level: 'ok',
      title: `${names.length} of ${expected} servers responded to this computer`,
      evidence,
      matters: 'The servers will share the load.',
      remedy: null,
    };
  },
};

/**
 * Finds the protocol that browsers would use with the target, and the cost of the target's handshakes. Opens connections but sends no
 * request.
 */
export const targetProtocol: Check<readonly TlsOffer[]> = {
  id: 'targetProtocol',
  about: 'The protocol that browsers use with the target',
  appliesTo: ({ plan, isAgreed }) => isAgreed && listTargets(plan).some(({ url }) => url.startsWith('https:')),
  async probe({ plan, clientCertificate: own }) {
    const offers = await askTlsOffers(plan, own.kind === 'usable' ? own.certificate : null);
    return offers.length > 0 ? offers : { unknown: 'No TLS connection was made.' };
  },
  judge(offers, { plan }) {
    const usesHttp2 = plan.connections.protocol === 'h2';
    const hasHttp2 = offers.some(({ protocol }) => protocol === 'h2');
    const differs = hasHttp2 && !usesHttp2;
    const isCostly = offers.some(hasCostlyKey);
    const lacks = usesHttp2 && offers.some(({ protocol }) => protocol !== 'h2');
    if (lacks)
      return {
        level: 'problem',
        title: 'The target does not offer HTTP/2',
        evidence: offersText(offers),
        matters: 'Every connection would fail: the plan wants HTTP/2.',
        remedy: { text: 'Set the protocol of the plan to HTTP/1.1.', command: null, undo: null, risk: '' },
      };
    const common = hasHttp2 ? 'HTTP/2' : 'HTTP/1.1';
    const title = differs ? 'Browsers use HTTP/2 here; the test uses HTTP/1.1' : `Browsers use ${common} here, and so does the test`;
    const matters = [
      ...(differs
        ? [
            'A browser sends all requests of a visitor over one HTTP/2 connection, instead of up to six. Pages cost the server the same; connections and handshakes do not.',
          ]
        : []),
      ...(isCostly ? ['A signature with this RSA key takes about seven times the processor time of one with 2,048 bits.'] : []),
    ];
    return {
      level: differs || isCostly ? 'info' : 'ok',
      title: isCostly ? `${title}. Its TLS handshakes are expensive` : title,
      evidence: offersText(offers),
      matters: matters.join(' '),
      remedy: isCostly
        ? { text: 'Use a certificate with an ECDSA key (P-256): its signatures are the cheapest.', command: null, undo: null, risk: '' }
        : null,
    };
  },
};

function offersText(offers: readonly TlsOffer[]): string {
  return offers.map((offer) => `${new URL(offer.origin).host}: ${formatTls(offer)}.`).join(' ');
}
