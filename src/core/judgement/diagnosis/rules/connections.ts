import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { errorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount, formatShare, many } from '#core/base/units.ts';
import { SAFE_METHODS } from '#core/plan/requests.ts';
import { figure, MAX_NEGLIGIBLE_SHARE, MIN_NOTICEABLE_SHARE, rangeOf, type MeasuredRun, type Rule, firstInWords } from '../rule.ts';

/** Errors of a request whose connection ends before the first byte of its response. */
const LOST_CONNECTION = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EOF'].map((code) => errorName(code, 'firstByte'));
/** Maximum share of lost requests that is usual when a server closes idle connections. */
const MAX_USUAL_SHARE = 0.05;

/** Finds connections that the server closed without notice while the next request was sent. */
export const closedWhileIdle: Rule = {
  id: 'closedWhileIdle',
  find({ plan, steps, outcomes, connectionsOpened, requestsOnReusedConnection, requestsResent }) {
    const { sent, ok } = outcomes.requests;
    // Over HTTP/2, a server may refuse a request, which is then sent again, and keep the connection.
    const resent = plan.connections.protocol === 'h2' ? 0 : requestsResent;
    const failed = countUnsafeLosses(plan, steps);
    const lost = failed + resent;
    // A server that drops requests after reading them also closes new connections.
    const mostReused = sent + resent - connectionsOpened;
    if (lost === 0 || ok === 0 || failed > mostReused || (failed === 0 && resent < MAX_NEGLIGIBLE_SHARE * sent)) return [];
    const share = `${formatCount(lost)} of ${formatCount(sent)} requests (${formatShare(lost / sent)})`;
    const liesIdle = plan.load.model !== 'connections' || plan.journey.some(({ thinkTime }) => thinkTime !== undefined);
    // A server that fails while it reads a form looks the same.
    const isLikely = resent > 0 || (liesIdle && lost <= MAX_USUAL_SHARE * sent && ok >= 10 * lost);
    return [
      {
        id: this.id,
        level: failed > 0 || lost > MIN_NOTICEABLE_SHARE * sent ? 'warning' : 'info',
        sentence:
          failed > 0
            ? `${many(failed, 'request')} failed because the server had ${isLikely ? '' : 'probably '}closed the connection without saying so.`
            : `The server closed connections without saying so: ${many(resent, 'request')} had to be sent again.`,
        evidence: [
          `${share} met a connection that ended before the first byte of a response.`,
          ...(resent === 0 ? [] : [`${formatCount(resent)} were sent again over a new connection, as browsers do: GET, HEAD and OPTIONS.`]),
          `${formatCount(requestsOnReusedConnection)} requests got their response on a connection used before.`,
        ],
        remedy:
          'Let the server keep idle connections longer than users pause: Node closes them after 5 s (server.keepAliveTimeout), nginx after 65 or 75 s (keepalive_timeout). Where it ends a connection on purpose, its response should say “Connection: close”. A form that meets a closed connection is lost: it is never sent again.',
        confidence: isLikely ? 'likely' : 'possible',
        range: null,
      },
    ];
  },
};

/** Returns the number of requests that failed because of a lost connection and must not be sent again. */
function countUnsafeLosses({ journey }: MeasuredRun['plan'], steps: MeasuredRun['steps']): number {
  const unsafe = new Set(journey.filter(({ method }) => !SAFE_METHODS.has(method)).map(({ name }) => name));
  const counts = steps
    .filter(({ name }) => unsafe.has(name))
    .flatMap(({ errors }) => LOST_CONNECTION.map((code) => getOwn(errors, code) ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Minimum number of responses per connection with keep-alive. */
const MIN_RESPONSES_PER_CONNECTION = 2;
/** Maximum share of responses on reused connections if every response ends its connection. */
const MAX_REUSED_SHARE = 0.01;

/** Finds a server that closes the connection after (almost) each response, so that each request needs a new one. */
export const connectionPerRequest: Rule = {
  id: 'connectionPerRequest',
  find({ plan, outcomes, stages, connectionsOpened, requestsOnReusedConnection, phases }) {
    // In these modes the plan itself opens new connections.
    if (plan.connections.reuse !== 'always') return [];
    const complete = answeredRequests(outcomes.requests);
    if (complete < 100 || complete / Math.max(1, connectionsOpened) >= MIN_RESPONSES_PER_CONNECTION) return [];
    // Fixed connections and virtual users open one connection each in any case.
    const own = plan.load.model === 'arrivals' ? 0 : stages.reduce((sum, { level }) => sum + level.highest, 0);
    if (connectionsOpened <= own) return [];
    const connect = phases.connect?.p50;
    const evidence = [`${formatCount(connectionsOpened)} connections for ${formatCount(complete)} responses`];
    if (typeof connect === 'number') evidence.push(`opening one took ${connect} ms at the median`);
    const isEach = requestsOnReusedConnection <= MAX_REUSED_SHARE * complete;
    return [
      {
        id: this.id,
        level: 'info',
        sentence: isEach
          ? 'The server closes the connection after each response, so every request opens a new one.'
          : `The server closes most connections after one or two responses: ${formatShare(1 - requestsOnReusedConnection / complete)} of responses came over a new one.`,
        evidence,
        remedy:
          'Behind a proxy that keeps connections this may not matter. Otherwise turn on keep-alive in the server: each new connection costs time and, at high rates, ports.',
        confidence: isEach && plan.load.model !== 'arrivals' ? 'certain' : 'likely',
        range: null,
      },
    ];
  },
};

const REFUSED = errorName('ECONNREFUSED', 'connect');

/** Finds refused connections beside responses: the server was away for a while, or accepts no more connections. */
export const refused: Rule = {
  id: 'refused',
  find({ outcomes, windows, servers }) {
    const { requests } = outcomes;
    const share = requests.refused / Math.max(1, requests.sent);
    if (answeredRequests(requests) === 0 || share < MAX_NEGLIGIBLE_SHARE) return [];
    // Another rule names the missing one of several servers.
    if (servers.some(({ silent }) => silent.length > 0)) return [];
    const hit = windows.filter(({ errors }) => (getOwn(errors, REFUSED) ?? 0) > 0);
    const gone = hit.filter(({ completed }) => completed === 0);
    const wasAway = hit.length > 0 && gone.length >= 0.5 * hit.length;
    const [first] = hit;
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatCount(requests.refused)} connections were refused (${formatShare(share)} of requests)${firstInWords(first)}: ${
          wasAway ? 'nothing listened there at that time.' : 'the listener took no more connections while others were served.'
        }`,
        evidence: [
          wasAway
            ? 'In most of these seconds there was no response at all.'
            : 'In the same seconds other requests got responses, so the server was running.',
        ],
        figures: [
          figure('Refused', `${formatCount(requests.refused)} of ${formatCount(requests.sent)} requests`),
          figure('Seconds with refusals', formatCount(hit.length)),
          figure('Of them without any response', formatCount(gone.length)),
        ],
        remedy: wasAway
          ? 'Check whether the server restarted or crashed then: see its log, and that of whatever starts it.'
          : 'Check its connection limit and its listen queue (listen backlog, net.core.somaxconn), and whether one of several processes had ended.',
        confidence: 'likely',
        range: rangeOf(hit),
      },
    ];
  },
};
