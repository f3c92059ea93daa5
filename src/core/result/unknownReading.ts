import type { GeneratorReading } from './schema.ts';

/** For a second of which nobody could tell how the machine was. */
export function unknownReading(second: number): GeneratorReading {
  return {
    second,
    threadCpu: null,
    threadWait: null,
    machineCpu: null,
    steal: null,
    eventLoopDelayMs: null,
    scheduleLagMs: null,
    garbageCollectionMs: null,
    stoodStillMs: null,
    memoryBytes: null,
    openFiles: null,
    timeWaitSockets: null,
    sockets: null,
    watched: {},
    sick: [],
  };
}
