import { OUTCOMES, type Outcome } from '#core/measurement/ledger.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { SelfTestFact } from '#core/measurement/selfTest/report.ts';
import type { Measured } from '../measure.ts';
import type { Truth } from '../server/truth.ts';
import { countFact } from './fact.ts';

const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  ok: 'answered',
  httpError: 'answered with an error status',
  wrongBody: 'wrong body',
  timeout: 'given up (timeout)',
  refused: 'refused',
  reset: 'reset or cut off',
  noPort: 'no port free',
  noFile: 'no file descriptor free',
  dns: 'name not found',
  tls: 'TLS failed',
  otherError: 'failed otherwise',
  notMade: 'could not be made',
};

/** Everything that can be counted, beside the server's log: equal or wrong, whatever the machine was busy with. */
export function countFacts({ cell, inFlight }: Measured, truth: Truth): SelfTestFact[] {
  const known = knownOutcomes(truth);
  const answers = (known.ok ?? 0) + (known.httpError ?? 0);
  const times = (cell.times.serviceOk?.totalCount ?? 0) + (cell.times.serviceFailed?.totalCount ?? 0);
  const statuses = [...new Set([...Object.keys(cell.statuses), ...Object.keys(truth.statuses)])].sort();
  return [
    countFact('requests sent', cell.started, truth.requests),
    ...OUTCOMES.filter((outcome) => (cell.outcomes[outcome] ?? 0) + (known[outcome] ?? 0) > 0).map((outcome) =>
      countFact(OUTCOME_NAMES[outcome], cell.outcomes[outcome] ?? 0, known[outcome] ?? 0),
    ),
    countFact('left unanswered', inFlight, 0),
    ...statuses.map((status) => countFact(`status ${status}`, getOwn(cell.statuses, status) ?? 0, getOwn(truth.statuses, status) ?? 0)),
    countFact('times recorded', times, answers),
    countFact('connections', cell.connectionsOpened, truth.connections),
    countFact('bytes sent', cell.bytesSent, truth.bytesReceived, 'bytes'),
    countFact('bytes received', cell.bytesReceived, truth.bytesSent, 'bytes'),
    countFact('bytes of bodies', cell.bodyBytes, truth.bodyBytes, 'bytes'),
    countFact('bodies of another length', cell.bodyLengthDiffers, truth.bodyLengthDiffers),
  ];
}

/** What must have become of the requests, told from what the server did with them. */
function knownOutcomes({ statuses, resets, cuts, silences }: Truth): Partial<Record<Outcome, number>> {
  const known = { ok: 0, httpError: 0, reset: resets + cuts, timeout: silences };
  for (const [status, count] of Object.entries(statuses)) known[status.startsWith('2') ? 'ok' : 'httpError'] += count;
  return known;
}
