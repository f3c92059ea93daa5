import { answeredRequests } from '#core/measurement/ledger.ts';
import { errorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import { figure, NEGLIGIBLE_SHARE, rangeOf, type Rule, firstInWords } from '../rule.ts';

/** What a request meets whose connection the server had closed before it read anything of it. */
const CLOSED_BEFORE_ANSWER = ['ECONNRESET', 'EPIPE', 'EOF'].map((code) => errorName(code, 'firstByte'));
/** A server that closes connections under more requests than this does so for another reason. */
const AT_MOST = 0.05;

/** Connections lie idle between requests, and some were closed by the server in the instant in which the next request was sent. */
export const closedWhileIdle: Rule = {
  id: 'closedWhileIdle',
  find({ plan, errors, ledger, requestsOnReusedConnection }) {
    const lieIdle = plan.load.model !== 'connections' || plan.journey.some(({ thinkTime }) => thinkTime !== undefined);
    if (!lieIdle || plan.connections.reuse !== 'always' || requestsOnReusedConnection === 0) return [];
    const closed = CLOSED_BEFORE_ANSWER.reduce((sum, name) => sum + (getOwn(errors, name) ?? 0), 0);
    const { sent, ok } = ledger.requests;
    // Else connections that are used well are closed too, and the pauses have nothing to do with it.
    if (closed === 0 || closed > AT_MOST * sent || ok < 10 * closed) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${closed === 1 ? '1 request' : `${formatCount(closed)} requests`} failed because the server had closed the idle connection.`,
        evidence: [
          `${formatCount(closed)} of ${formatCount(sent)} requests (${formatShare(closed / sent)}) lost their connection before the first byte of a response.`,
          `${formatCount(requestsOnReusedConnection)} requests used connections again, with pauses between.`,
        ],
        remedy:
          'Let the server keep idle connections longer than users pause: Node closes them after 5 s (server.keepAliveTimeout), nginx after 65 or 75 s (keepalive_timeout). Browsers retry such a request by themselves; here it counts as failed, because a form may be lost.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};

/** Fewer than this many answers per connection although keep-alive was asked for. */
const FEW_ANSWERS_PER_CONNECTION = 2;

/** The server closes the connection after (almost) each answer, so each request pays for a new one. */
export const connectionPerRequest: Rule = {
  id: 'connectionPerRequest',
  find({ plan, ledger, connectionsOpened, phases }) {
    // Then it is the plan that opens them.
    if (plan.connections.reuse !== 'always') return [];
    const complete = answeredRequests(ledger.requests);
    if (complete < 100 || connectionsOpened === 0 || complete / connectionsOpened >= FEW_ANSWERS_PER_CONNECTION) return [];
    const connect = phases.connect?.p50;
    const evidence = [`${formatCount(connectionsOpened)} connections for ${formatCount(complete)} responses`];
    if (typeof connect === 'number') evidence.push(`opening one took ${connect} ms at the median`);
    return [
      {
        id: this.id,
        level: 'info',
        sentence: 'The server closes the connection after each response, so every request opens a new one.',
        evidence,
        remedy:
          'Behind a proxy that keeps connections this may not matter. Otherwise turn on keep-alive in the server: each new connection costs time and, at high rates, ports.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

const REFUSED = errorName('ECONNREFUSED', 'connect');

/** Connections that were refused although others were answered: whoever listens was gone for a while, or takes no more. */
export const refused: Rule = {
  id: 'refused',
  find({ ledger, windows, servers }) {
    const { requests } = ledger;
    const share = requests.refused / Math.max(1, requests.sent);
    if (answeredRequests(requests) === 0 || share < NEGLIGIBLE_SHARE) return [];
    // Which of several servers is gone has a rule of its own.
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
