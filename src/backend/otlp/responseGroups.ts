import type { Cell } from '#core/measurement/window.ts';
import { OUTCOMES, type Outcome } from '#core/measurement/requestOutcomes.ts';

/** Requests of a cell with the same outcome and, where it is known, the same status. */
export interface ResponseGroup {
  readonly outcome: Outcome;
  /** Status code; null without a complete response, or if the window does not show which of several statuses it was. */
  readonly status: number | null;
  readonly count: number;
}

type CountedCell = Pick<Cell, 'outcomes' | 'statuses'>;

/**
 * Returns the requests of a cell that ended, grouped by outcome and status. A window counts outcomes and statuses separately, so the status
 * is left out if several would fit. `expected`: statuses of successful responses; undefined for any 2xx.
 */
export function groupResponses({ outcomes, statuses }: CountedCell, expected: readonly number[] | undefined): ResponseGroup[] {
  const isExpected = (status: number): boolean => expected?.includes(status) ?? (status >= 200 && status < 300);
  const wanted = [...statuses].filter(([status]) => isExpected(status));
  const unwanted = [...statuses].filter(([status]) => !isExpected(status));
  const { ok = 0, httpError = 0, wrongBody = 0 } = outcomes;
  // A followed redirect is successful although its status is not expected.
  const isSplit = sumOf(unwanted) === httpError && sumOf(wanted) === ok + wrongBody;
  const withStatuses = (outcome: Outcome, found: readonly (readonly [number, number])[], count: number): ResponseGroup[] => {
    const [only] = found;
    if (isSplit && sumOf(found) === count) return found.map(([status, responses]) => ({ outcome, status, count: responses }));
    return [{ outcome, status: isSplit && found.length === 1 && only !== undefined ? only[0] : null, count }];
  };
  return OUTCOMES.flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    if (count === 0) return [];
    if (outcome === 'ok' || outcome === 'wrongBody') return withStatuses(outcome, wanted, count);
    if (outcome === 'httpError') return withStatuses(outcome, unwanted, count);
    return [{ outcome, status: null, count }];
  });
}

function sumOf(statuses: readonly (readonly [number, number])[]): number {
  return statuses.reduce((sum, [, count]) => sum + count, 0);
}

const ERROR_TYPES: Readonly<Record<Exclude<Outcome, 'ok' | 'httpError'>, string>> = {
  wrongBody: 'wrong_body',
  timeout: 'timeout',
  refused: 'connection_refused',
  reset: 'connection_reset',
  noPort: 'no_local_port',
  noFile: 'no_file_descriptor',
  dns: 'name_resolution',
  tls: 'tls',
  otherError: '_OTHER',
  notMade: 'not_made',
  neverSent: 'never_sent',
};

/** Returns the value of `error.type`: the status code of an unexpected response, else the kind of failure; null for a success. */
export function findErrorType({ outcome, status }: Pick<ResponseGroup, 'outcome' | 'status'>): string | null {
  if (outcome === 'ok') return null;
  return outcome === 'httpError' ? String(status ?? '_OTHER') : ERROR_TYPES[outcome];
}
