import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * The addresses of one host. A name is looked up once, not for every connection, and the first address that accepts a
 * connection is used from then on: `localhost` may be ::1 and 127.0.0.1 while the server listens on one of them only.
 */
export class Addresses {
  private readonly hostname: string;
  private readonly families: ReadonlySet<number> | null;
  private known: readonly string[] = [];
  private preferred = 0;
  private proven = false;
  private pending: Promise<void> | null = null;

  /** `families`: 4, 6 or both, the kinds of addresses that can be used; null for any. */
  constructor(hostname: string, families: ReadonlySet<number> | null = null) {
    this.hostname = hostname;
    this.families = families;
    if (isIP(hostname) !== 0) this.known = [hostname];
  }

  get resolved(): boolean {
    return this.known.length > 0;
  }

  /** @throws the system's error when the name does not resolve; `EAFNOSUPPORT` when it has no address of the kinds wanted. */
  async resolve(): Promise<void> {
    this.pending ??= this.lookUp();
    try {
      await this.pending;
    } finally {
      this.pending = null;
    }
  }

  /** The address for a request that has failed to connect to `failed` others; null when there is no other to try. */
  candidate(failed: number): string | null {
    if (failed > 0 && (this.proven || failed >= this.known.length)) return null;
    return this.known[(this.preferred + failed) % Math.max(1, this.known.length)] ?? null;
  }

  accepted(address: string): void {
    if (this.proven) return;
    this.preferred = Math.max(0, this.known.indexOf(address));
    this.proven = true;
  }

  private async lookUp(): Promise<void> {
    const found = await lookup(this.hostname, { all: true, verbatim: true });
    this.known = found.filter(({ family }) => this.families?.has(family) ?? true).map(({ address }) => address);
    if (this.known.length === 0) throw Object.assign(new Error('no address of the kind wanted'), { code: 'EAFNOSUPPORT' });
    this.preferred = 0;
    this.proven = false;
  }

  /** None accepted: a name is looked up again before the next attempt. */
  forget(): void {
    if (isIP(this.hostname) === 0 && !this.proven) this.known = [];
  }
}
