import { setTimeout as sleep } from 'node:timers/promises';
import { keepBody } from '../web/html.ts';
import type { RequestHandler } from 'express';
import type { ContestDatabase, ShardConnections } from './database.ts';
import type { Faults } from '../faults.ts';
import { listen, type Listening } from '../listen.ts';
import { contestApp, type ContestParts } from './app.ts';

/** How, when and for how long a shard fails by itself; null as the duration means until an action restores the shard. */
export interface ShardFall {
  readonly how: 'dies' | 'hangs';
  readonly afterRequests: number;
  readonly forMs: number | null;
}

export interface ShardSettings {
  /** What this shard shares with the other shards of the contest. */
  readonly shared: Omit<ContestParts, 'shard' | 'before' | 'work'>;
  /** Number of the shard, counted from 0. */
  readonly shard: number;
  readonly port: number | null;
  readonly serviceMs: number;
  readonly faults: Faults;
  readonly database: ContestDatabase | null;
  /** Whether pages with attachments, and submissions, take a second connection while they hold their first one. */
  readonly takesSecond: boolean;
  readonly fall: ShardFall | null;
  readonly onEvent: (event: ShardEvent) => void;
}

export interface Shard {
  readonly url: string;
  /** Imitates a killed process: closes its connections and rejects new ones. */
  die(): Promise<void>;
  /** Imitates a suspended process: accepts connections but sends nothing. */
  hang(): void;
  /** Restores the state from before the shard died or hung. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Paths of pages for which CMS reads the sizes of attachments or stores files over a second connection. */
const TWO_CONNECTION_PATHS = /\/(description|submit)$/;

/** Starts one shard. Throws `PORT_IN_USE` or `LISTEN_FAILED`. */
export async function startShard(settings: ShardSettings): Promise<Shard> {
  const { shared, shard, serviceMs, faults, database, fall } = settings;
  const life = new ProcessLife();
  const name = `shard-${shard + 1}`;
  let connections: ShardConnections | null = null;
  let listening: Listening | null = null;
  let back: NodeJS.Timeout | undefined;
  const report = (what: ShardEvent['what']): void => settings.onEvent({ atMs: Date.now(), shard: name, what });

  const dieNow = async (): Promise<void> => {
    if (listening === null) return;
    const [door, pool] = [listening, connections];
    listening = null;
    connections = null;
    life.dieNow();
    report('died');
    await Promise.all([door.close(), pool?.close()]);
  };
  const hangNow = (): void => {
    if (life.isHalted || listening === null) return;
    life.hangNow();
    report('hung');
  };

  let requests = 0;
  const fallWhenDue = (): void => {
    requests += 1;
    if (fall === null || requests !== fall.afterRequests) return;
    if (fall.how === 'dies') void dieNow();
    else hangNow();
    if (fall.forMs !== null) back = setTimeout(() => void restart().catch(() => {}), fall.forMs);
  };
  const app = contestApp({
    ...shared,
    shard,
    before: [(_request, _response, next) => (fallWhenDue(), next()), life.handler, faults.handler],
    work: (path) =>
      life.runAlive(() => {
        const serveRequest = (): Promise<void> => life.runAlive(() => takeServiceTime(serviceMs));
        return connections === null
          ? serveRequest()
          : connections.use(serveRequest, settings.takesSecond && TWO_CONNECTION_PATHS.test(path));
      }),
  });
  const start = async (port: number | null): Promise<Listening> => {
    listening = await listen(app, port);
    connections = database?.connections() ?? null;
    return listening;
  };
  const restart = async (): Promise<void> => {
    clearTimeout(back);
    if (listening !== null && !life.isHalted) return;
    if (listening === null) await start(Number(new URL(url).port));
    else life.resume();
    report('came back');
  };
  const { url } = await start(settings.port);
  return {
    url,
    die: dieNow,
    hang: hangNow,
    comeBack: restart,
    async close() {
      clearTimeout(back);
      await dieNow();
    },
  };
}

/** An event in the life of a shard. */
export interface ShardEvent {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly shard: string;
  readonly what: 'died' | 'hung' | 'came back';
}

/** Thrown if the shard's process has died since the request arrived. */
class ProcessDied extends Error {
  override readonly name = 'Died';
}

/**
 * The state of a shard's process: running, hanging like a suspended process, or dead. A hanging process accepts connections and requests,
 * as its kernel would, and handles them when it resumes, even for clients that have left.
 */
class ProcessLife {
  private halted: PromiseWithResolvers<void> | null = null;
  private count = 0;

  get isHalted(): boolean {
    return this.halted !== null;
  }

  hangNow(): void {
    this.halted ??= Promise.withResolvers();
  }

  resume(): void {
    this.halted?.resolve();
    this.halted = null;
  }

  /** Ends all current work. Later work belongs to the next process. */
  dieNow(): void {
    this.count += 1;
    this.resume();
  }

  /** Holds requests that arrive while the process hangs, until it resumes. */
  readonly handler: RequestHandler = async (request, _response, next) => {
    if (this.halted) {
      keepBody(request);
      await this.runAlive(() => Promise.resolve());
    }
    next();
  };

  /** Runs work that does not complete while the process hangs. Throws {@link ProcessDied} if the process has died in the meantime. */
  async runAlive(work: () => Promise<void>): Promise<void> {
    const { count } = this;
    await work();
    while (this.halted) await this.halted.promise;
    if (this.count !== count) throw new ProcessDied('The shard died.');
  }
}

/** Width of the range of service times, relative to the mean: from 0.8 to 1.2 times the mean. */
const SPREAD = 0.4;

/** Waits for a random service time with this mean, and does not wait if the mean is 0. */
async function takeServiceTime(meanMs: number): Promise<void> {
  if (meanMs > 0) await sleep(meanMs * (1 - SPREAD / 2 + Math.random() * SPREAD));
}
