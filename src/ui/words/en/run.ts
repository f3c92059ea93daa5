import { TITLES } from '#core/presentation/document/words.ts';

const NOTHING_READ = 'no data so far';

/** Texts that the live view and the result have in common. Counts and measurements are passed in formatted. */
export const run = {
  notStarted: {
    target: 'Some arrivals were not started: too many requests are in flight.',
    generator: 'Some arrivals were not started: the load generator is overloaded.',
    countTarget: (arrivals: string, share: string) => `${arrivals} (${share}) not started: too many requests in flight.`,
    countGenerator: (arrivals: string, share: string, generators: string) => `${arrivals} (${share}) not started by ${generators}.`,
    arrivals: (count: number, formatted: string) => (count === 1 ? '1 arrival' : `${formatted} arrivals`),
    targetStory: (most: string) =>
      `${most === '' ? 'Only a limited number of arrivals' : `At most ${most === '1' ? '1 arrival' : `${most} arrivals`}`} may be in flight; further ones are counted, not sent. The server got less than the planned load: it is too slow for this rate, or the limit is too low.`,
    generatorStory:
      'The load generator ran out of ports, open files or time. The server got less than the planned load, which says nothing about the server.',
  },
  capacity: {
    title: TITLES.capacity,
    summary: 'scaling, best cycle',
    measured: 'measured',
    curve: 'fitted curve',
    chart: { responses: 'Successful responses', pages: 'Complete pages' },
    chartOf: (name: string, what: string) => `${name}: ${what.toLowerCase()}`,
    axis: { connections: 'connections', users: 'users' },
  },
  noEvents: 'No events.',
  bells: { title: (bell: string) => `Bell “${bell}”`, figures: (bell: string) => `Figures of the bell “${bell}”` },
  outcomes: {
    title: TITLES.outcome,
    journeys: 'Journeys',
    journeysSummary: (finished: string, notStarted: string) =>
      notStarted === '' ? `${finished} finished` : `${finished} finished, ${notStarted} not started`,
  },
  monitors: {
    title: 'Machines and services during the load',
    makesLoad: (name: string) => `${name} (load generator)`,
    standsBetween: (name: string) => `${name} (proxy or database)`,
    lost: (name: string) => `${name} is no longer watched. The run continues.`,
    unavailable: (name: string) => `${name} cannot be watched. The run continues.`,
    states: {
      waiting: NOTHING_READ,
      watching: NOTHING_READ,
      lost: 'no longer watched',
      unavailable: 'cannot be watched',
      ended: 'no data',
    },
  },
  health: {
    title: (many: boolean) => (many ? 'Load generators' : 'Load generator'),
    unknown: 'Available after the first second.',
    well: (generators: string, many: boolean) => `${generators} ${many ? 'were' : 'was'} never overloaded: the figures are the server’s.`,
    overloadedNow: (generators: string, many: boolean, seconds: string) =>
      `${generators} ${many ? 'are' : 'is'} overloaded (${seconds} in total). Latency may be inflated.`,
    wasOverloaded: (generators: string, many: boolean, seconds: string) =>
      `${generators} ${many ? 'were' : 'was'} overloaded for ${seconds}; latency may be inflated.`,
    cause: (cause: string, seconds: string) => `${cause}: ${seconds}`,
  },
  places: { title: 'By place', charts: { rate: 'Responses by place', half: 'p50 by place', bytes: 'Data received by place' } },
};
