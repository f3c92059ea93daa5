import type { RequestHandler } from 'express';
import { keepBody } from '../web/html.ts';

/** An event of a shard. */
export interface ShardEvent {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly shard: string;
  readonly what: 'died' | 'hung' | 'came back';
}

/** The shard's process has died since the request arrived. */
class Died extends Error {
  override readonly name = 'Died';
}

/**
 * The state of a shard's process: running, hanging like a stopped process, or dead. A hanging process accepts connections and requests, as
 * its kernel would, and handles them when it resumes, also for clients that have left.
 */
export class Life {
  private halted: PromiseWithResolvers<void> | null = null;
  private count = 0;

  get isHalted(): boolean {
    return this.halted !== null;
  }

  hang(): void {
    this.halted ??= Promise.withResolvers();
  }

  goOn(): void {
    this.halted?.resolve();
    this.halted = null;
  }

  /** Ends all work in progress. Later work belongs to the next process. */
  die(): void {
    this.count += 1;
    this.goOn();
  }

  /** Runs before all other handlers of the shard. */
  readonly handler: RequestHandler = async (request, _response, next) => {
    if (this.halted) {
      keepBody(request);
      await this.during(() => Promise.resolve());
    }
    next();
  };

  /** Runs work that does not complete while the process hangs. Throws if the process died meanwhile. */
  async during(work: () => Promise<void>): Promise<void> {
    const { count } = this;
    await work();
    while (this.halted) await this.halted.promise;
    if (this.count !== count) throw new Died('The shard died.');
  }
}
