import { z } from 'zod';

const PIN_PATTERN = /^(\[[\da-f:.]+\]|[^\s:[\]/]+):(\d{1,5}):(?:\[([\da-f:.]+)\]|([\da-f:.]+))$/i;

/** An address that replaces the name lookup of a host and port, written as `HOST:PORT:ADDRESS` like curl’s `--resolve`. */
export interface Pin {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

export function isIpAddress(text: string): boolean {
  return z.union([z.ipv4(), z.ipv6()]).safeParse(text).success;
}

/** Parses a pin; null for any other text. */
export function readPin(text: string): Pin | null {
  const [, host = '', port = '', inBrackets, bare = ''] = PIN_PATTERN.exec(text) ?? [];
  const pin = { host: host.toLowerCase(), port: Number(port), address: inBrackets ?? bare };
  return pin.port >= 1 && pin.port <= 65_535 && isIpAddress(pin.address) ? pin : null;
}

/** Returns the addresses that a plan pins for the host and port of an address, in order; null if there are none. */
export function findPinnedAddresses(pins: readonly string[] | undefined, { protocol, hostname, port }: URL): readonly string[] | null {
  if (pins === undefined) return null;
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const found = pins.map(readPin).filter((pin) => pin !== null && pin.host === hostname && pin.port === number);
  return found.length === 0 ? null : found.flatMap((pin) => pin?.address ?? []);
}
