import { UNKNOWN_TEXT } from '#core/base/units.ts';

export const hosts = {
  title: 'Hosts',
  story: 'Other machines that send load over SSH, for more load or from another location.',
  loading: 'the hosts',
  empty: {
    title: 'No hosts',
    text: 'A host sends load from another machine. It needs an SSH server, and Node 22 or newer, which Holdfast can copy there.',
  },
  add: 'Add a host',
  runFrom: (count: number) => (count === 1 ? 'Start a test from this host' : `Start a test from these ${count} hosts`),
  form: {
    title: 'New host',
    editTitle: (name: string) => `Edit ${name}`,
    name: 'Name',
    nameHelp: 'Any name you like. Empty: its address.',
    address: 'Address',
    addressHelp: 'Its host name or IP address, such as root@10.0.0.5:2201, or its alias in ~/.ssh/config. Enter several with commas.',
    more: 'User, port, key and jump hosts',
    moreHelp: 'Empty fields use ~/.ssh/config.',
    user: 'User',
    port: 'Port',
    keyPath: 'Private key',
    keyHelp: 'The path of the file on this computer. Holdfast stores only the path.',
    jump: 'Jump hosts',
    jumpHelp: '[user@]host[:port], several separated by commas.',
    save: 'Add',
    saveChanges: 'Save',
  },
  test: 'Test connection',
  testNamed: (name: string) => `Test connection to ${name}`,
  cores: (count: string) => (count === '1' ? '1 core' : `${count} cores`),
  noNode: 'no Node',
  testing: (name: string) => `a response from ${name}`,
  editNamed: (name: string) => `Edit ${name}`,
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} was removed.`,
  replies: 'Connected.',
  unknown: {
    title: (name: string) => `“${name}” is new: is this the right machine?`,
    text: 'Compare this fingerprint with the one from the owner of the machine. This command prints it there:',
    fingerprint: (type: string) => `Key fingerprint (${type})`,
    trust: 'Trust this machine',
    copy: 'Copy the fingerprint',
    copyCommand: 'Copy the command',
  },
  secret: {
    title: (host: string) => `“${host}” asks for a secret`,
    help: 'It is kept in memory until Holdfast closes.',
    go: 'Continue',
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
    ahead: (time: string, error: string) => `${time} ahead of this computer (± ${error})`,
    behind: (time: string, error: string) => `${time} behind this computer (± ${error})`,
    roundTrip: 'Round trip',
    notKnown: UNKNOWN_TEXT,
  },
  node: {
    offer: 'Holdfast can fetch Node from npm and copy it to the home directory there (about 120 MB). Nothing else there uses it.',
    install: 'Copy Node to the host',
    installing: (name: string) => `Node to be copied to ${name}`,
  },
};

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
      k6: {
        label: 'k6',
        story: 'For teams that trust k6, or tests that run on its cluster later. It runs the plan as a k6 script.',
      },
    },
    looking: 'Looking for k6 …',
    found: (version: string) => `k6 ${version} is installed.`,
    onlyHere: 'k6 runs on this computer only. Let this computer alone send the load, or choose Holdfast as engine.',
    limits:
      'k6 does not report schedule lag, bytes of single steps, body lengths or failure samples: these are “unknown” in the result. The check of the plan lists other differences.',
  },
};
