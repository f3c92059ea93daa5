/** Words of the wizard's page that asks which machines make the load and which are watched. */
export const where = {
  machines: 'Machines',
  story:
    'One computer is enough for most tests. Several make more load, and show whether the server is as fast from one place as from another. Servers and databases can be watched, so that their processor and memory stand beside the answers.',
  hereStory: 'The one that Holdfast runs on.',
  gone: 'This host is not in the list any more.',
  none: 'There are no other machines yet. A host is any machine that you can enter over SSH.',
  role: (name: string) => `What ${name} does`,
  unused: 'Has no part',
  meaning: {
    none: 'Neither makes load nor is watched.',
    generator: 'Makes its part of the load; it is watched too.',
    target: 'Is watched while the load goes: processor, memory, network, sockets.',
    hop: 'Is watched while the load goes: a proxy, a balancer, a database.',
  },
  loss: {
    title: 'If one of them is lost',
    shared: (count: string) => `${count} machines share the load evenly. Nobody takes over the part of one that is lost.`,
    choices: {
      continue: { name: 'Go on from the others', story: 'With less load. The result says so, and cannot be “holds”.' },
      stop: { name: 'Stop the test', story: 'What was measured until then is kept.' },
    },
  },
  maker: {
    title: 'Program that makes the load',
    choices: {
      holdfast: {
        name: 'Holdfast',
        story: 'Tells most: when each request was to begin, what its body held, how every thread of it was.',
      },
      k6: {
        name: 'k6',
        story: 'Where k6 is what your team trusts, or this test is to run on its cluster later. It runs the plan as a k6 script.',
      },
    },
    looking: 'Looking for k6 …',
    found: (version: string) => `k6 ${version} is installed.`,
    onlyHere: 'k6 is started on this computer only. Let this computer alone make the load, or let Holdfast make it.',
    limits:
      'What k6 does not report is “not known” in the result: how late requests began, the bytes of single steps, the lengths of bodies, and examples of what failed. The check of the plan names what its script does otherwise.',
  },
};
