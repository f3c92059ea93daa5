import type { Catalogue, Quantity } from '../quantity.ts';

const PROCESSOR = 'Processor';
const CORES = 'Each core';
const LOAD = 'Load (tasks that run or wait)';
const MEMORY = 'Memory';
const NETWORK = 'Network';
const TIME_WAIT = 'TIME_WAIT';
const HOLDERS = 'TIME_WAIT at the connecting end, by destination';
const SOCKETS = 'TCP connections';
const TROUBLE = 'TCP trouble';
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

/** Charts of a machine that are not named after one quantity. */
export const MACHINE_CHARTS = { memory: MEMORY, network: NETWORK, load: LOAD, holders: HOLDERS } as const;

/** What a Linux machine tells of itself. Ticks of the processor are counters of no chart: shares follow from them. */
export const MACHINE_CATALOGUE: Catalogue = {
  quantities: [
    share('cpu.used', 'in use', PROCESSOR),
    share('cpu.steal', 'stolen by other machines', PROCESSOR),
    share('cpu.ioWait', 'idle, waiting for disks', PROCESSOR),
    share('core.used', 'in use', CORES),
    rate('load.oneMinute', 'mean of a minute', LOAD, 'count'),
    peak('memory.used', 'in use', MEMORY, 'bytes'),
    peak('memory.swap', 'swapped out', MEMORY, 'bytes'),
    rate('net.in', 'in', NETWORK, 'bytesPerSecond'),
    rate('net.out', 'out', NETWORK, 'bytesPerSecond'),
    peak('timeWait.all', 'all', TIME_WAIT),
    peak('timeWait.connecting', 'at the connecting end', TIME_WAIT),
    peak('timeWait.accepting', 'at the accepting end', TIME_WAIT),
    peak('timeWait.unclear', 'at an end that is not clear', TIME_WAIT),
    peak('timeWait.to', '', HOLDERS),
    peak('sockets.established', 'established', SOCKETS),
    peak('sockets.connecting', 'established, connected from here', SOCKETS),
    peak('sockets.accepting', 'established, accepted here', SOCKETS),
    peak('sockets.handshake', 'in the handshake', SOCKETS),
    peak('sockets.closeWait', 'CLOSE_WAIT', SOCKETS),
    peak('sockets.closing', 'closing', SOCKETS),
    rate('tcp.retransmitted', 'segments sent again', TROUBLE),
    rate('tcp.listenDrops', 'connections dropped at a listener', TROUBLE),
    rate('tcp.listenOverflows', 'of them because its queue was full', TROUBLE),
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
