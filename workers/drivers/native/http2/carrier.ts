import type { Socket } from 'node:net';
import type { ConnectionShare } from '../transport.ts';
import { Http2Session } from './session.ts';

/** Whoever shares a connection of HTTP/2: it opens one when a request needs it, and another when that one takes no more. */
export class Http2Carrier {
  private readonly share: ConnectionShare;
  private session: Http2Session | null = null;
  private members = 0;

  constructor(share: ConnectionShare) {
    this.share = share;
  }

  /** A connection that takes another request is there, or on its way. */
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

  /** The next request takes another connection. Where others are still answered on this one, it ends with the last of them. */
  release(): Socket | null {
    const { session } = this;
    this.session = null;
    session?.retire();
    return null;
  }

  /** One more sends over it. */
  join(): void {
    this.members += 1;
  }

  /** One of them sends no more. With the last one the connection ends. */
  leave(): void {
    this.members -= 1;
    if (this.members === 0) this.release();
  }
}
