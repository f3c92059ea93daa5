import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { WorkerPool } from '../workerPool.ts';
import { ACCOUNTS } from './accounts.ts';

/** What another transaction has written since this one began: it has to be made again. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** The users as a database holds them that lets one transaction write at a time. */
export class UserStore {
  private readonly database: Sqlite.Database;
  private readonly writer = new WorkerPool(1);
  private version = 0;
  /** Transactions that had to be given up since another one had written meanwhile. */
  conflicts = 0;

  /** Makes the file. */
  constructor(file: string) {
    this.database = new Sqlite(file);
    this.database.pragma('synchronous = OFF');
    this.database.exec('CREATE TABLE users (username TEXT PRIMARY KEY, logins INTEGER NOT NULL, last_login INTEGER)');
    const insert = this.database.prepare('INSERT INTO users (username, logins) VALUES (?, 0)');
    this.database.transaction(() => {
      for (const { username } of ACCOUNTS) insert.run(username);
    })();
  }

  /** Logins that were written. */
  get logins(): number {
    return Number(this.database.prepare('SELECT sum(logins) FROM users').pluck().get());
  }

  /** Writes who has logged in, in a transaction that lasts so long; others wait for its end. */
  noteLogin(username: string, lastsMs: number): Promise<void> {
    return this.writer.run(async () => {
      this.database.exec('BEGIN IMMEDIATE');
      this.database.prepare('UPDATE users SET logins = logins + 1, last_login = ? WHERE username = ?').run(Date.now(), username);
      await sleep(lastsMs);
      this.database.exec('COMMIT');
    });
  }

  /**
   * The same as a ZODB does it for an object that all logins write: what `work` does is read first, and who wants to write then has to wait for the only writer
   * and finds out whether somebody else has written since. Throws `Conflict`.
   */
  async noteLoginUnlessChanged(username: string, lastsMs: number, work: () => Promise<void>): Promise<void> {
    const { version } = this;
    await work();
    await this.writer.run(async () => {
      if (this.version !== version) {
        this.conflicts += 1;
        throw new Conflict('Somebody else has written since.');
      }
      await sleep(lastsMs);
      this.database.prepare('UPDATE users SET logins = logins + 1, last_login = ? WHERE username = ?').run(Date.now(), username);
      this.version += 1;
    });
  }

  close(): void {
    this.database.close();
  }
}
