import { formatErrorName, isCheckError, isUnsent } from '#core/work/bodyCheck/errorTexts.ts';
import {
  countFailedRequests,
  type RunOutcomes,
  type Outcome,
  SENT_OUTCOMES,
  UNSENT_OUTCOMES,
  countWanted,
} from '#core/measurement/requestOutcomes.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { errorsOfRun, statusOfRun } from '#core/result/countsOfRun.ts';
import { column, numbers, type Passage, pairs, type RichCell, table, text } from './model.ts';
import { EXPLANATIONS } from './words.ts';
import { chartNames } from '../charts/names.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Returns a part of a whole as a percentage; empty if the part or the whole is 0. */
export function formatPartOfWhole(part: number, whole: number): string {
  return part === 0 || whole === 0 ? '' : formatShare(part / whole);
}

/** Names and explanations of request outcomes. */
const OUTCOME_TEXTS: Readonly<Record<Outcome, { readonly text: string; readonly explanation: string }>> = {
  ok: { text: 'Successful responses', explanation: 'Complete, with the expected status and content (ok).' },
  httpError: {
    text: 'Wrong status',
    explanation: 'A complete response with an unexpected status, such as 500 or a redirect to a login page (httpError).',
  },
  wrongBody: { text: 'Wrong content', explanation: 'The expected status, but the content failed a check (wrongBody).' },
  timeout: { text: 'Timed out', explanation: 'The last byte did not arrive before the time-out of the request (timeout).' },
  refused: {
    text: 'Connection refused',
    explanation: 'Nothing accepted the connection: the server is down or its queue is full (refused).',
  },
  reset: { text: 'Connection closed', explanation: 'The other side closed the connection before the response was complete (reset).' },
  noPort: {
    text: 'No free outgoing port',
    explanation: 'The load generator had no free port for another connection. The server never saw the request (noPort).',
  },
  noFile: {
    text: 'Too many open files',
    explanation: 'The load generator reached its limit of open files. The server never saw the request (noFile).',
  },
  dns: { text: 'Name not found', explanation: 'The server name could not be resolved to an address (dns).' },
  tls: { text: 'Encryption failed', explanation: 'The TLS handshake failed, for example because of the certificate (tls).' },
  otherError: {
    text: 'Other failure',
    explanation: 'Every other failure without a complete response; the table of errors names each (otherError).',
  },
  notMade: { text: 'Not sent', explanation: 'A value that the request needs was missing. The server never saw the request (notMade).' },
  neverSent: {
    text: 'Waiting to be sent',
    explanation: 'The request waited for a connection or stream when the run ended. The server never saw the request (neverSent).',
  },
};

export function balanceSentence({ requests }: RunOutcomes, balances: boolean): string {
  if (balances) return `All ${formatCount(requests.sent)} requests are accounted for.`;
  const accounted = SENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], requests.inFlight);
  return `${formatCount(requests.sent)} requests were sent but ${formatCount(accounted)} are accounted for: the figures do not add up. This is a fault of Holdfast. Report it.`;
}

/** Returns a table of all request outcomes. During a run, requests in flight are still open. */
export function outcomeBlocks(outcomes: RunOutcomes, isGoing = false, included = ''): Passage[] {
  const { requests, sideCalls } = outcomes;
  if (countWanted(requests) === 0) return text(isGoing ? 'No request sent so far.' : 'No request was sent.');
  const visibleOutcomes = SENT_OUTCOMES.filter((outcome) => outcome === 'ok' || requests[outcome] > 0);
  const row = (name: RichCell, count: number, share = formatPartOfWhole(count, requests.sent)) => ({ name, count, share });
  const rows = withoutAbsent([
    row({ text: 'Sent', about: included }, requests.sent, ''),
    ...visibleOutcomes.map((outcome) => row(OUTCOME_TEXTS[outcome], requests[outcome])),
    (isGoing || requests.inFlight > 0) &&
      row({ text: isGoing ? chartNames.titles.inFlight : 'Outstanding', explanation: EXPLANATIONS.inFlight }, requests.inFlight),
    ...UNSENT_OUTCOMES.flatMap((outcome) => (requests[outcome] > 0 ? [row(OUTCOME_TEXTS[outcome], requests[outcome], '')] : [])),
  ]);
  return [
    ...table(
      'Outcome of every request',
      rows,
      [
        column('Outcome', ({ name }) => name),
        numbers('Requests', ({ count }) => formatCount(count)),
        numbers('Share', ({ share }) => share, { minor: true }),
      ],
      [
        ...(requests.notMade > 0 ? ['Requests not sent lacked a value that they need, and count as failed.'] : []),
        ...(requests.noPort + requests.noFile > 0 ? ['Requests without a port or file were not sent, and count as failed.'] : []),
        ...(visibleOutcomes.length < SENT_OUTCOMES.length ? ['No other outcomes.'] : []),
      ].join(' '),
    ),
    ...(sideCalls === undefined ? [] : sideCallText('', sideCalls)),
  ];
}

function sideCallText(of: string, calls: RunOutcomes['requests']): Passage[] {
  if (calls.sent === 0) return [];
  const waiting = calls.inFlight === 0 ? '' : `, ${formatCount(calls.inFlight)} outstanding`;
  return text(
    `In addition, ${formatCount(calls.sent)} side calls${of} were made, not included in any figure: ${formatCount(countFailedRequests(calls))} failed${waiting}.`,
  );
}

/** Returns responses by status, errors of requests without a response, and failed checks. */
export function codeBlocks(result: Pick<RunResult, 'stages'>): Passage[] {
  return [
    ...countTable('Status codes', statusOfRun(result), 'No complete responses.'),
    ...countTable(chartNames.titles.errors, errorsOfRun(result), chartNames.noErrors),
  ];
}

function countTable(title: string, counts: Readonly<Record<string, number>>, none: string): Passage[] {
  const entries = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  if (entries.length === 0) return text(none);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  return table(title, entries, [
    column('Code', ([code]) => (isCheckError(code) || isUnsent(code) ? formatErrorName(code) : code)),
    numbers('Requests', ([, count]) => formatCount(count)),
    numbers('Share', ([, count]) => formatPartOfWhole(count, all)),
  ]);
}

/** Returns a table of all journey outcomes. `abandonedAt`: the abandoned journeys by the first step that failed, if known. */
export function journeyBlocks({ journeys }: RunOutcomes, abandonedAt: RunResult['abandonedAt'] = []): Passage[] {
  const { planned, started, notStarted, finished, abandoned, running } = journeys;
  return pairs('Journeys', [
    ['Planned', planned === null ? 'no fixed number, runs by time' : formatCount(planned)],
    ['Started', formatCount(started)],
    ['Finished', formatCount(finished)],
    ...abandonedAt.map(({ step, journeys: count }) => [`Abandoned at “${step}”`, formatCount(count)] as const),
    ...listIfCounted('Abandoned after a failure', abandoned - abandonedAt.reduce((sum, { journeys: count }) => sum + count, 0)),
    ...listIfCounted('Cut off at the end of the load', running),
    ...listIfCounted('Not started: too many requests in flight', notStarted.target),
    ...listIfCounted('Not started: load generator overloaded', notStarted.generator),
    ...listIfCounted('Not started: the test was stopped', notStarted.stopped),
  ]);
}

function listIfCounted(name: string, count: number): (readonly [string, string])[] {
  return count === 0 ? [] : [[name, formatCount(count)]];
}

/** Returns the outcomes of all requests including warm-up and start-up, with status codes and errors. */
export function requestOutcomeBlocks(result: RunResult): Passage[] {
  const { outcomes, balances, stages, sideCalls = [] } = result;
  const included = [
    stages.some(({ counted, requests }) => !counted && requests.sent > 0) ? 'warm-up' : '',
    stages.some(({ startUp }) => startUp !== null) ? 'start-up' : '',
  ].filter((part) => part !== '');
  return [
    ...text(balanceSentence(outcomes, balances)),
    ...outcomeBlocks({ ...outcomes, sideCalls: undefined }, false, included.length === 0 ? '' : `${included.join(' and ')} included`),
    ...sideCalls.flatMap(({ name, requests }) => sideCallText(` of “${name}”`, requests)),
    ...codeBlocks(result),
  ];
}
