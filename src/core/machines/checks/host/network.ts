import { formatBytes, formatCount, formatNumber, formatRate } from '#core/base/units.ts';
import { buildRemedy, type HostCheck } from './hostCheck.ts';
import type { PlanLoad } from './planLoad.ts';

export interface Link {
  readonly name: string;
  readonly megabits: number | null;
  readonly mtu: number | null;
  readonly driver: string | null;
  readonly goesTo: string | null;
}

/** Matches drivers that report no speed or an invented one (10,000 Mbit/s for veth and virtio). */
const VIRTUAL_DRIVER_PATTERN = /^(?:virtio_net|veth|xen_netfront|vif|hv_netvsc|vmxnet3|ena|tun|tap|bridge|dummy|)$/;
export function isVirtualLink({ driver }: Pick<Link, 'driver'>): boolean {
  return VIRTUAL_DRIVER_PATTERN.test(driver ?? '');
}

/** Payload share of a full packet: 1,460 of 1,538 bytes on the wire (Ethernet, IPv4, TCP, MTU 1,500). */
const CONTENT_SHARE = 1_460 / 1_538;
/** MTU of Ethernet; most tunnels have a smaller one. */
const USUAL_MTU = 1_500;

/** Quotes a host name or address for the shell; returns null for any other text. */
function quoteHost(host: string): string | null {
  return /^[A-Za-z0-9.:_-]{1,253}$/.test(host) && !host.startsWith('-') ? `'${host}'` : null;
}

/** Returns the probe of the network interfaces that route to the destinations; without a plan, of the default route. */
export function linkProbe(load: PlanLoad | null): readonly string[] {
  const hosts = (load?.destinations ?? []).slice(0, 8).flatMap(({ host }) => quoteHost(host) ?? []);
  return [
    `for host in ${hosts.length === 0 ? 'default' : hosts.join(' ')}; do
  if [ "$host" = default ]; then way=$(ip -o route show default | head -n 1)
  else way=$(ip -o route get "$(getent ahosts "$host" | awk 'NR == 1 { print $1 }')" | head -n 1); fi
  device=$(printf '%s\\n' "$way" | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')
  [ -n "$device" ] || continue
  printf 'link %s %s %s %s %s\\n' "$device" "$(cat "/sys/class/net/$device/speed" || echo -)" "$(cat "/sys/class/net/$device/mtu" || echo -)" "$(basename "$(readlink "/sys/class/net/$device/device/driver" || echo -)")" "$host"
done`,
  ];
}

export function readLinks(text: string): Link[] {
  return [...text.matchAll(/^link (\S{1,32}) ?(-?\d*|-) (\d+|-) (\S+) (\S+)$/gm)].map(
    ([, name = '', speed = '', mtu = '', driver = '', host = '']) => ({
      name,
      megabits: Number(speed) > 0 ? Number(speed) : null,
      mtu: Number(mtu) > 0 ? Number(mtu) : null,
      driver: driver === '-' ? null : driver,
      goesTo: host === 'default' ? null : host,
    }),
  );
}

export const networkLink: HostCheck<readonly Link[]> = {
  id: 'networkLink',
  about: 'Network speed',
  probe: linkProbe,
  read: ([text = '']) => {
    const links = readLinks(text);
    return links.length === 0 ? null : links;
  },
  judge(links, { load }) {
    const [link] = [...links].sort((a, b) => (a.megabits ?? Infinity) - (b.megabits ?? Infinity));
    if (link === undefined || link.name === 'lo')
      return {
        level: 'ok',
        title: 'Traffic stays within this machine',
        evidence: 'Interface lo',
        matters: 'The limit is processor and memory, not a network.',
      };
    const virtual = isVirtualLink(link);
    const evidence = `${link.name}${link.driver === null ? '' : ` (${link.driver})`}${virtual ? '; a virtual interface, whose speed says nothing about the network' : ''}`;
    if (link.megabits === null || virtual)
      return {
        level: 'info',
        title:
          link.megabits === null
            ? `${link.name} does not report its speed`
            : `${link.name} says ${formatCount(link.megabits)} Mbit/s, which may be wrong`,
        evidence,
        matters: `The bandwidth is unknown until you measure it (holdfast check --path).${formatCeiling(load, 100)}`,
      };
    const maxPerSecond = maxResponsesPerSecond(link.megabits, load?.responseBytes ?? null);
    const rate = load?.requestsPerSecond ?? null;
    const short = maxPerSecond !== null && rate !== null && rate > maxPerSecond;
    return {
      level: short ? 'problem' : maxPerSecond !== null && rate !== null && rate > maxPerSecond * 0.8 ? 'warning' : 'ok',
      title: `${formatCount(link.megabits)} Mbit/s`,
      evidence,
      matters: `${maxPerSecond === null ? `It carries at most ${formatBytes(link.megabits * 125_000 * CONTENT_SHARE)} of responses a second.` : `At ${formatBytes(load?.responseBytes ?? null)} per response, it carries at most ${formatRate(maxPerSecond, 'responses')}.`}${short ? ` ${wantsMoreThanLine(rate)}` : ''}`,
    };
  },
  explain:
    'If a server reaches the same bytes a second whatever you request, the network is the limit. 100 Mbit/s carry 12.5 MB a second, 5 % of it packet headers.',
  remedy: () => FASTER_LINE_ADVICE,
};

/** Returns the responses per second that a link can carry: payload share × bits per second / bits per response. */
export function maxResponsesPerSecond(megabits: number, responseBytes: number | null): number | null {
  return responseBytes === null || responseBytes <= 0 ? null : (megabits * 125_000 * CONTENT_SHARE) / responseBytes;
}

function formatCeiling(load: PlanLoad | null, megabits: number): string {
  const maxPerSecond = maxResponsesPerSecond(megabits, load?.responseBytes ?? null);
  return maxPerSecond === null
    ? ''
    : ` A network of ${megabits} Mbit/s would carry ${formatRate(maxPerSecond, 'responses')} of ${formatBytes(load?.responseBytes ?? null)}.`;
}

export const packetSize: HostCheck<readonly Link[]> = {
  id: 'packetSize',
  about: 'Packet size (MTU)',
  probe: linkProbe,
  read: ([text = '']) => {
    const links = readLinks(text).filter(({ mtu }) => mtu !== null);
    return links.length === 0 ? null : links;
  },
  judge(links) {
    const [link] = [...links].sort((a, b) => (a.mtu ?? 0) - (b.mtu ?? 0));
    const mtu = link?.mtu ?? USUAL_MTU;
    const usual = mtu === USUAL_MTU || link?.name === 'lo';
    return {
      level: usual ? 'ok' : 'info',
      title: `Packets of ${formatCount(mtu)} bytes`,
      evidence: `MTU of ${link?.name ?? 'the interface'}`,
      matters: usual
        ? 'This is the usual size.'
        : mtu < USUAL_MTU
          ? 'There is a tunnel on the path (VPN, container network). If messages about oversized packets are filtered, large responses hang.'
          : 'Packets are larger than usual. Every machine on the path must support them, or large responses hang.',
    };
  },
  explain: 'If small pages load at once and large ones never do, the MTU is wrong.',
};

interface Resolution {
  readonly names: readonly { readonly host: string; readonly ipv4: number; readonly ipv6: number; readonly seconds: number | null }[];
}

export const resolution: HostCheck<Resolution> = {
  id: 'resolution',
  about: 'Target addresses',
  appliesTo: ({ role, load }) => role === 'generator' && load !== null && load.overNetwork,
  probe: (load) => [
    (load?.destinations ?? [])
      .slice(0, 8)
      .flatMap(({ host }) => quoteHost(host) ?? [])
      .map(
        (word) =>
          `printf 'name %s' ${word}; getent ahosts ${word} | awk '$2 == "STREAM" { if ($1 ~ /:/) six++; else four++ } END { print "", four + 0, six + 0 }'`,
      )
      .join('\n'),
  ],
  read([text = '']) {
    const names = [...text.matchAll(/^name (\S+) (\d+) (\d+)$/gm)].map(([, host = '', four, six]) => ({
      host,
      ipv4: Number(four),
      ipv6: Number(six),
      seconds: null,
    }));
    return names.length === 0 ? null : { names };
  },
  judge({ names }) {
    const lost = names.filter(({ ipv4, ipv6 }) => ipv4 + ipv6 === 0);
    const dualStackNames = names.filter(({ ipv4, ipv6 }) => ipv4 > 0 && ipv6 > 0);
    const evidence = names.map(({ host, ipv4, ipv6 }) => `${host}: ${ipv4} IPv4, ${ipv6} IPv6`).join('; ');
    if (lost.length > 0)
      return {
        level: 'problem',
        title: `${lost.map(({ host }) => host).join(', ')} has no address here`,
        evidence,
        matters: 'All requests to it would fail (dns).',
      };
    if (dualStackNames.length > 0)
      return {
        level: 'info',
        title: `${dualStackNames.map(({ host }) => host).join(', ')} has IPv4 and IPv6 addresses`,
        evidence,
        matters: 'Each connection picks one, so two runs may use different paths. To be sure, use the address in the plan.',
      };
    return { level: 'ok', title: 'The target has one kind of address', evidence, matters: 'All connections use the same path.' };
  },
  explain: 'If the name has both kinds and the server listens on IPv4 only, connecting takes two attempts and longer.',
  remedy: () => buildRemedy('Check the name and the DNS server of this machine.'),
};

interface Proxies {
  readonly names: readonly string[];
}

export const proxyVariables: HostCheck<Proxies> = {
  id: 'proxyVariables',
  about: 'Proxy settings',
  appliesTo: ({ role }) => role === 'generator',
  // The values may contain a password, so only the names are printed.
  probe: ["echo looked; env | sed -n 's/^\\([A-Za-z_]*_[Pp][Rr][Oo][Xx][Yy]\\)=..*/\\1/p'"],
  read([text = '']) {
    return text.startsWith('looked') ? { names: text.split('\n').filter((line) => /^(?:https?|all|ftp|no)_proxy$/i.test(line)) } : null;
  },
  judge({ names }) {
    const active = names.filter((name) => !/^no_proxy$/i.test(name));
    return {
      level: active.length > 0 ? 'info' : 'ok',
      title: active.length > 0 ? `${active.join(', ')} ${active.length === 1 ? 'is' : 'are'} set` : 'No proxy is set',
      evidence: 'Environment of the user',
      matters:
        active.length > 0
          ? 'Holdfast ignores it and connects directly to the target. Browsers and curl on this machine may use the proxy, and reach servers that the load cannot.'
          : `Loads and other programs use the same path (${formatNumber(0)} variables).`,
    };
  },
  explain: 'With a proxy in between, the test would measure the proxy.',
};

export const FASTER_LINE_ADVICE = buildRemedy(
  'Test from a place with a faster network to the target, or reduce the load: smaller responses, compression, fewer requests.',
);

export function wantsMoreThanLine(perSecond: number | null): string {
  return `This plan needs ${formatRate(perSecond, 'requests')} and would measure the network.`;
}
