import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import { keyParts } from '#core/machines/monitors/result.ts';
import { formatCount, formatNumber, formatPart } from '#core/base/units.ts';
import { failedShare, figure, type Found, rangeOf, type Rule, type MeasuredRun, failedSince } from '../rule.ts';

/** Share of its ports from which a machine may run out. Ports of open connections are not among the waiting ones. */
const MIN_USED_SHARE = 0.8;
/** The number of waiting ports stopped growing within this share of its maximum, because no connection can be opened. */
const MIN_PEAK_SHARE = 0.9;
/** Smallest share of failures in a second of the stall. */
const MIN_FAILED_SHARE = 0.1;
/** Delay of a reading in seconds. */
const TOLERANCE_SECONDS = 3;

/** A place where ports wait in TIME_WAIT, second by second. */
interface Holder {
  readonly where: string;
  /** Address and port of the connections; null if not listed. */
  readonly destination: string | null;
  /** Ports that the machine has for connections to one address and port. */
  readonly ports: number;
  readonly readings: readonly { readonly second: number; readonly value: number }[];
}

/**
 * Finds a hop that opens a connection for each request and runs out of ports because all wait in TIME_WAIT. Requests fail from the second on in which the
 * number of waiting ports stops growing. Monitors show the machine at the connecting end.
 */
export const hopPorts: Rule = {
  id: 'hopPorts',
  find(facts) {
    const failing = facts.windows.filter(
      ({ failed, completed, started }) => failed > MIN_FAILED_SHARE * Math.max(completed, failed, started, 1),
    );
    const [first] = failing;
    if (first === undefined || facts.outcomes.requests.ok === 0 || facts.outcomes.requests.noPort > 0) return [];
    const found = holdersOf(facts).find((holder) => isFullFrom(holder, first.second));
    if (found === undefined) return [];
    const most = Math.max(...found.readings.map(({ value }) => value));
    const ports = formatCount(found.ports);
    const { requests } = facts.outcomes;
    const to = found.destination === null ? '' : ` to ${found.destination}`;
    return [
      {
        id: `${this.id}.${found.where}`,
        level: 'problem',
        sentence: `${found.where} ran out of ports for connections${to}: ${formatPart(most, found.ports)} were in TIME_WAIT when requests began to fail in second ${formatNumber(first.second)}.`,
        evidence: [
          'The side that closes a connection keeps its port for 60 s. A program that opens a connection for each request can do so at most “ports / 60 s” times a second.',
          found.destination === null
            ? 'The destination of these connections is unknown: watch the machine as a monitor to see it.'
            : `TIME_WAIT is at the end that connected to ${found.destination}, so the cause is the program there, not the users.`,
        ],
        figures: [
          figure('Max ports in TIME_WAIT', formatCount(most)),
          figure('Ports available for one destination', ports),
          figure('Connections opened by the load itself', formatCount(facts.connectionsOpened)),
          figure('Failed', `${formatCount(requests.sent - requests.ok)} of ${formatCount(requests.sent)}`),
          failedSince(failedShare(facts.windows.filter(({ second }) => second >= first.second))),
        ],
        remedy:
          'Let that program keep and reuse its connections (a pool; in nginx “keepalive” for the upstream). tcp_tw_reuse = 1 on its machine frees ports after 1 s; tcp_tw_recycle no longer exists.',
        confidence: found.destination === null ? 'possible' : 'likely',
        range: rangeOf(failing),
        insteadOf: ['unexpectedStatus.500', 'unexpectedStatus.502'],
      },
    ] satisfies Found[];
  },
};

/** Lists ports by destination from machine monitors; else the generator's own count, if a target shares its machine and the load opened few connections. */
function holdersOf({ monitors, generators, connectionsOpened }: MeasuredRun): Holder[] {
  const listed = monitors.flatMap(({ kind, name, values, second, limits }) => {
    const ports = limits.find(({ chart }) => chart === MACHINE_CHARTS.holders)?.value;
    if (kind !== 'machine' || ports === undefined) return [];
    return Object.entries(values).flatMap(([key, column]): Holder[] => {
      const { id, instance } = keyParts(key);
      if (id !== 'timeWait.to' || instance === null) return [];
      const readings = column.flatMap((value, row) => (value === null ? [] : [{ second: second[row] ?? 0, value }]));
      return [{ where: name, destination: instance, ports, readings }];
    });
  });
  const counted = generators.flatMap(({ name, sharesMachineWithTarget, outgoingPorts, readings }): Holder[] => {
    if (outgoingPorts === null) return [];
    const known = readings.flatMap(({ second, timeWaitSockets }) => (timeWaitSockets === null ? [] : [{ second, value: timeWaitSockets }]));
    const grown = Math.max(0, ...known.map(({ value }) => value)) - (known[0]?.value ?? 0);
    // Connections of the load itself may wait there, too.
    return sharesMachineWithTarget && grown > 2 * connectionsOpened
      ? [{ where: `A program on ${name}`, destination: null, ports: outgoingPorts, readings: known }]
      : [];
  });
  return [...listed, ...counted];
}

/** Returns whether the waiting ports grew until the failures began and then stopped near their limit. */
function isFullFrom({ readings, ports }: Holder, second: number): boolean {
  const most = Math.max(0, ...readings.map(({ value }) => value));
  const before = readings.filter((reading) => reading.second < second - TOLERANCE_SECONDS);
  const after = readings.filter((reading) => reading.second >= second - 1 && reading.second <= second + TOLERANCE_SECONDS);
  // If failures begin with the run, the first reading is the comparison.
  const earlier = before.length > 0 ? before : readings.slice(0, 1);
  return (
    most >= MIN_USED_SHARE * ports &&
    earlier.every(({ value }) => value < MIN_PEAK_SHARE * most) &&
    after.some(({ value }) => value >= MIN_PEAK_SHARE * most)
  );
}
