import { TITLES } from '#core/presentation/document/titles.ts';

const NOTHING_READ = 'nothing was read yet';

/** Words that the live view and the result share. Counts and measurements arrive formatted. */
export const run = {
  notStarted: {
    target: 'Not everybody could start, because the server owes too many answers.',
    generator: 'Not everybody could start, because the load could not be made.',
    countTarget: (arrivals: string, share: string) => `${arrivals} (${share}) not started: the server owes too many answers.`,
    countGenerator: (arrivals: string, share: string, generators: string) => `${arrivals} (${share}) not started: ${generators} could not.`,
    arrivals: (count: number, formatted: string) => (count === 1 ? '1 arrival' : `${formatted} arrivals`),
    targetStory: (most: string) =>
      `${most === '' ? 'Only so many' : `At most ${most}`} may wait at the same time; whoever comes beyond that is counted and not sent. So less than the planned load reached the server: it is too slow for this rate, or the limit is too low for it.`,
    generatorStory:
      'Ports, open files or time ran out there. So less than the planned load reached the server, and this says nothing about the server.',
  },
  capacity: {
    title: TITLES.capacity,
    summary: 'how it scales, its best cycle',
    measured: 'as it was',
    curve: 'as the curve says',
    chart: { answers: 'Good answers', pages: 'Complete pages' },
    chartOf: (name: string, what: string) => `${name}: ${what.toLowerCase()}`,
    axis: { connections: 'connections', users: 'users' },
  },
  noEvents: 'Nothing out of the ordinary happened.',
  ledger: {
    title: 'Every request accounted for',
    journeys: 'Journeys',
    journeysSummary: (finished: string, notStarted: string) =>
      notStarted === '' ? `${finished} finished` : `${finished} finished, ${notStarted} not started`,
  },
  monitors: {
    title: 'Machines and services while the load went',
    makesLoad: (name: string) => `${name}, which makes the load`,
    standsBetween: (name: string) => `${name}, which stands in between`,
    lost: (name: string) => `${name} is not watched any more. The run is not disturbed by that.`,
    unavailable: (name: string) => `${name} cannot be watched. The run is not disturbed by that.`,
    states: {
      waiting: NOTHING_READ,
      watching: NOTHING_READ,
      lost: 'not watched any more',
      unavailable: 'cannot be watched',
      ended: 'nothing was read',
    },
  },
  health: {
    title: (generators: string, many: boolean) => `${many ? 'Do' : 'Does'} ${generators} keep up?`,
    unknown: 'Known after the first second.',
    well: (generators: string) => `${generators} kept up in every second: the figures are those of the server.`,
    sickNow: (generators: string, seconds: string) =>
      `Not keeping up now: ${generators} (${seconds} in all). Times may come from there, not from the server.`,
    wasSick: (generators: string, seconds: string) =>
      `${generators} did not keep up for ${seconds}: times of those seconds may come from there, not from the server.`,
    cause: (cause: string, seconds: string) => `${cause}: ${seconds}`,
    causes: {
      threadCpu: 'a thread used more than 90 % of its core',
      threadWait: 'other programs kept its threads from running',
      eventLoopDelay: 'answers were noticed too late',
      steal: 'other virtual machines took more than 2 % of its time',
      scheduleLag: 'requests were sent later than planned',
      standstill: 'it stood still, suspended or stopped',
      noPort: 'no outgoing port was free',
      noFile: 'no further file or connection could be opened',
    },
  },
  places: {
    title: 'From each place',
    charts: { rate: 'Answers, by place', half: 'Half within, by place', bytes: 'Received, by place' },
  },
};
