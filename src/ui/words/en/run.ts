/** Words that the live view and the result share. Counts and measurements arrive formatted. */
export const run = {
  allBut: (share: string) => `all but ${share}`,
  notStarted: {
    target: 'Not everybody could start, because the server owes too many answers.',
    generator: 'Not everybody could start, because the load could not be made.',
    countTarget: (arrivals: string, share: string) => `${arrivals} (${share}) not started: the server owes too many answers.`,
    countGenerator: (arrivals: string, share: string, makers: string) => `${arrivals} (${share}) not started: ${makers} could not.`,
    arrivals: (count: number, formatted: string) => (count === 1 ? '1 arrival' : `${formatted} arrivals`),
    targetStory: (most: string) =>
      `${most === '' ? 'Only so many' : `At most ${most}`} may wait at the same time; whoever comes beyond that is counted and not sent. So less than the planned load reached the server: it is too slow for this rate, or the limit is too low for it.`,
    generatorStory:
      'Ports, open files or time ran out there. So less than the planned load reached the server, and this says nothing about the server.',
  },
  capacity: {
    title: 'How much it can do',
    summary: 'how it scales, its best cycle',
    measured: 'as it was',
    curve: 'as the curve says',
    chart: { answers: 'Good answers', pages: 'Complete pages' },
    chartOf: (name: string, what: string) => `${name}: ${what.toLowerCase()}`,
    axis: { connections: 'connections', users: 'users' },
    table: (name: string) => (name === '' ? 'Levels and the curve' : `Levels and the curve: ${name}`),
    columns: { level: 'Level', measured: 'Done, a second', curve: 'By the curve', off: 'Off by' },
  },
  noEvents: 'Nothing out of the ordinary happened.',
  ledger: {
    title: 'Every request accounted for',
    caption: 'What became of every request',
    nothingSent: 'No request was sent yet.',
    nothingWasSent: 'No request was sent.',
    balances: (sent: string) => `All ${sent} requests are accounted for.`,
    differs: (sent: string, accounted: string) =>
      `${sent} requests were sent but ${accounted} are accounted for. This is a fault of Holdfast: please report it.`,
    sideCalls: (sent: string, failed: string, waiting: string) =>
      `Beside these, ${sent} side calls were made, which are in no figure: ${failed} failed${waiting === '' ? '' : `, ${waiting} are not answered`}.`,
    sent: 'Sent',
    share: 'Share',
    outcomes: {
      ok: { plain: 'Good answers', explanation: 'Complete, with the expected status and content (ok).' },
      httpError: {
        plain: 'Wrong status',
        explanation: 'A complete answer with a status that was not expected, such as 500 or a redirect to a login page (httpError).',
      },
      wrongBody: { plain: 'Wrong content', explanation: 'The expected status, but the content failed a check (wrongBody).' },
      timeout: { plain: 'No answer in time', explanation: 'The time limit of the request passed before the last byte arrived (timeout).' },
      refused: {
        plain: 'Connection refused',
        explanation: 'Nothing accepted the connection: the server is down or its queue is full (refused).',
      },
      reset: { plain: 'Connection broken', explanation: 'The other side closed the connection before the answer was complete (reset).' },
      noPort: {
        plain: 'No outgoing port left',
        explanation: 'The computer that makes the load had no free port for another connection. The server never saw the request (noPort).',
      },
      noFile: {
        plain: 'No open file left',
        explanation: 'The computer that makes the load reached its limit of open files. The server never saw the request (noFile).',
      },
      dns: { plain: 'Name not found', explanation: 'The name of the server could not be resolved to an address (dns).' },
      tls: {
        plain: 'Encryption failed',
        explanation: 'No encrypted connection could be agreed, for example because of the certificate (tls).',
      },
      otherError: {
        plain: 'Other failure',
        explanation: 'Every other failure without a complete answer; the table of errors names each (otherError).',
      },
      notMade: {
        plain: 'Could not be made',
        explanation: 'A value that the request needs was missing, so it was never sent and the server never saw it (notMade).',
      },
    },
    notMade: (count: string) =>
      `Beside these, ${count} could not be made, because a value that they need was missing: they were never sent, and count as failed.`,
    others: 'No request that was sent ended in any other way.',
    waiting: 'Waiting for an answer',
    neverAnswered: 'Never answered',
    journeys: 'Journeys',
    journeysSummary: (finished: string, notStarted: string) =>
      notStarted === '' ? `${finished} finished` : `${finished} finished, ${notStarted} not started`,
    noPlan: 'not planned: the test runs by time',
    journeyNames: {
      planned: 'Planned',
      started: 'Started',
      finished: 'Finished',
      abandoned: 'Given up after a failure',
      running: 'Still going at the end',
      notStartedTarget: 'Not started: the server owed too many answers',
      notStartedGenerator: 'Not started: the load could not be made',
      notStartedStopped: 'Not started: the test was stopped',
    },
  },
  monitors: {
    title: 'Machines and services while the load went',
    makesLoad: (name: string) => `${name}, which makes the load`,
    standsBetween: (name: string) => `${name}, which stands in between`,
    lost: (name: string) => `${name} is not watched any more. The run is not disturbed by that.`,
    unavailable: (name: string) => `${name} cannot be watched. The run is not disturbed by that.`,
    states: {
      waiting: 'nothing was read yet',
      watching: 'nothing was read yet',
      lost: 'not watched any more',
      unavailable: 'cannot be watched',
      ended: 'nothing was read',
    },
  },
  health: {
    title: (makers: string, many: boolean) => `${many ? 'Do' : 'Does'} ${makers} keep up?`,
    unknown: 'Known after the first second.',
    well: (makers: string) => `${makers} kept up in every second: the figures are those of the server.`,
    sickNow: (makers: string, seconds: string) =>
      `Not keeping up now: ${makers} (${seconds} in all). Times may come from there, not from the server.`,
    wasSick: (makers: string, seconds: string) =>
      `${makers} did not keep up for ${seconds}: times of those seconds may come from there, not from the server.`,
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
    sharesMachine: (maker: string) => `The server runs on ${maker} too: they share its cores, so a server of its own would do better.`,
  },
  places: {
    title: 'From each place',
    caption: 'What each place has of the load',
    columns: {
      name: 'Place',
      sent: 'Sent',
      rate: 'Answers/s',
      bytes: 'Received',
      good: 'Good',
      half: 'Half',
      p90: '9 of 10',
      state: 'Kept up',
    },
    live: 'Rates of the last second, times since the start.',
    lost: (second: string) => `lost at ${second}`,
    sick: (seconds: string) => `not for ${seconds}`,
    well: 'yes',
    charts: { rate: 'Answers, by place', half: 'Half within, by place', bytes: 'Received, by place' },
  },
  reading: {
    caption: (makers: string) => `${makers} in the last second`,
    captionOfSeveral: 'The last second, of each figure the worst of them',
    threadCpu: {
      plain: 'Busiest thread',
      explanation: 'Share of one core that the busiest thread sending requests used; above 90 % it cannot keep up.',
    },
    threadWait: {
      plain: 'Waiting for a core',
      explanation: 'Share of the second in which a thread was ready to send or to read and other programs held all cores.',
    },
    machineCpu: { plain: 'All cores', explanation: 'Share of the time of all cores in use by anything on the machine.' },
    steal: { plain: 'Taken by other machines', explanation: 'Time that the host of this virtual machine gave to others (CPU steal).' },
    eventLoopDelay: {
      plain: 'Reaction delay',
      explanation: 'How late an answer may be noticed because the thread is busy (event-loop delay, p99).',
    },
    garbageCollection: { plain: 'Pauses for tidying memory', explanation: 'Time spent in garbage collection during the second.' },
    scheduleLag: {
      plain: 'Behind its schedule',
      explanation: 'How much later than planned requests were sent in the second (schedule lag, p99).',
    },
    memory: { plain: 'Memory used', explanation: 'Memory of the Holdfast process that sends the requests.' },
    openFiles: {
      plain: 'Open files and connections',
      explanation: 'Every connection uses one; the limit is set by the system (file descriptors).',
    },
    timeWait: {
      plain: 'Ports cooling down',
      explanation:
        'Closed connections keep their port for about a minute (TIME_WAIT); when all ports wait, no new connection can be opened.',
    },
  },
};
