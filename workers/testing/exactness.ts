import type { DriveResult } from './drive.ts';

/** Returns all contradictions between the recorded counts and those of the server; none if they match. */
export function discrepancies(driven: DriveResult, serverRequests: number): string[] {
  const { cell, journeys, inFlight, settled } = driven;
  const neverArrived = (cell.outcomes.refused ?? 0) + (cell.outcomes.dns ?? 0) + (cell.outcomes.noPort ?? 0) + (cell.outcomes.noFile ?? 0);
  const samples = (cell.times.serviceOk?.totalCount ?? 0) + (cell.times.serviceFailed?.totalCount ?? 0);
  const responded = (cell.outcomes.ok ?? 0) + (cell.outcomes.httpError ?? 0) + (cell.outcomes.wrongBody ?? 0);
  const statuses = [...cell.statuses.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...differ('requests sent and the sum of their outcomes', cell.started, settled + inFlight),
    ...differ('requests sent and those that the server saw', cell.started - neverArrived, serverRequests),
    ...differ('complete responses and their times', responded, samples),
    ...differ('complete responses and their statuses', responded, statuses),
    ...(journeys.started < journeys.finished + journeys.abandoned ? ['more journeys ended than started'] : []),
  ];
}

function differ(what: string, one: number, other: number): string[] {
  return one === other ? [] : [`${what} differ: ${one} and ${other}`];
}
