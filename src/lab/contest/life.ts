import type { RequestHandler } from 'express';
import { keepBody } from '../web/html.ts';

/** What happened to a shard, and when. */
export interface ShardEvent {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly shard: string;
  readonly what: 'died' | 'hung' | 'came back';
}

/** That the process of this shard has died since the request came: nothing more is done for it. */
class Died extends Error {
  override readonly name = 'Died';
}

/**
 * Whether the process of a shard runs, hangs as a stopped one does, or has died. One that hangs takes connections and requests, as its
 * kernel would, and does nothing for them until it goes on; then it does everything, also for clients that have left.
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

  /** Ends all that is being done. What comes after belongs to the next process. */
  die(): void {
    this.count += 1;
    this.goOn();
  }

  /** Stands before everything else that the shard does for a request. */
  readonly handler: RequestHandler = async (request, _response, next) => {
    if (this.halted) {
      keepBody(request);
      await this.during(() => Promise.resolve());
    }
    next();
  };

  /** Does something that is not over before the process goes on. Throws when it died meanwhile. */
  async during(work: () => Promise<void>): Promise<void> {
    const { count } = this;
    await work();
    while (this.halted) await this.halted.promise;
    if (this.count !== count) throw new Died('The shard died.');
  }
}
