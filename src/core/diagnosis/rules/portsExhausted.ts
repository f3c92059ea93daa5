import { formatCount, formatMs, formatNumber } from '#core/units.ts';
import { answered, figure, rangeOf, type Found, type Rule, type RunFacts } from '../rule.ts';

/** This computer had no port, or no file, left for a new connection: requests that were never sent say nothing about the server. */
export const portsExhausted: Rule = {
  id: 'portsExhausted',
  find(facts) {
    const { requests } = facts.ledger;
    // Not one answer: the address may be wrong, which has a rule of its own.
    if (answered(requests) === 0) return [];
    return [
      ...(requests.noPort === 0 ? [] : [noPort(facts, requests.noPort)]),
      ...(requests.noFile === 0 ? [] : [noFile(facts, requests.noFile)]),
    ];
  },
};

function noPort(facts: RunFacts, count: number): Found {
  const open = most(facts, ({ sockets }) => sockets?.['established'] ?? null);
  const waiting = most(facts, ({ timeWaitSockets }) => timeWaitSockets);
  const { connections } = facts.plan;
  const keptOpen = open !== null && open > (waiting ?? 0);
  return {
    ...common(facts, count, 'EADDRNOTAVAIL', 'ports for new connections'),
    id: 'portsExhausted.generator',
    figures: [
      ...figures(facts, count, 'without a port'),
      figure('Most connections open on this computer', formatCount(open)),
      figure('Most ports in TIME_WAIT on this computer', formatCount(waiting)),
    ],
    evidence: [
      'Each connection takes one port of this computer for as long as it is open, and for 60 s more (TIME_WAIT) where this computer closed it first. Linux has 28,232 of them for each server address.',
    ],
    remedy: keptOpen
      ? 'Most ports were held by connections that were still open. Let visitors share connections or close them (“connections.reuse” in the plan), widen the range of ports on the Hosts page, or send the load from more addresses or machines.'
      : connections.reuse === 'always'
        ? 'Widen the range of ports on the Hosts page, or send the load from more addresses or machines.'
        : 'Keep connections open between requests, widen the range of ports on the Hosts page, or send the load from more addresses or machines.',
    insteadOf: ['generatorLimited.noPort'],
  };
}

function noFile(facts: RunFacts, count: number): Found {
  const files = most(facts, ({ openFiles }) => openFiles);
  return {
    ...common(facts, count, 'EMFILE', 'open files'),
    id: 'portsExhausted.files',
    figures: [...figures(facts, count, 'without a file'), figure('Most files open in Holdfast', formatCount(files))],
    evidence: ['Each connection is an open file of the program that holds it.'],
    remedy: 'Raise the limit of open files (ulimit -n) before Holdfast is started, use fewer connections, or a second machine.',
    insteadOf: ['generatorLimited.noFile'],
  };
}

function common(facts: RunFacts, count: number, code: string, what: string): Pick<Found, 'level' | 'sentence' | 'confidence' | 'range'> {
  const hit = facts.windows.filter(({ errors }) => Object.keys(errors).some((error) => error.startsWith(code) || isTwin(error, code)));
  const since = hit[0] === undefined ? '' : ` from second ${formatNumber(hit[0].second)} on`;
  const good = facts.latencyByStatusClass['2xx']?.p50 ?? null;
  const answers = good === null ? '' : ` Where they were sent, half of the answers came within ${formatMs(good)}.`;
  return {
    level: 'problem',
    sentence: `This computer ran out of ${what}${since}: ${formatCount(count)} requests were never sent, which is not the server’s doing.${answers}`,
    confidence: 'certain',
    range: rangeOf(hit),
  };
}

/** Other codes of the same trouble. */
function isTwin(error: string, code: string): boolean {
  return code === 'EADDRNOTAVAIL' ? error.startsWith('EADDRINUSE@connect') : error.startsWith('ENFILE');
}

function figures({ ledger, connectionsOpened }: RunFacts, count: number, without: string): NonNullable<Found['figures']> {
  return [
    figure(`Requests ${without}`, `${formatCount(count)} of ${formatCount(ledger.requests.sent)}`),
    figure('Good answers', formatCount(ledger.requests.ok)),
    figure('Connections opened', formatCount(connectionsOpened)),
  ];
}

type GeneratorReading = RunFacts['generators'][number]['readings'][number];

/** The highest reading of any generator; null where none could tell. */
function most({ generators }: RunFacts, pick: (reading: GeneratorReading) => number | null): number | null {
  const values = generators.flatMap(({ readings }) => readings.flatMap((reading) => pick(reading) ?? []));
  return values.length === 0 ? null : Math.max(...values);
}
