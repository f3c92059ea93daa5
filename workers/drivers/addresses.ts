import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { flatCopy } from '#core/base/text.ts';
import { MAX_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import { loopbackAddresses } from '#core/plan/hosts/generatorNames.ts';
import { serverName, reportsServers } from '#core/plan/serverNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Clock } from '../clock.ts';

/** Time for which the result of a lookup is used. Its real time to live is unknown, because getaddrinfo does not return it. */
const LOOKUP_INTERVAL_US = 30_000_000;
/** Minimum time between lookups after a failed connection, because the name may have other addresses by then. */
const LOOKUP_AFTER_FAILURE_US = 1_000_000;

export type LookUp = (hostname: string) => Promise<readonly string[]>;

const lookUpInSystem: LookUp = async (hostname) =>
  loopbackAddresses(hostname) ?? (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

export interface AddressSource {
  readonly hostname: string;
  /** Usable IP versions: 4, 6 or both; null if any is usable. */
  readonly families?: ReadonlySet<number> | null;
  /** Addresses of the host in the plan; null if the system looks them up. */
  readonly pinned?: readonly string[] | null;
  readonly now: Clock;
  /** Function that looks names up; by default that of the system. */
  readonly lookUp?: LookUp;
}

/**
 * The addresses of one host, shared by all connections to it. The name is looked up every 30 s, and after a failed connection. Failed
 * addresses are tried last. A lookup forgets them, at most once in 30 s.
 */
export class Addresses {
  private readonly source: AddressSource;
  private readonly isName: boolean;
  /** Usable addresses from the lookup, in its order. */
  private known: readonly string[] = [];
  private readonly failedAddresses = new Set<string>();
  private askedUs = Number.NEGATIVE_INFINITY;
  private clearedUs = Number.NEGATIVE_INFINITY;
  private isDoubtful = false;
  private pending: Promise<void> | null = null;
  private connections = 0;

  constructor(source: AddressSource) {
    const { hostname, pinned = null } = source;
    this.source = source;
    this.isName = pinned === null && isIP(hostname) === 0;
    if (!this.isName) this.known = pinned === null ? [hostname] : this.filterUsable(pinned);
  }

  get resolved(): boolean {
    return this.known.length > 0;
  }

  /**
   * Returns the addresses in the order in which a new connection tries them, with failed addresses last. Each connection begins with the
   * next address of a family: name servers give visitors the addresses in different orders, and not every connection calls getaddrinfo.
   */
  orderForConnection(): readonly string[] {
    const { known, failedAddresses } = this;
    if (known.length === 1) return known;
    const turn = this.connections;
    this.connections += 1;
    const listInTurn = (hasFailed: boolean): string[] =>
      interleaveFamilies(
        known.filter((address) => failedAddresses.has(address) === hasFailed),
        turn,
      );
    return [...listInTurn(false), ...listInTurn(true)];
  }

  /**
   * Looks the name up if its addresses are unknown.
   * @throws the system's error if the name does not resolve; `EAFNOSUPPORT` if it has no address of the wanted families.
   */
  async resolve(): Promise<void> {
    this.pending ??= this.ask();
    try {
      await this.pending;
    } finally {
      this.pending = null;
    }
  }

  /** Looks the name up again in the background if the last result is too old. */
  freshen(): void {
    if (this.isResponseOld(this.isDoubtful ? LOOKUP_AFTER_FAILURE_US : LOOKUP_INTERVAL_US)) this.resolve().catch(() => {});
  }

  /** Looks the name up again because none of its addresses accepts. Returns null if the addresses are fixed or were just looked up. */
  askAgain(): Promise<void> | null {
    return this.isName && (this.pending !== null || this.isResponseOld(LOOKUP_AFTER_FAILURE_US)) ? this.resolve() : null;
  }

  accepted(address: string): void {
    if (this.failedAddresses.size > 0) this.failedAddresses.delete(address);
  }

  failed(address: string): void {
    this.failedAddresses.add(address);
    this.isDoubtful = true;
  }

  private isResponseOld(intervalUs: number): boolean {
    return this.isName && this.pending === null && this.source.now() - this.askedUs >= intervalUs;
  }

  private async ask(): Promise<void> {
    const { hostname, now, lookUp = lookUpInSystem } = this.source;
    this.askedUs = now();
    this.isDoubtful = false;
    const found = this.filterUsable(await lookUp(hostname));
    if (this.askedUs - this.clearedUs >= LOOKUP_INTERVAL_US) {
      this.clearedUs = this.askedUs;
      this.failedAddresses.clear();
    }
    this.known = found;
  }

  private filterUsable(addresses: readonly string[]): readonly string[] {
    const { families } = this.source;
    const usable = addresses.filter((address) => families?.has(isIP(address)) ?? true);
    if (usable.length === 0) throw Object.assign(new Error('no address of the required kind'), { code: 'EAFNOSUPPORT' });
    return usable;
  }
}

/**
 * Alternates between the address families, beginning with the family of the first address (RFC 8305, 4). Each family begins with its
 * address number `turn`, modulo their number.
 */
function interleaveFamilies(addresses: readonly string[], turn: number): string[] {
  const first = isIP(addresses[0] ?? '');
  const [one = [], other = []] = [true, false].map((isFirst) =>
    rotate(
      addresses.filter((address) => (isIP(address) === first) === isFirst),
      turn,
    ),
  );
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]])
    .flat()
    .filter((address) => address !== undefined);
}

function rotate(list: readonly string[], turn: number): string[] {
  const from = list.length === 0 ? 0 : turn % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}

/** Maximum number of characters of the header value that are used. */
const MAX_VALUE_LENGTH = 200;

/** Identifies the server of each response. There is one instance per target. */
export class ServerNames {
  /** Header name in lower case; null if only the target identifies the server. */
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

  /**
   * Returns the name of the server; null if nothing identifies it. `headerValue` is the value of the header; undefined without a header or
   * a response.
   */
  nameOf(headerValue: string | undefined): string | null {
    if (headerValue === undefined) return this.unsaid;
    const received = headerValue.length > MAX_VALUE_LENGTH ? headerValue.slice(0, MAX_VALUE_LENGTH) : headerValue;
    let name = this.known.get(received);
    if (name !== undefined) return name;
    // A header that has a different value in every response identifies no server.
    if (this.known.size >= MAX_NAMES) return OTHERS;
    name = serverName(this.plan, this.target, received);
    this.known.set(flatCopy(received), name);
    return name;
  }
}

/** Returns null for a plan with only one server and no identifying header. */
export function findServerNames(plan: Plan, target: number): ServerNames | null {
  return reportsServers(plan) ? new ServerNames(plan, target) : null;
}
