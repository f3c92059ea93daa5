/** Linux keeps a closed port in TIME_WAIT for 60 s (TCP_TIMEWAIT_LEN in the kernel's include/net/tcp.h); nothing shortens it. */
export const TIME_WAIT_SECONDS = 60;
/** With tcp_tw_reuse a port that has waited for a second may be taken again for the same server (net/ipv4/tcp_ipv4.c, tcp_twsk_unique). */
const REUSE_AFTER_SECONDS = 1;

/** Ports to one server from one address, and how long each is held. */
export interface PortUse {
  /** Free at the beginning. */
  readonly ports: number;
  /** From opening a connection until its port can be taken again. */
  readonly heldSeconds: number;
  /** New connections until a second of the load. */
  opened(second: number): number;
  readonly seconds: number;
}

/**
 * The first second at which no port is left; null when the load ends before. At t those ports are held whose connections were opened
 * within the time that a port is held: used(t) = Λ(t) − Λ(t − held). At a constant rate r the answer is ports / r, where r · held > ports.
 */
export function stallSecond({ ports, heldSeconds, opened, seconds }: PortUse): number | null {
  const used = (second: number): number => opened(second) - (second > heldSeconds ? opened(second - heldSeconds) : 0);
  // Between two looks the rate does not change much; when one is beyond the ports, the instant is found by halving.
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

/** Whether a waiting port may be taken again soon: tcp_tw_reuse 1 everywhere, 2 towards this machine itself only. */
export function reusesPorts(reuse: number, destination: string): boolean {
  return reuse === 1 || (reuse === 2 && isLoopback(destination));
}

/** How long a port is held after its connection was closed by this side. */
export function waitSeconds(reuses: boolean): number {
  return reuses ? REUSE_AFTER_SECONDS : TIME_WAIT_SECONDS;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
