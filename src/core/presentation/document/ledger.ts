import { errorWords, isCheckError, isUnsent } from '#core/work/bodyCheck/words.ts';
import { failedRequests, type Ledger, type Outcome, SENT_OUTCOMES } from '#core/measurement/ledger.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { errorsOfRun, statusOfRun } from '#core/result/countsOfRun.ts';
import { column, numbers, type Passage, pairs, type RichCell, table, text } from './model.ts';
import { EXPLAINED, TITLES } from './titles.ts';
import { chartNames } from '../charts/names.ts';

/** Nearly all is said by what is missing: "99.91 %" hides what "all but 1 in 1,170" shows. */
const NEARLY_ALL = 0.99;

/** A part of a whole as people say it; empty for nothing, and for a part of nothing. */
export function shareWords(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '';
  const share = part / whole;
  return share > NEARLY_ALL && share < 1 ? `all but ${formatShare(1 - share)}` : formatShare(share);
}

/** What became of requests, with the ledger's own name in what explains it. */
const OUTCOMES: Readonly<Record<Outcome, { readonly text: string; readonly explanation: string }>> = {
  ok: { text: 'Good answers', explanation: 'Complete, with the expected status and content (ok).' },
  httpError: {
    text: 'Wrong status',
    explanation: 'A complete answer with a status that was not expected, such as 500 or a redirect to a login page (httpError).',
  },
  wrongBody: { text: 'Wrong content', explanation: 'The expected status, but the content failed a check (wrongBody).' },
  timeout: { text: 'No answer in time', explanation: 'The time limit of the request passed before the last byte arrived (timeout).' },
  refused: {
    text: 'Connection refused',
    explanation: 'Nothing accepted the connection: the server is down or its queue is full (refused).',
  },
  reset: { text: 'Connection broken', explanation: 'The other side closed the connection before the answer was complete (reset).' },
  noPort: {
    text: 'No outgoing port left',
    explanation: 'The computer that makes the load had no free port for another connection. The server never saw the request (noPort).',
  },
  noFile: {
    text: 'No open file left',
    explanation: 'The computer that makes the load reached its limit of open files. The server never saw the request (noFile).',
  },
  dns: { text: 'Name not found', explanation: 'The name of the server could not be resolved to an address (dns).' },
  tls: {
    text: 'Encryption failed',
    explanation: 'No encrypted connection could be agreed, for example because of the certificate (tls).',
  },
  otherError: {
    text: 'Other failure',
    explanation: 'Every other failure without a complete answer; the table of errors names each (otherError).',
  },
  notMade: {
    text: 'Not sent: could not be made',
    explanation: 'A value that the request needs was missing, so it was never sent and the server never saw it (notMade).',
  },
};

/** That the sum is right, or that it is not. */
export function balanceSentence({ requests }: Ledger, balances: boolean): string {
  if (balances) return `All ${formatCount(requests.sent)} requests are accounted for.`;
  const accounted = SENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], requests.inFlight);
  return `${formatCount(requests.sent)} requests were sent but ${formatCount(accounted)} are accounted for: the figures do not add up. This is a fault of Holdfast: please report it.`;
}

/** What became of every request. While the load goes, those under way are still to be answered. */
export function outcomeBlocks(ledger: Ledger, isGoing = false, included = ''): Passage[] {
  const { requests, sideCalls } = ledger;
  if (requests.sent + requests.notMade === 0) return text(isGoing ? 'No request was sent yet.' : 'No request was sent.');
  const shown = SENT_OUTCOMES.filter((outcome) => outcome === 'ok' || requests[outcome] > 0);
  const row = (name: RichCell, count: number, share = shareWords(count, requests.sent)) => ({ name, count, share });
  const rows = [
    row({ text: 'Sent', about: included }, requests.sent, ''),
    ...shown.map((outcome) => row(OUTCOMES[outcome], requests[outcome])),
    ...(isGoing || requests.inFlight > 0
      ? [row({ text: isGoing ? chartNames.titles.inFlight : 'Never answered', explanation: EXPLAINED.inFlight }, requests.inFlight)]
      : []),
    ...(requests.notMade > 0 ? [row(OUTCOMES.notMade, requests.notMade, '')] : []),
  ];
  return [
    ...table(
      'What became of every request',
      rows,
      [
        column(TITLES.outcome, ({ name }) => name),
        numbers('Requests', ({ count }) => formatCount(count)),
        numbers('Share', ({ share }) => share, { minor: true }),
      ],
      [
        ...(requests.notMade > 0 ? ['What could not be made lacked a value that it needs: it was never sent, and counts as failed.'] : []),
        ...(shown.length < SENT_OUTCOMES.length ? ['No request that was sent ended in any other way.'] : []),
      ].join(' '),
    ),
    ...(sideCalls === undefined ? [] : sideCallText('', sideCalls)),
  ];
}

function sideCallText(of: string, calls: Ledger['requests']): Passage[] {
  if (calls.sent === 0) return [];
  const waiting = calls.inFlight === 0 ? '' : `, ${formatCount(calls.inFlight)} are not answered`;
  return text(
    `Beside these, ${formatCount(calls.sent)} side calls${of} were made, which are in no figure: ${formatCount(failedRequests(calls))} failed${waiting}.`,
  );
}

/** Answers by status, and what went wrong: errno and phase of requests without an answer, and failed checks of answers. */
export function codeBlocks(result: Pick<RunResult, 'stages'>): Passage[] {
  return [
    ...countTable('Status codes', statusOfRun(result), 'No answer was complete.'),
    ...countTable(chartNames.titles.errors, errorsOfRun(result), chartNames.noErrors),
  ];
}

function countTable(title: string, counts: Readonly<Record<string, number>>, none: string): Passage[] {
  const entries = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  if (entries.length === 0) return text(none);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  return table(title, entries, [
    column('Code', ([code]) => (isCheckError(code) || isUnsent(code) ? errorWords(code) : code)),
    numbers('Requests', ([, count]) => formatCount(count)),
    numbers('Share', ([, count]) => shareWords(count, all)),
  ]);
}

/** What became of every journey. */
export function journeyBlocks({ journeys }: Ledger): Passage[] {
  const { planned, started, notStarted, finished, abandoned, running } = journeys;
  return pairs('Journeys', [
    ['Planned', planned === null ? 'not planned: the test runs by time' : formatCount(planned)],
    ['Started', formatCount(started)],
    ['Finished', formatCount(finished)],
    ...optional('Given up after a failure', abandoned),
    ...optional('Still going at the end', running),
    ...optional('Not started: the server owed too many answers', notStarted.target),
    ...optional('Not started: the load could not be made', notStarted.generator),
    ...optional('Not started: the test was stopped', notStarted.stopped),
  ]);
}

function optional(name: string, count: number): (readonly [string, string])[] {
  return count === 0 ? [] : [[name, formatCount(count)]];
}

/** Where every request went, warm-up and start-up included, with status codes and errors. */
export function ledgerBlocks(result: RunResult): Passage[] {
  const { ledger, balances, stages, sideCalls = [] } = result;
  const included = [
    stages.some(({ counted, requests }) => !counted && requests.sent > 0) ? 'warm-up' : '',
    stages.some(({ startUp }) => startUp !== null) ? 'start-up' : '',
  ].filter((part) => part !== '');
  return [
    ...text(balanceSentence(ledger, balances)),
    ...outcomeBlocks({ ...ledger, sideCalls: undefined }, false, included.length === 0 ? '' : `${included.join(' and ')} included`),
    ...sideCalls.flatMap(({ name, requests }) => sideCallText(` of “${name}”`, requests)),
    ...codeBlocks(result),
  ];
}
