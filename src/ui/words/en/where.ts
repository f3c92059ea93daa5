/** Texts of the card in which load generators and monitored machines are chosen. */
export const where = {
  title: 'Run from',
  watching: (names: string) => `watching ${names}`,
  story:
    'One computer is enough for most tests. Several send more load and show differences between places. Watched servers and databases report processor and memory next to the responses.',
  hereStory: 'The one that runs Holdfast.',
  gone: 'This host was removed from the list.',
  none: 'No other machines. A host is any machine that you can reach over SSH.',
  role: (name: string) => `Role of ${name}`,
  unused: 'No role',
  meaning: {
    none: 'Sends no load and is not watched.',
    generator: 'Sends its share of the load, and is watched too.',
    target: 'Watched during the load: processor, memory, network, sockets.',
    hop: 'Watched during the load: a proxy, load balancer or database.',
  },
  loss: {
    title: 'If a machine is lost',
    shared: (count: string) => `${count} machines share the load evenly. If one is lost, no other takes over its share.`,
    choices: {
      continue: { label: 'Continue with the others', story: 'With less load. The result says so, and cannot be “passed”.' },
      stop: { label: 'Stop the test', story: 'What was measured until then is kept.' },
    },
  },
  engine: {
    title: 'Engine',
    choices: {
      holdfast: {
        label: 'Holdfast',
        story: 'Reports the most: scheduled start times, contents of response bodies, and the state of each thread.',
      },
      k6: { label: 'k6', story: 'For teams that trust k6, or tests that run on its cluster later. It runs the plan as a k6 script.' },
    },
    looking: 'Looking for k6 …',
    found: (version: string) => `k6 ${version} is installed.`,
    onlyHere: 'k6 runs on this computer only. Let this computer alone send the load, or choose Holdfast as engine.',
    limits:
      'k6 does not report schedule lag, bytes of single steps, body lengths or failure samples: these are “unknown” in the result. The check of the plan lists other differences.',
  },
};
