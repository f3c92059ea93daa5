import type { Catalogue, Quantity } from '../result.ts';

const PROCESSOR = 'Processor';
const CORES = 'Each core';
const LOAD_CHART = 'Load (running or waiting tasks)';
const MEMORY = 'Memory';
const NETWORK = 'Network';
const TIME_WAIT = 'TIME_WAIT';
const PORT_HOLDERS = 'TIME_WAIT on the connecting side, by destination';
const SOCKETS = 'TCP connections';
const TCP_PROBLEMS = 'TCP problems';
const PROGRAMS = 'Programs: processor';
const PROGRAM_MEMORY = 'Programs: memory';
const CONTAINERS = 'Containers: processor';
const CONTAINER_MEMORY = 'Containers: memory';

const share = (id: string, words: string, chart: string): Quantity => ({ id, words, unit: 'share', chart });
const peak = (id: string, words: string, chart: string, unit: Quantity['unit'] = 'count'): Quantity => ({
  id,
  words,
  unit,
  chart,
  fold: 'highest',
});
const rate = (id: string, words: string, chart: string, unit: Quantity['unit'] = 'perSecond'): Quantity => ({ id, words, unit, chart });

export const MACHINE_CHARTS = { memory: MEMORY, network: NETWORK, load: LOAD_CHART, holders: PORT_HOLDERS } as const;

/** Quantities of a Linux machine. Processor ticks have no chart; shares are calculated from them. */
export const MACHINE_CATALOGUE: Catalogue = {
  quantities: [
    share('cpu.used', 'in use', PROCESSOR),
    share('cpu.steal', 'stolen by other machines', PROCESSOR),
    share('cpu.ioWait', 'idle, waiting for disks', PROCESSOR),
    share('core.used', 'in use', CORES),
    rate('load.oneMinute', 'mean of one minute', LOAD_CHART, 'count'),
    peak('memory.used', 'in use', MEMORY, 'bytes'),
    peak('memory.swap', 'swapped out', MEMORY, 'bytes'),
    rate('net.in', 'in', NETWORK, 'bytesPerSecond'),
    rate('net.out', 'out', NETWORK, 'bytesPerSecond'),
    peak('timeWait.all', 'all', TIME_WAIT),
    peak('timeWait.connecting', 'on the connecting side', TIME_WAIT),
    peak('timeWait.accepting', 'on the accepting side', TIME_WAIT),
    peak('timeWait.unclear', 'on an unknown side', TIME_WAIT),
    peak('timeWait.to', '', PORT_HOLDERS),
    peak('sockets.established', 'established', SOCKETS),
    peak('sockets.connecting', 'established, outgoing', SOCKETS),
    peak('sockets.accepting', 'established, incoming', SOCKETS),
    peak('sockets.handshake', 'in the handshake', SOCKETS),
    peak('sockets.closeWait', 'CLOSE_WAIT', SOCKETS),
    peak('sockets.closing', 'closing', SOCKETS),
    rate('tcp.retransmitted', 'retransmitted segments', TCP_PROBLEMS),
    rate('tcp.listenDrops', 'connections dropped before accept', TCP_PROBLEMS),
    rate('tcp.listenOverflows', 'of them because the queue was full', TCP_PROBLEMS),
    rate('process.cpu', '', PROGRAMS, 'cores'),
    peak('process.memory', '', PROGRAM_MEMORY, 'bytes'),
    rate('container.cpu', '', CONTAINERS, 'cores'),
    peak('container.memory', '', CONTAINER_MEMORY, 'bytes'),
  ],
  shares: [
    { id: 'cpu.used', part: ['ticks.used'], whole: ['ticks.all'] },
    { id: 'cpu.steal', part: ['ticks.stolen'], whole: ['ticks.all'] },
    { id: 'cpu.ioWait', part: ['ticks.ioWait'], whole: ['ticks.all'] },
    { id: 'core.used', part: ['coreTicks.used'], whole: ['coreTicks.all'] },
  ],
};
