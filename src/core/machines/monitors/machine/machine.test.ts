import { describe, expect, it } from 'vitest';
import { collectValues } from '../result.ts';
import { MACHINE_CATALOGUE } from './catalogue.ts';
import { MachineReader, parseFacts } from './reader.ts';
import { MACHINE_BEGIN_LINE } from './script.ts';

const FACTS = parseFacts(`Welcome\nsystem Minix\n${MACHINE_BEGIN_LINE}\nsystem Linux\ntick 100\npage 4096\nports 32768\t60999\n`);

interface Machine {
  readonly uptime: number;
  readonly busy: number;
  readonly idle: number;
  readonly received: number;
  readonly drops: number;
  readonly nginx: readonly (readonly [pid: number, ticks: number])[];
  readonly containerMicroseconds: number;
}

function texts({ uptime, busy, idle, received, drops, nginx, containerMicroseconds }: Machine): string {
  return [
    `${uptime.toFixed(2)} 100.00`,
    `cpu  ${busy} 0 10 ${idle} 20 0 0 5 0 0`,
    `cpu0 ${busy} 0 10 ${idle} 20 0 0 5 0 0`,
    'intr 123 4 5',
    '1.50 0.70 0.30 3/241 17032',
    'MemTotal:       1000 kB',
    'MemAvailable:    400 kB',
    'SwapTotal:       200 kB',
    'SwapFree:        150 kB',
    `  eth0: ${received} 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0`,
    `veth12: ${received} 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0`,
    'TCP: inuse 4 orphan 0 tw 1130 alloc 4 mem 288',
    'TCP6: inuse 1',
    'Tcp: RtoAlgorithm CurrEstab RetransSegs',
    'Tcp: 1 66 7',
    'TcpExt: ListenOverflows ListenDrops',
    `TcpExt: 0 ${drops}`,
    ...nginx.map(
      ([pid, ticks]) => `${pid} (nginx) S 1 1 1 0 -1 4194304 108 0 0 0 ${ticks} 0 0 0 20 0 1 0 158656 2654208 10 18446744073709551615`,
    ),
    `container docker-${'ab'.repeat(32)}.scope ${containerMicroseconds} -`,
  ].join('\n');
}

const FIRST: Machine = {
  uptime: 100,
  busy: 100,
  idle: 900,
  received: 0,
  drops: 3,
  nginx: [
    [7, 50],
    [8, 10],
  ],
  containerMicroseconds: 0,
};
const LATER: Machine = {
  uptime: 102,
  busy: 250,
  idle: 950,
  received: 2_000_000,
  drops: 9,
  nginx: [
    [7, 150],
    [9, 999],
  ],
  containerMicroseconds: 900_000,
};

function listValues(reader: MachineReader): Record<string, number> {
  const [one, other] = [FIRST, LATER].map((machine) => {
    const { reading, uptimeSeconds } = reader.take(texts(machine));
    return { ...reading, atMs: (uptimeSeconds ?? 0) * 1_000 };
  });
  if (one === undefined || other === undefined) throw new Error('nothing was read');
  return collectValues(one, other, MACHINE_CATALOGUE);
}

describe('MachineReader values', () => {
  const reader = new MachineReader(FACTS);
  const values = listValues(reader);

  it('include shares, rates and amounts', () => {
    expect(FACTS).toEqual({ isLinux: true, ticksPerSecond: 100, pageBytes: 4_096, outgoingPorts: 28_232 });
    expect(values).toMatchObject({
      'cpu.used': 0.75,
      'core.used:0': 0.75,
      'cpu.steal': 0,
      'load.oneMinute': 1.5,
      'memory.used': 600 * 1_024,
      'memory.swap': 50 * 1_024,
      'net.in:eth0': 1_000_000,
      'net.out:eth0': 0,
      'timeWait.all': 1_130,
      'sockets.established': 66,
      'tcp.listenDrops': 3,
      'tcp.retransmitted': 0,
    });
    expect(Object.keys(values).filter((key) => key.includes('veth'))).toEqual([]);
  });

  it('add up the processes of a program while processes start and end', () => {
    expect(values['process.cpu:nginx']).toBeCloseTo(0.5);
    expect(values['process.memory:nginx']).toBe(2 * 10 * 4_096);
  });

  it('name containers by the start of their ids until the engine reports their names', () => {
    expect(values['container.cpu:abababababab']).toBeCloseTo(0.45);
    expect(values).not.toHaveProperty('container.memory:abababababab');
    reader.takeNames(`named ${'ab'.repeat(32)} web\n`);
    expect(listValues(reader)['container.cpu:web']).toBeCloseTo(0.45);
  });

  it('leave out missing readings instead of using 0', () => {
    const { reading, uptimeSeconds } = new MachineReader(FACTS).take('cat: /proc/uptime: No such file or directory');
    expect([reading, uptimeSeconds]).toEqual([{ gauges: {}, counters: {} }, null]);
  });

  it('name the destinations with the most ports in TIME_WAIT', () => {
    reader.takeSockets(
      'sockets 06 connecting 0100007F 0100007F 1F90 40\nsockets 06 accepting - 0100007F 0016 2\nsockets 01 connecting 0100007F 0100007F 1F90 3\n',
    );
    expect(reader.take(texts(FIRST)).reading.gauges).toMatchObject({
      'timeWait.connecting': 40,
      'timeWait.accepting': 2,
      'timeWait.to:127.0.0.1:8080': 40,
      'sockets.connecting': 3,
    });
    reader.takeSockets('');
    expect(reader.take(texts(FIRST)).reading.gauges).not.toHaveProperty('timeWait.connecting');
  });

  it('include the speeds of links, as limits of the network chart', () => {
    reader.takeLinks('link eth0 1000\nlink lo \nlink tun0 -1\n');
    expect(reader.limits()).toEqual([
      { chart: 'Memory', value: 1_024_000, words: 'total' },
      { chart: 'Network', value: 125_000_000, words: 'speed of eth0', instance: 'eth0' },
      { chart: 'TIME_WAIT on the connecting side, by destination', value: 28_232, words: 'all ports for one destination' },
    ]);
  });
});

describe('one reading of MachineReader', () => {
  const ID = 'ab'.repeat(6);

  it('contains all values of the files', () => {
    const text = `${texts({ ...FIRST, received: 2_000 })}\n12 (a (b) c) R 1 1 1 0 -1 4194304 108 0 0 0 3 4 0 0 20 0 1 0 158656 2654208 2 1`;
    const { reading, uptimeSeconds } = new MachineReader(FACTS).take(text);
    expect(uptimeSeconds).toBe(100);
    expect(reading.gauges).toEqual({
      'load.oneMinute': 1.5,
      'memory.used': 600 * 1_024,
      'memory.swap': 50 * 1_024,
      'timeWait.all': 1_130,
      'sockets.established': 66,
      'process.memory:nginx': 2 * 10 * 4_096,
      'process.memory:a (b) c': 2 * 4_096,
    });
    expect(reading.counters).toEqual({
      'tcp.retransmitted': 7,
      'tcp.listenDrops': 3,
      'tcp.listenOverflows': 0,
      'ticks.all': 1_035,
      'ticks.used': 115,
      'ticks.stolen': 5,
      'ticks.ioWait': 20,
      'coreTicks.all:0': 1_035,
      'coreTicks.used:0': 115,
      'net.in:eth0': 2_000,
      'net.out:eth0': 500,
      'process.cpu:nginx': 0,
      'process.cpu:a (b) c': 0,
      [`container.cpu:${ID}`]: 0,
    });
  });

  it('leaves out values that are missing or malformed', () => {
    const nothing = { reading: { gauges: {}, counters: {} }, uptimeSeconds: null };
    expect(new MachineReader(FACTS).take('')).toEqual(nothing);
    const others = [
      '100 100.00',
      '100.00 100.00 more',
      'cpu  1 2 3 4 5 6 7',
      'cpu0 1 2 3 x 5 6 7 8',
      '1.50 0.70 0.30 3/241',
      'MemTotal: 1000 kB',
      'eth0: 1 2 3',
      'Tcp: CurrEstab RetransSegs',
      'Tcp: many 7x',
      '12 (short) S 1 1',
      'container name 1',
    ];
    expect(new MachineReader(FACTS).take(others.join('\n'))).toEqual(nothing);
  });

  it('leaves out links without traffic and links of containers', () => {
    const link = (name: string, received: number, sent: number): string => `${name}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0`;
    const quiet = [
      link('eth1', 0, 0),
      ...['veth1', 'br-1', 'docker0', 'virbr0', 'cni0', 'flannel.1', 'cali1'].map((name) => link(name, 5, 5)),
    ];
    const { counters } = new MachineReader(FACTS).take([...quiet, link('wlan0', 7, 0), link('xveth', 0, 8)].join('\n')).reading;
    expect(counters).toEqual({ 'net.in:wlan0': 7, 'net.out:wlan0': 0, 'net.in:xveth': 0, 'net.out:xveth': 8 });
  });

  it('counts the processor time of a program from the first reading that contains it, and forgets ended programs', () => {
    const reader = new MachineReader(FACTS);
    const usedBy = (nginx: Machine['nginx']): number | undefined =>
      reader.take(texts({ ...FIRST, nginx })).reading.counters['process.cpu:nginx'];
    expect(usedBy([[7, 50]])).toBe(0);
    expect(
      usedBy([
        [7, 150],
        [8, 400],
      ]),
    ).toBe(1);
    // By now, the first process has ended.
    expect(usedBy([[8, 600]])).toBe(3);
    expect(usedBy([])).toBeUndefined();
    expect(usedBy([[8, 900]])).toBe(0);
  });
});
