export const hosts = {
  title: 'Hosts',
  story: 'Machines that a load can be run from, entered over SSH: when this computer or its network is too small, or in the wrong place.',
  loading: 'the hosts',
  empty: {
    title: 'There is no host yet',
    text: 'With a host, the load comes from another machine. It needs an SSH server, and Node 22 or newer, which can be copied there.',
  },
  add: 'Add a host',
  form: {
    title: 'A new host',
    name: 'Name',
    nameHelp: 'How you want to call it.',
    address: 'Address',
    addressHelp: 'Its name, its IP address, or its alias in ~/.ssh/config.',
    more: 'User, port, key and way',
    moreHelp: 'What is left empty is taken from ~/.ssh/config.',
    user: 'User',
    port: 'Port',
    keyPath: 'Private key',
    keyHelp: 'The path of the file on this computer. Only the path is kept.',
    jump: 'Through',
    jumpHelp: 'Hosts to go through: [user@]host[:port], several with commas.',
    save: 'Add',
  },
  test: 'Test connection',
  testNamed: (name: string) => `Test connection to ${name}`,
  cores: (count: string) => (count === '1' ? '1 core' : `${count} cores`),
  noNode: 'no Node',
  testing: (name: string) => `${name} to answer`,
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} was removed.`,
  answers: 'It answers.',
  unknown: {
    title: (name: string) => `Is this the right machine? “${name}” is not known yet.`,
    text: 'Compare this fingerprint with what the owner of the machine says. On the machine itself it is printed by',
    fingerprint: (type: string) => `Fingerprint of its key (${type})`,
    trust: 'It is right: trust it',
    copy: 'Copy the fingerprint',
  },
  secret: {
    title: (host: string) => `“${host}” asks for something that only you know`,
    help: 'It is kept in memory only, until Holdfast is closed.',
    go: 'Go on',
  },
  facts: {
    user: 'User',
    system: 'System',
    kernel: 'Kernel',
    cores: 'Cores',
    memory: 'Memory',
    node: 'Node',
    none: 'none',
    clock: 'Clock',
    ahead: (time: string, error: string) => `${time} ahead of ours (± ${error})`,
    behind: (time: string, error: string) => `${time} behind ours (± ${error})`,
    roundTrip: 'Round trip',
    notKnown: 'not known',
  },
  node: {
    offer: 'Node can be fetched from npm and copied to the home directory there (about 120 MB). Nothing else there finds or uses it.',
    install: 'Copy Node there',
    installing: (name: string) => `Node to be copied to ${name}`,
  },
};

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
