import { EXPLAINED, WAITING_FOR_LAST_ANSWERS } from '#core/presentation/document/titles.ts';

/**
 * The glossary: each term of the field with the plain words that screens use and one sentence that explains it. `Term` shows it.
 * Definitions follow docs/method.md.
 */
export const terms = {
  percentile: {
    plain: 'percentile',
    explanation: 'The value that a given share stays within: the 95th percentile is the time within which 95 of 100 answers arrived.',
  },
  p50: { plain: 'half within', explanation: 'Half of the answers arrived within this time (p50, the median).' },
  p90: { plain: '9 of 10 within', explanation: '9 of 10 answers arrived within this time (p90, the 90th percentile).' },
  p95: { plain: '19 of 20 within', explanation: '19 of 20 answers arrived within this time (p95, the 95th percentile).' },
  p99: { plain: '99 of 100 within', explanation: '99 of 100 answers arrived within this time (p99, the 99th percentile).' },
  inFlight: { plain: 'waiting', explanation: EXPLAINED.inFlight },
  ledger: {
    plain: 'accounted for',
    explanation: 'Every request that was sent is found under exactly one heading; the sum must be what was sent (the ledger).',
  },
  lab: {
    plain: 'practice servers',
    explanation: 'Small servers that run on this computer, to try a test on before it meets a real one (the lab).',
  },
  arrivalRate: { plain: 'arrival rate', explanation: 'How many new requests come each second, whether or not earlier ones are answered.' },
  users: {
    plain: 'users',
    explanation: 'People who wait for each answer, pause, and go on: so many are there at the same time, whatever the server does.',
  },
  thinkTime: { plain: 'pause', explanation: 'How long a user pauses between an answer and the next request (think time).' },
  scheduleLag: {
    plain: 'behind schedule',
    explanation: EXPLAINED.scheduleLag,
  },
  offered: {
    plain: 'offered',
    explanation: 'Share of the planned arrivals that were started. Below 100 % the server met less load than the plan says (offered load).',
  },
  connections: {
    plain: 'connections',
    explanation:
      'How many requests are under way at the same time: each connection sends its next request when its last answer has arrived.',
  },
  timeWait: {
    plain: 'TIME_WAIT',
    explanation: 'A closed connection keeps its port for about a minute; when too many wait like this, no new connection can be opened.',
  },
  ephemeralPorts: {
    plain: 'outgoing ports',
    explanation: 'The numbers a computer gives to connections it opens; each open or just closed connection uses one (ephemeral ports).',
  },
  keepAlive: {
    plain: 'keep-alive',
    explanation: 'The server lets one connection carry many requests instead of closing it after each answer.',
  },
  apdex: {
    plain: 'Apdex',
    explanation:
      'A score from 0 to 1: answers within the limit count fully, within four times the limit half, slower or failed ones not at all.',
  },
  incompletePage: {
    plain: 'incomplete page',
    explanation: 'A page of which something failed: the page itself, or a picture, style sheet or script that it links to.',
  },
  pageApdex: {
    plain: 'Apdex of pages',
    explanation: 'The score of whole pages: people wait for the page, so this is the one to go by.',
  },
  requestApdex: {
    plain: 'Apdex of requests',
    explanation: 'The score of the single requests that pages are made of. Many quick pictures make it look better than the pages are.',
  },
  throughput: { plain: 'answers per second', explanation: 'How many requests were completely answered each second (throughput).' },
  serviceTime: { plain: 'service time', explanation: 'From the moment a request was really sent to the last byte of its answer.' },
  responseTime: {
    plain: 'response time',
    explanation: 'From the moment a request should have been sent to the last byte of its answer, so waiting to be sent counts too.',
  },
  errorAdjusted: {
    plain: 'failures counted as never',
    explanation: 'Times in which every failed or unanswered request counts as endless, so a percentile can honestly be “never”.',
  },
  counted: {
    plain: 'counted',
    explanation: 'Warm-up, ramp-up and recovery are shown but not judged; only counted stages decide the verdict.',
  },
  warmUp: { plain: 'warm-up', explanation: 'Load before the measurement, so that caches and connections are as they will be later.' },
  shard: { plain: 'shard', explanation: 'One of several servers that share the same work.' },
  loadGenerator: {
    plain: 'what makes the load',
    explanation:
      'The computer that sends the requests (the load generator); when it is too busy, it measures itself instead of the server.',
  },
  drain: {
    plain: WAITING_FOR_LAST_ANSWERS,
    explanation: 'No new requests are sent; those under way are still answered and counted (the drain).',
  },
  eventLoopDelay: {
    plain: 'reaction delay',
    explanation:
      'How late the computer that makes the load notices an answer because it is busy (event-loop delay); above 20 ms its times are doubtful.',
  },
  consent: {
    plain: 'consent',
    explanation: 'Load on a public host may disturb others, so it starts only after you confirm that you may test it.',
  },
};
