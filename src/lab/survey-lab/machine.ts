import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPool } from '../workerPool.ts';
import type { Values } from './options.ts';

/** Unit of reading and caching, which is the size of an InnoDB page. */
export const BLOCK_BYTES = 16_384;
export const BYTES_PER_MB = 1_000_000;

/** The size of the cache in MB (null: unlimited), the number of cores, the disk time for a block and the processor time for a request. */
export type MachineSettings = Pick<Values, 'memory-mb' | 'cores' | 'disk-ms' | 'cpu-ms'>;

/** The machine of the survey server: an LRU cache for blocks of the machine's tables, one disk, and cores. */
export class Machine {
  private readonly settings: MachineSettings;
  private readonly room: number;
  /** The cached blocks, ordered from least to most recently used. */
  private readonly kept = new Set<string>();
  private readonly disk = new WorkerPool(1);
  private readonly cores: WorkerPool;

  constructor(settings: MachineSettings) {
    this.settings = settings;
    const { 'memory-mb': megabytes } = settings;
    this.room = megabytes === null ? Infinity : Math.floor((megabytes * BYTES_PER_MB) / BLOCK_BYTES);
    this.cores = new WorkerPool(settings.cores);
  }

  /** Reads blocks of a table. Resolves with the number of blocks that came from the disk. */
  async read(table: string, blocks: Iterable<number>): Promise<number> {
    const { 'disk-ms': diskMs } = this.settings;
    // A disk without read time needs no cache.
    if (diskMs === 0) return 0;
    let missing = 0;
    for (const block of blocks) if (!this.use(`${table} ${block}`)) missing += 1;
    if (missing > 0) await this.disk.run(() => sleep(missing * diskMs));
    return missing;
  }

  /** Resolves when a core has spent the processor time of a request. */
  async calculate(): Promise<void> {
    const { 'cpu-ms': cpuMs } = this.settings;
    if (cpuMs > 0) await this.cores.run(() => sleep(cpuMs));
  }

  forget(): void {
    this.kept.clear();
  }

  /** Marks a block as used. Returns whether it was cached. */
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

/** The machines of the report, with 1 MB here for each GB in the report. Each has a name for its address, and its sizes. */
export const MACHINES = [4, 8, 16, 32].flatMap((size) =>
  [2, 4].map((cores) => ({
    name: `${size}gb-${cores}cores`,
    label: `Machine of ${size} GB with ${cores} cores`,
    'memory-mb': size,
    cores,
  })),
);
/** The header by which the proxy selects the machine for a request. Without the header, the options describe the machine. */
export const MACHINE_HEADER = 'x-machine';
