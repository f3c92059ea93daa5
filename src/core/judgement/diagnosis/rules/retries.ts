/** Somebody who waits for an answer that does not come, and asks again after a time that is always the same. */
export interface Retry {
  readonly seconds: number;
  readonly who: string;
  readonly remedy: string;
}

const CONNECTION: Omit<Retry, 'seconds'> = {
  who: 'Linux asks again for a connection that nobody accepted (after 1 s, then 2 s and 4 s more)',
  remedy:
    'Look for a listener whose queue was full (nstat TcpExtListenOverflows, listen backlog, net.core.somaxconn), a full link, or a firewall that drops packets, between these two or behind the server.',
};
const NAME: Omit<Retry, 'seconds'> = {
  who: 'a program asks the name server again that did not answer (after 5 s)',
  remedy:
    'Look at the name servers of the machine that waited (/etc/resolv.conf), and let programs that connect often keep connections or names.',
};

/** tcp_syn_retries doubles from 1 s on (RFC 6298); glibc's resolver waits for 5 s (resolv.conf(5), `timeout`). */
const RETRIES: readonly Retry[] = [
  { seconds: 1, ...CONNECTION },
  { seconds: 3, ...CONNECTION },
  { seconds: 5, ...NAME },
  { seconds: 7, ...CONNECTION },
  { seconds: 10, ...NAME },
  { seconds: 15, ...CONNECTION },
];
/** Timers are late by their own ticks, and machines by some milliseconds. */
const WITHIN_SECONDS = 0.12;

/** Who asks again after so long; null where no such time is known. `ms` is how much longer the slow ones took than the others. */
export function retryAfter(ms: number): Retry | null {
  return RETRIES.find(({ seconds }) => Math.abs(ms / 1_000 - seconds) <= WITHIN_SECONDS) ?? null;
}
