import { formatCount, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { type Calculation, type Calculator, CALCULATOR_TITLES, type CalculatorValues, type InputGroup, type Note } from '../calculator.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** People who act, wait and act again, with an open page that polls. */
interface People {
  readonly count: number;
  readonly pauseSeconds: number;
  /** Seconds between two polls of a page; null if pages do not poll. */
  readonly pollSeconds: number | null;
}

/** Returns requests per second: one action per person and pause, and one poll per open page and interval. */
export function computeDemand({ count, pauseSeconds, pollSeconds }: People): {
  readonly actions: number;
  readonly polls: number;
  readonly demand: number;
} {
  const actions = count / pauseSeconds;
  const polls = pollSeconds === null ? 0 : count / pollSeconds;
  return { actions, polls, demand: actions + polls };
}

/** Time for which Linux keeps the port of a closed connection at the closing end: TCP_TIMEWAIT_LEN. */
const TIME_WAIT_SECONDS = 60;

/**
 * Returns when a machine that opens this many connections per second to one address, and closes them itself, has no port left; null if
 * ports are released faster than used.
 */
export function portSeconds(
  perSecond: number,
  ports: number,
): { readonly runsOutAfterSeconds: number | null; readonly sustainablePerSecond: number } {
  const sustainablePerSecond = ports / TIME_WAIT_SECONDS;
  return { runsOutAfterSeconds: perSecond <= sustainablePerSecond ? null : ports / perSecond, sustainablePerSecond };
}

const seconds = { min: 0.1, max: 86_400, whole: false, unit: 's' } as const;

const groups = [
  {
    title: 'Participants',
    inputs: {
      participants: { label: 'Participants at the same time', default: 750, min: 1, max: 1e7 },
      'pause-seconds': {
        label: 'Pause between two actions',
        help: 'Of one participant. CMS’s own stress test pauses 5 s on average, which is busy.',
        default: 5,
        ...seconds,
      },
      'poll-seconds': {
        label: 'Polling interval of an open page',
        help: 'CMS polls for news every 30 s, in 2014 every 15 s. Leave it empty if pages do not poll.',
        default: null,
        ...seconds,
      },
    },
  },
  {
    title: 'Measured',
    inputs: {
      'measured-per-second': {
        label: 'Sustained successful responses a second',
        help: 'At the highest load that passed. “holdfast capacity” shows it for a run.',
        default: null,
        min: 0.001,
        max: 1e7,
        whole: false,
      },
      'answer-seconds': { label: 'Response time', default: 0.3, ...seconds, min: 0.001 },
    },
  },
  {
    title: 'New connection for each request',
    folded: true,
    inputs: {
      ports: {
        label: 'Ports of the connecting machine',
        help: 'net.ipv4.ip_local_port_range: on Linux usually 28,232. Each connection that it closes itself keeps its port for 60 s.',
        default: 28_232,
        min: 1,
        max: 65_535,
      },
    },
  },
] as const satisfies readonly InputGroup[];

export const participants: Calculator = {
  id: 'participants',
  title: CALCULATOR_TITLES.participants,
  story: 'How many requests a second they send, and for how many participants a measured throughput is enough.',
  groups,
  calculate,
};

function calculate(values: CalculatorValues): Calculation {
  const people: People = {
    count: values['participants'] ?? 0,
    pauseSeconds: values['pause-seconds'] ?? 1,
    pollSeconds: values['poll-seconds'] ?? null,
  };
  const measured = values['measured-per-second'] ?? null;
  const { actions, polls, demand } = computeDemand(people);
  const factor = measured === null ? null : measured / demand;
  const enoughFor = measured === null ? null : Math.floor((people.count * measured) / demand);
  return {
    sentence: writeSentence(people.count, demand, measured, factor, enoughFor),
    table: {
      caption: 'Expected load',
      columns: ['Value'],
      rows: [
        { label: 'Actions of participants', kind: 'perSecond', values: [actions] },
        { label: 'Polls of open pages', kind: 'perSecond', values: [polls] },
        { label: 'Total', kind: 'perSecond', values: [demand] },
        { label: 'Requests in an hour', kind: 'count', values: [Math.round(demand * 3_600)] },
        { label: 'Requests in flight', kind: 'count', values: [Math.ceil(demand * (values['answer-seconds'] ?? 0))] },
        ...(measured === null
          ? []
          : [
              { label: 'Measured', kind: 'perSecond' as const, values: [measured] },
              { label: 'Measured / expected', kind: 'times' as const, values: [factor] },
              { label: 'Enough for participants', kind: 'count' as const, values: [enoughFor] },
            ]),
      ],
    },
    notes: listNotes(people, demand, factor, values['ports'] ?? null),
  };
}

function writeSentence(count: number, demand: number, measured: number | null, factor: number | null, enoughFor: number | null): string {
  const asks = `${formatCount(count)} participants send ${formatNumber(demand)} requests a second.`;
  if (measured === null || factor === null) return `${asks} A test has to show whether the server sustains that.`;
  if (factor < 1)
    return `${asks} The server sustained ${formatNumber(measured)}, ${formatPercent(factor)} of them: enough for ${formatCount(enoughFor)} participants, not for ${formatCount(count)}.`;
  return `${asks} The server sustained ${formatNumber(measured)}, ${formatNumber(factor)} times as many: enough for ${formatCount(enoughFor)} participants.`;
}

/** Minimum reserve, as a factor. A smaller one does not cover an estimate that is 20 % too low. */
const MIN_COMFORTABLE_FACTOR = 1.25;

function listNotes({ count, pauseSeconds, pollSeconds }: People, demand: number, factor: number | null, ports: number | null): Note[] {
  const polls = pollSeconds === null ? '' : ` + ${formatCount(count)} / ${formatNumber(pollSeconds)} s`;
  return withoutAbsent([
    {
      level: 'info',
      text: `Demand = ${formatCount(count)} / ${formatNumber(pauseSeconds)} s${polls}. It is a mean: at a start, an end or a break it can be many times higher for a minute.`,
    },
    !(factor === null || factor >= MIN_COMFORTABLE_FACTOR) && {
      level: factor < 1 ? ('problem' as const) : ('warning' as const),
      text:
        factor < 1
          ? 'It is not enough. Find out what gave way first before you buy anything: the result of the test names it.'
          : `Only ${formatPercent(factor - 1)} is left in reserve: a guess that was a fifth too low uses that up.`,
    },
    ...portNotes(demand, ports),
  ]);
}

/** Returns notes about ports. A hop that opens and closes a connection for each request runs out of ports. */
function portNotes(demand: number, ports: number | null): Note[] {
  if (ports === null) return [];
  const { runsOutAfterSeconds, sustainablePerSecond } = portSeconds(demand, ports);
  if (runsOutAfterSeconds === null)
    return [
      {
        level: 'info',
        text: `Even with a new connection for each request, ${formatCount(ports)} ports are enough: they sustain ${formatRate(sustainablePerSecond)}.`,
      },
    ];
  return [
    {
      level: 'warning',
      text: `A proxy or a pool that opens a connection for each request and closes it itself has used up ${formatCount(ports)} ports after ${formatSeconds(runsOutAfterSeconds)}: ${formatCount(ports)} / ${formatNumber(demand)}. It sustains ${formatRate(sustainablePerSecond)} (ports / 60 s); let it keep its connections.`,
    },
  ];
}
