import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { flatCopy } from '#core/base/text.ts';
import { MOST_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import { loopbackAddresses } from '#core/plan/hosts.ts';
import { serverName, tellsServers } from '#core/plan/serverNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

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
    const own = loopbackAddresses(this.hostname)?.map((address) => ({ address, family: isIP(address) }));
    const found = own ?? (await lookup(this.hostname, { all: true, verbatim: true }));
    this.known = found.filter(({ family }) => this.families?.has(family) ?? true).map(({ address }) => address);
    if (this.known.length === 0) throw Object.assign(new Error('no address of the required kind'), { code: 'EAFNOSUPPORT' });
    this.preferred = 0;
    this.proven = false;
  }

  /** None accepted: a name is looked up again before the next attempt. */
  forget(): void {
    if (isIP(this.hostname) === 0 && !this.proven) this.known = [];
  }
}

/** More of a header is not looked at. */
const LONGEST_SAID = 200;

/** Tells which of several servers an answer is from. One for all connections to a target. */
export class ServerNames {
  /** In lower case; null where only the target tells. */
  readonly header: string | null;
  private readonly plan: Plan;
  private readonly target: number;
  private readonly unsaid: string | null;
  private readonly known = new Map<string, string | null>();

  constructor(plan: Plan, target: number) {
    this.plan = plan;
    this.target = target;
    this.header = plan.servers?.header?.toLowerCase() ?? null;
    this.unsaid = serverName(plan, target, undefined);
  }

  /** `said`: value of the header; undefined where there is none, or no answer. null where nothing tells. */
  nameOf(said: string | undefined): string | null {
    if (said === undefined) return this.unsaid;
    const heard = said.length > LONGEST_SAID ? said.slice(0, LONGEST_SAID) : said;
    let name = this.known.get(heard);
    if (name !== undefined) return name;
    // A header that is different in every answer names no server.
    if (this.known.size >= MOST_NAMES) return OTHERS;
    name = serverName(this.plan, this.target, heard);
    this.known.set(flatCopy(heard), name);
    return name;
  }
}

/** null for a plan with one server and no header that tells of more. */
export function serverNamesOf(plan: Plan, target: number): ServerNames | null {
  return tellsServers(plan) ? new ServerNames(plan, target) : null;
}
