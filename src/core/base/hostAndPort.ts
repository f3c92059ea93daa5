/** Formats a listening or remote address: an IPv6 address has brackets, and a missing port is a star. */
export function hostAndPort(host: string, port: number | string | null): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port ?? '*'}`;
}

/** Returns the port of an address that {@link hostAndPort} formatted. */
export function portOfAddress(place: string): string {
  return place.slice(place.lastIndexOf(':') + 1);
}
