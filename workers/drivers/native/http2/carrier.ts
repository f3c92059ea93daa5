import type { Socket } from 'node:net';
import type { ConnectionShare } from '../transport.ts';
import { Http2Session } from './session.ts';

/**
 * The users of one HTTP/2 connection. A request opens the connection if necessary, and opens a new one if the current one takes no more
 * requests.
 */
export class Http2Carrier {
  private readonly share: ConnectionShare;
  private session: Http2Session | null = null;
  private members = 0;

  constructor(share: ConnectionShare) {
    this.share = share;
  }

  /** Whether there is a connection that takes another request, open or being opened. */
  get isOpen(): boolean {
    return this.session !== null && this.session.takesMore;
  }

  sessionFor(): Http2Session {
    if (this.session === null || !this.session.takesMore) {
      this.session?.retire();
      this.session = new Http2Session(this.share);
    }
    return this.session;
  }

  /** Makes the next request use another connection. The current connection ends with its last response. */
  release(): Socket | null {
    const { session } = this;
    this.session = null;
    session?.retire();
    return null;
  }

  join(): void {
    this.members += 1;
  }

  /** Removes a user. The connection ends with its last user. */
  leave(): void {
    this.members -= 1;
    if (this.members === 0) this.release();
  }
}
