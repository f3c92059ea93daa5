/** Where something listens, or connections lead to, as addresses write it: an address of IPv6 has brackets, and any port is a star. */
export function hostAndPort(host: string, port: number | string | null): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port ?? '*'}`;
}

/** The port of what {@link hostAndPort} made. */
export function portOfPlace(place: string): string {
  return place.slice(place.lastIndexOf(':') + 1);
}
