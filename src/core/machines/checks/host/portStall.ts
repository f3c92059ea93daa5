/** Linux keeps a closed port in TIME_WAIT for 60 s (TCP_TIMEWAIT_LEN in include/net/tcp.h). No setting shortens this. */
export const TIME_WAIT_SECONDS = 60;
/** With tcp_tw_reuse, a port can be reused for the same server after one second in TIME_WAIT (tcp_twsk_unique in net/ipv4/tcp_ipv4.c). */
const REUSE_AFTER_SECONDS = 1;

/** Ports from one address to one server, and the time each is held. */
export interface PortUse {
  /** Free ports at the start. */
  readonly ports: number;
  /** From opening a connection until its port can be used again. */
  readonly heldSeconds: number;
  /** Total new connections until a second of the load. */
  opened(second: number): number;
  readonly seconds: number;
}

/**
 * Returns the first second without a free port, or null if the load ends before. At time t the ports of connections opened within `heldSeconds` are in use:
 * used(t) = Λ(t) − Λ(t − held). At a constant rate r with r · held > ports, the result is ports / r.
 */
export function stallSecond({ ports, heldSeconds, opened, seconds }: PortUse): number | null {
  const used = (second: number): number => opened(second) - (second > heldSeconds ? opened(second - heldSeconds) : 0);
  // The rate changes little between two steps. Bisection finds the exact time within the first step that exceeds the ports.
  const step = Math.min(1, seconds / 16);
  for (let second = step; second < seconds + step; second += step) {
    const until = Math.min(second, seconds);
    if (used(until) <= ports) continue;
    let [low, high] = [until - step, until];
    for (let halving = 0; halving < 30; halving++) {
      const middle = (low + high) / 2;
      if (used(middle) > ports) high = middle;
      else low = middle;
    }
    return high;
  }
  return null;
}

/** Returns whether a port in TIME_WAIT can be reused: tcp_tw_reuse 1 for every destination, 2 for loopback only. */
export function reusesPorts(reuse: number, destination: string): boolean {
  return reuse === 1 || (reuse === 2 && isLoopback(destination));
}

/** Returns how long a port is held after this side closed its connection. */
export function waitSeconds(reuses: boolean): number {
  return reuses ? REUSE_AFTER_SECONDS : TIME_WAIT_SECONDS;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
