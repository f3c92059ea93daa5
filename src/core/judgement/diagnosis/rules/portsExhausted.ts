import { answeredRequests, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { overloadedGenerators, overloadedGeneratorNames } from '#core/result/generatorNames.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { figure, rangeOf, type Found, type Rule, type MeasuredRun } from '../rule.ts';

/** Finds load generators without a port or file for a new connection. Requests that were never sent say nothing about the server. */
export const portsExhausted: Rule = {
  id: 'portsExhausted',
  find(facts) {
    const { requests } = facts.outcomes;
    return [
      ...(isShort(facts, 'noPort') ? [noPort(facts, requests.noPort)] : []),
      ...(isShort(facts, 'noFile') ? [noFile(facts, requests.noFile)] : []),
    ];
  },
};

type Shortage = 'noPort' | 'noFile';

/** Returns whether requests were not sent because of a shortage. Without any response the address may be wrong, which another rule reports. */
export function isShort({ outcomes: { requests } }: Pick<MeasuredRun, 'outcomes'>, shortage: Shortage): boolean {
  return requests[shortage] > 0 && answeredRequests(requests) > 0;
}

function noPort(facts: MeasuredRun, count: number): Found {
  const open = most(facts, 'noPort', ({ sockets }) => sockets?.['established'] ?? null);
  const waiting = most(facts, 'noPort', ({ timeWaitSockets }) => timeWaitSockets);
  const { connections } = facts.plan;
  const keptOpen = open !== null && open > (waiting ?? 0);
  return {
    ...common(facts, 'noPort', 'ports for new connections'),
    id: 'portsExhausted.generator',
    figures: [
      ...figures(facts, count, 'without a port'),
      figure('Max connections open there', formatCount(open)),
      figure('Max ports in TIME_WAIT there', formatCount(waiting)),
    ],
    evidence: [
      'Each connection takes one port of the machine that opens it, for as long as it is open. If that machine closes first, the port stays in TIME_WAIT for 60 s. Linux has 28,232 ports for each server address.',
    ],
    remedy: keptOpen
      ? 'Connections that were still open held most ports. Let users share connections or close them (“connections.reuse” in the plan), widen the port range on the Hosts page, or send the load from more addresses or machines.'
      : connections.reuse === 'always'
        ? 'Widen the port range on the Hosts page, or send the load from more addresses or machines.'
        : 'Keep connections open between requests, widen the port range on the Hosts page, or send the load from more addresses or machines.',
  };
}

function noFile(facts: MeasuredRun, count: number): Found {
  const files = most(facts, 'noFile', ({ openFiles }) => openFiles);
  return {
    ...common(facts, 'noFile', 'open files'),
    id: 'portsExhausted.files',
    figures: [...figures(facts, count, 'without a file'), figure('Max files open in Holdfast', formatCount(files))],
    evidence: ['Each connection is an open file of the program that holds it.'],
    remedy:
      'Raise the limit of open files (ulimit -n): here before you start Holdfast, on a host for its user. Or use fewer connections, or a second machine.',
  };
}

/** Returns whether an error belongs to a shortage. A port in use does only while connecting. */
const IS_OF: Readonly<Record<Shortage, (code: string, phase: string | null) => boolean>> = {
  noPort: (code, phase) => code === 'EADDRNOTAVAIL' || (code === 'EADDRINUSE' && phase === 'connect'),
  noFile: (code) => code === 'EMFILE' || code === 'ENFILE',
};

function common(facts: MeasuredRun, shortage: Shortage, what: string): Pick<Found, 'level' | 'sentence' | 'confidence' | 'range'> {
  const count = facts.outcomes.requests[shortage];
  const hit = facts.windows.filter(({ errors }) =>
    Object.keys(errors).some((error) => {
      const { code, phase } = readErrorName(error);
      return IS_OF[shortage](code, phase);
    }),
  );
  const since = hit[0] === undefined ? '' : ` from second ${formatNumber(hit[0].second)} on`;
  const good = facts.latencyByStatusClass['2xx']?.p50 ?? null;
  const answers = good === null ? '' : ` Of the requests that were sent, the median response took ${formatMs(good)}.`;
  return {
    level: 'problem',
    sentence: `${atStart(overloadedGeneratorNames(facts.generators, shortage))} ran out of ${what}${since}: ${formatCount(count)} requests were not sent. The server is not the cause.${answers}`,
    confidence: 'certain',
    range: rangeOf(hit),
  };
}

function figures({ outcomes, connectionsOpened }: MeasuredRun, count: number, without: string): NonNullable<Found['figures']> {
  return [
    figure(`Requests ${without}`, `${formatCount(count)} of ${formatCount(wantedRequests(outcomes.requests))}`),
    figure('Successful responses', formatCount(outcomes.requests.ok)),
    figure('Connections opened', formatCount(connectionsOpened)),
  ];
}

type GeneratorReading = MeasuredRun['generators'][number]['readings'][number];

/** Returns the highest reading of the affected machines; null if none was taken. */
function most({ generators }: MeasuredRun, shortage: Shortage, pick: (reading: GeneratorReading) => number | null): number | null {
  const values = overloadedGenerators(generators, shortage).flatMap(({ readings }) => readings.flatMap((reading) => pick(reading) ?? []));
  return values.length === 0 ? null : Math.max(...values);
}
