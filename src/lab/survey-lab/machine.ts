import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPool } from '../workerPool.ts';

/** What is read from the disk at once and kept in memory: a page of InnoDB. */
export const BLOCK_BYTES = 16_384;

export interface MachineSettings {
  /** Room for blocks; null for as many as there are. */
  readonly memoryBytes: number | null;
  readonly cores: number;
  /** What a block takes that is not in memory. */
  readonly diskMs: number;
  /** What a request takes of a core. */
  readonly cpuMs: number;
}

/** What the survey server runs on: memory that keeps those blocks of its tables that were used last, one disk for the others, and cores. */
export class Machine {
  private readonly settings: MachineSettings;
  private readonly room: number;
  /** From the one that was used longest ago to the last one. */
  private readonly kept = new Set<string>();
  private readonly disk = new WorkerPool(1);
  private readonly cores: WorkerPool;

  constructor(settings: MachineSettings) {
    this.settings = settings;
    this.room = settings.memoryBytes === null ? Infinity : Math.floor(settings.memoryBytes / BLOCK_BYTES);
    this.cores = new WorkerPool(settings.cores);
  }

  /** Resolves when all these blocks of a table were read, with how many of them came from the disk. */
  async read(table: string, blocks: Iterable<number>): Promise<number> {
    const { diskMs } = this.settings;
    // A disk that takes no time is none: nothing needs to be kept.
    if (diskMs === 0) return 0;
    let missing = 0;
    for (const block of blocks) if (!this.use(`${table} ${block}`)) missing += 1;
    if (missing > 0) await this.disk.run(() => sleep(missing * diskMs));
    return missing;
  }

  /** Resolves when a core has done what a request needs. */
  async calculate(): Promise<void> {
    const { cpuMs } = this.settings;
    if (cpuMs > 0) await this.cores.run(() => sleep(cpuMs));
  }

  /** Forgets every block. */
  forget(): void {
    this.kept.clear();
  }

  /** Whether it was in memory, where it is from now on. */
  private use(block: string): boolean {
    const wasKept = this.kept.delete(block);
    this.kept.add(block);
    for (const oldest of this.kept) {
      if (this.kept.size <= this.room) break;
      this.kept.delete(oldest);
    }
    return wasKept;
  }
}

/** The report's machines, of which a GB is a MB here: what they are called in addresses, and their sizes. */
export const MACHINES = [4, 8, 16, 32].flatMap((memoryGb) =>
  [2, 4].map((cores) => ({ name: `${memoryGb}gb-${cores}cores`, label: `Machine of ${memoryGb} GB with ${cores} cores`, memoryGb, cores })),
);
export const BYTES_OF_MB = 1_000_000;
/** By which the proxy says on which of them a request is to be worked on; without it, on the one of the options. */
export const MACHINE_HEADER = 'x-machine';
