/** Thrown when no connection became free within a page's waiting time. */
export class PoolExhausted extends Error {
  override readonly name = 'PoolExhausted';
}

export interface PoolSettings<Connection> {
  /** Connections that stay open. */
  readonly size: number;
  /** Additional connections that may be open; each is closed when no request waits. */
  readonly overflow: number;
  readonly waitMs: number;
  readonly open: () => Promise<Connection>;
  readonly close: (connection: Connection) => Promise<void>;
}

interface Waiting<Connection> {
  readonly take: (connection: Connection) => void;
  readonly fail: (why: unknown) => void;
}

/**
 * A database connection pool with the limits of SQLAlchemy: a size, an overflow, and a waiting time after which requests get an error.
 * Connections are given in the order of requests.
 */
export class ConnectionPool<Connection> {
  private readonly settings: PoolSettings<Connection>;
  private readonly idle: Connection[] = [];
  private readonly waiting: Waiting<Connection>[] = [];
  private open = 0;
  private closed = false;

  constructor(settings: PoolSettings<Connection>) {
    this.settings = settings;
  }

  /** Returns a connection. Throws `PoolExhausted` after the waiting time, or the error of opening one. */
  async take(): Promise<Connection> {
    const { size, overflow, waitMs } = this.settings;
    const kept = this.idle.shift();
    if (kept !== undefined) return kept;
    if (this.open < size + overflow) return this.openOne();
    return new Promise<Connection>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        const place = this.waiting.indexOf(waiting);
        if (place !== -1) this.waiting.splice(place, 1);
      };
      const waiting = {
        take: (connection: Connection): void => (settle(), resolve(connection)),
        fail: (why: unknown): void => (settle(), reject(why)),
      };
      const timer = setTimeout(
        () => waiting.fail(new PoolExhausted(`Pool limit of size ${size} overflow ${overflow} reached, waited ${waitMs} ms.`)),
        waitMs,
      );
      this.waiting.push(waiting);
    });
  }

  /** Returns a connection to the longest waiting request, or to the pool; beyond its size, the connection is closed. */
  async giveBack(connection: Connection): Promise<void> {
    const next = this.closed ? undefined : this.waiting[0];
    if (next) return next.take(connection);
    if (!this.closed && this.idle.length < this.settings.size) return void this.idle.push(connection);
    await this.discard(connection);
  }

  /** Removes a broken connection. */
  async discard(connection: Connection): Promise<void> {
    this.open -= 1;
    await this.settings.close(connection).catch(() => {});
    if (this.waiting.length === 0 || this.closed) return;
    await this.openOne().then(
      (another) => this.giveBack(another),
      (why: unknown) => this.waiting[0]?.fail(why),
    );
  }

  /** Closes idle connections now and the others when they are returned; waiting requests get an error. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { fail } of this.waiting.splice(0)) fail(new PoolExhausted('The pool is closed.'));
    for (const connection of this.idle.splice(0)) await this.discard(connection);
  }

  private async openOne(): Promise<Connection> {
    this.open += 1;
    try {
      return await this.settings.open();
    } catch (thrown) {
      this.open -= 1;
      throw thrown;
    }
  }
}
