import { EXPLANATIONS, WAITING_FOR_RESPONSES } from '#core/presentation/document/words.ts';

/**
 * The glossary: each term of the field with one sentence that explains it, which the component `Term` shows. The definitions agree with
 * docs/method.md.
 */
export const terms = {
  percentile: {
    plain: 'percentile',
    explanation: 'The value that a given share stays within: 95 % of responses arrive within the 95th percentile.',
  },
  p50: { plain: 'p50', explanation: '50 % of responses arrived within this time (the median).' },
  p90: { plain: 'p90', explanation: '90 % of responses arrived within this time.' },
  p95: { plain: 'p95', explanation: '95 % of responses arrived within this time.' },
  p99: { plain: 'p99', explanation: '99 % of responses arrived within this time.' },
  inFlight: { plain: 'in flight', explanation: EXPLANATIONS.inFlight },
  outcomes: { plain: 'request outcomes', explanation: 'Every request has exactly one outcome; the outcomes add up to the requests sent.' },
  lab: { plain: 'practice servers', explanation: 'Small servers on this computer, to try a test before you run it against a real one.' },
  arrivalRate: { plain: 'arrival rate', explanation: 'New requests or users each second, whether or not earlier requests are complete.' },
  users: {
    plain: 'users',
    explanation: 'Simulated people who wait for each response, pause, and continue. Their number does not depend on the server.',
  },
  thinkTime: { plain: 'think time', explanation: 'Pause of a user between a response and the next request.' },
  scheduleLag: { plain: 'schedule lag', explanation: EXPLANATIONS.scheduleLag },
  offered: {
    plain: 'offered load',
    explanation: 'Share of the planned arrivals that were started. Below 100 % the server got less load than planned.',
  },
  connections: { plain: 'connections', explanation: 'Each connection has one request in flight, and sends the next one after a response.' },
  timeWait: {
    plain: 'TIME_WAIT',
    explanation: 'A closed connection keeps its port for about a minute. With too many of them, no new connection can be opened.',
  },
  ephemeralPorts: {
    plain: 'outgoing ports',
    explanation: 'Each open or recently closed connection uses one port of the computer that opened it (ephemeral ports).',
  },
  keepAlive: { plain: 'keep-alive', explanation: 'One connection carries many requests instead of closing after each response.' },
  apdex: {
    plain: 'Apdex',
    explanation:
      'A score from 0 to 1: responses within the threshold count fully, within four times the threshold half, others not at all.',
  },
  incompletePage: {
    plain: 'incomplete page',
    explanation: 'A page with a failed part: the page itself, or an image, style sheet or script that it links to.',
  },
  pageApdex: { plain: 'Apdex of pages', explanation: 'The score of whole pages, which is what visitors wait for.' },
  requestApdex: {
    plain: 'Apdex of requests',
    explanation: 'The score of single requests. Many quick images make it better than the score of pages.',
  },
  throughput: { plain: 'throughput', explanation: 'Complete responses per second.' },
  serviceTime: { plain: 'service time', explanation: 'From the actual start of a request to the last byte of its response.' },
  responseTime: {
    plain: 'response time',
    explanation: 'From the scheduled start of a request to the last byte of its response, including any wait before it was sent.',
  },
  errorAdjusted: {
    plain: 'failures counted as timeouts',
    explanation: 'Response times with every failed request counted as never complete. A percentile that falls on them is “never”.',
  },
  counted: {
    plain: 'counted',
    explanation: 'Only counted stages decide the verdict. Warm-up, ramp-up and recovery are shown, but not judged.',
  },
  warmUp: { plain: 'warm-up', explanation: 'Load before the measurement that fills caches and opens connections.' },
  shard: { plain: 'shard', explanation: 'One of several servers that share the same work.' },
  loadGenerator: {
    plain: 'load generator',
    explanation: 'The computer that sends the requests. When it is overloaded, results show its limits, not the server’s.',
  },
  drain: { plain: WAITING_FOR_RESPONSES, explanation: 'No new requests are sent; those in flight still complete and count (drain).' },
  eventLoopDelay: {
    plain: 'event-loop delay',
    explanation: 'How late the load generator notices a response because it is busy. Above 20 ms its times are doubtful.',
  },
  consent: {
    plain: 'consent',
    explanation: 'Load on a public host may disturb others, so it starts only after you confirm that you may test it.',
  },
};
