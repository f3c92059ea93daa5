import { z } from 'zod';

const PIN = /^(\[[\da-f:.]+\]|[^\s:[\]/]+):(\d{1,5}):(?:\[([\da-f:.]+)\]|([\da-f:.]+))$/i;

/** An address in place of those that the system knows for a host, as `HOST:PORT:ADDRESS` of curl’s `--resolve` says it. */
export interface Pin {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

export function isIpAddress(text: string): boolean {
  return z.union([z.ipv4(), z.ipv6()]).safeParse(text).success;
}

/** null for any other text. */
export function readPin(text: string): Pin | null {
  const [, host = '', port = '', inBrackets, bare = ''] = PIN.exec(text) ?? [];
  const pin = { host: host.toLowerCase(), port: Number(port), address: inBrackets ?? bare };
  return pin.port >= 1 && pin.port <= 65_535 && isIpAddress(pin.address) ? pin : null;
}

/** The addresses that a plan names for the host and port of an address, in its order; null where it names none. */
export function pinnedAddresses(pins: readonly string[] | undefined, { protocol, hostname, port }: URL): readonly string[] | null {
  if (pins === undefined) return null;
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const found = pins.map(readPin).filter((pin) => pin !== null && pin.host === hostname && pin.port === number);
  return found.length === 0 ? null : found.flatMap((pin) => pin?.address ?? []);
}
