import { counted, ONLY_LINUX, type Check } from './check.ts';
import { procFile } from './procFile.ts';

interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Linux keeps a closed port in TIME_WAIT for 60 s (TCP_TIMEWAIT_LEN in the kernel's include/net/tcp.h). */
const TIME_WAIT_SECONDS = 60;
/** Above this share of the range, other programs may be left without a port. */
const COMFORTABLE_SHARE = 0.8;

export function parsePortRange(text: string): PortRange | null {
  const match = /^\s*(\d+)\s+(\d+)\s*$/.exec(text);
  return match ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

/** New connections per second to one server that can go on for ever when this side closes them: ports / TIME_WAIT seconds. */
export function portBudgetPerSecond({ from, to }: PortRange): number {
  return Math.floor((to - from + 1) / TIME_WAIT_SECONDS);
}

export const ephemeralPorts: Check<PortRange> = {
  id: 'ephemeralPorts',
  about: 'Ports for outgoing connections',
  async probe() {
    const text = await procFile('/proc/sys/net/ipv4/ip_local_port_range');
    return (text === null ? null : parsePortRange(text)) ?? ONLY_LINUX;
  },
  judge(range, { plan, connections, targetHosts }) {
    // Each address of this computer has ports of its own.
    const addresses = plan.connections.localAddresses?.length ?? 1;
    const ports = (range.to - range.from + 1) * addresses;
    const perTarget = Math.ceil(connections / Math.max(1, targetHosts.length));
    const evidence = `/proc/sys/net/ipv4/ip_local_port_range: ${range.from} to ${range.to}`;
    const title = `${counted.format(ports)} ports for outgoing connections${addresses === 1 ? '' : ` from ${addresses} addresses`}`;
    if (plan.connections.socketPath !== undefined)
      return { level: 'ok', title, evidence, matters: 'Connections to a Unix socket need none of them.', remedy: null };
    const budget =
      `The plan keeps up to ${counted.format(perTarget)} of them in use per server. A server that closes its connections is no trouble; ` +
      `only if this side closes, about ${counted.format(portBudgetPerSecond(range) * addresses)} new connections a second to one server can go on for ever.`;
    if (perTarget <= ports * COMFORTABLE_SHARE) return { level: 'ok', title, evidence, matters: budget, remedy: null };
    const short = perTarget > ports;
    return {
      level: short ? 'problem' : 'warning',
      title,
      evidence,
      matters: short
        ? `The plan wants ${counted.format(perTarget)} connections to one server at once: ${counted.format(perTarget - ports)} of them would fail for want of a port.`
        : `The plan uses nearly all of them. ${budget}`,
      remedy: {
        text: 'Widen the range, or spread the load over several addresses of the server.',
        command: 'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
        undo: `sudo sysctl -w net.ipv4.ip_local_port_range="${range.from} ${range.to}"`,
        risk: 'Services on this computer that listen above 1024 may find their port taken.',
      },
    };
  },
};
