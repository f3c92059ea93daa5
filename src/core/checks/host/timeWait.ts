import {
  countByState,
  parsePortRange,
  parseSocketGroups,
  SOCKET_GROUPS_SCRIPT,
  type PortRange,
  type SocketGroup,
} from '#core/hosts/sockets.ts';
import { formatCount, formatPercent } from '#core/units.ts';
import { advice, settingFile, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE, otherPorts, otherSockets } from './otherSystems.ts';
import { usedPorts, serviceName } from './usedPorts.ts';

interface Sockets {
  readonly groups: readonly SocketGroup[];
  readonly range: PortRange;
}

const RANGE = settingFile('net.ipv4.ip_local_port_range');
const NOTICEABLE_SHARE = 0.25;
const NEARLY_ALL = 0.9;

/** Sockets by state and end: who holds TIME_WAIT, and to which server. */
export const timeWait: HostCheck<Sockets> = {
  id: 'timeWait',
  about: 'Connections that are still closing (TIME_WAIT)',
  probe: [SOCKET_GROUPS_SCRIPT, showFiles(RANGE), OTHER_SOCKETS_PROBE, OTHER_PORTS_PROBE],
  read([sockets = '', text = '', socketsElsewhere = '', portsElsewhere = '']) {
    const range = parsePortRange(shownFiles(text).get(RANGE) ?? '');
    if (range !== null) return { groups: parseSocketGroups(sockets), range };
    const other = otherPorts(portsElsewhere);
    const groups = other && otherSockets(socketsElsewhere, other.range);
    return other === null || groups === null ? null : { groups, range: other.range };
  },
  judge({ groups, range }) {
    const here = countByState(groups, 'connecting').timeWait ?? 0;
    const there = countByState(groups, 'accepting').timeWait ?? 0;
    const all = countByState(groups).timeWait ?? 0;
    const ports = range.to - range.from + 1;
    const [fullest] = usedPorts(groups, range);
    const share = fullest === undefined ? 0 : fullest.used / ports;
    const where =
      fullest === undefined
        ? ''
        : ` Most ports are held by ${formatCount(fullest.used)} connections from ${fullest.source} to ${serviceName(fullest.service)} (${formatCount(fullest.timeWait)} in TIME_WAIT): ${formatPercent(share)} of ${formatCount(ports)}.`;
    const evidence = `Connecting end ${formatCount(here)}, accepting end ${formatCount(there)}${all > here + there ? `, end unclear ${formatCount(all - here - there)}` : ''}.${where}`;
    const title = all === 1 ? '1 connection in TIME_WAIT now' : `${formatCount(all)} connections in TIME_WAIT now`;
    if (fullest !== undefined && share >= NEARLY_ALL)
      return {
        level: 'problem',
        title: `Ports to ${serviceName(fullest.service)} have run out: ${formatCount(fullest.used)} of ${formatCount(ports)} are held`,
        evidence,
        matters: `This machine connects to ${serviceName(fullest.service)} and is the end that holds the ports. Further connections to it fail here, whatever that server could bear.`,
      };
    if (share >= NOTICEABLE_SHARE)
      return {
        level: 'warning',
        title,
        evidence,
        matters:
          'Each holds a port for up to a minute; with so many of them this run may run out of ports, and an earlier run would disturb it.',
      };
    return {
      level: 'ok',
      title,
      evidence,
      matters:
        there > here
          ? 'They wait at the accepting end, where they hold no port and cost little memory.'
          : 'Each holds a port for up to a minute. So few do not disturb.',
    };
  },
  explain:
    'TIME_WAIT by itself is no fault: it is how the end that closed first keeps late packets from a later connection. Look at which end holds it: at the connecting end it takes ports, at the accepting end it does not.',
  remedy: ({ groups, range }) => {
    const [fullest] = usedPorts(groups, range);
    const share = fullest === undefined ? 0 : fullest.used / (range.to - range.from + 1);
    return advice(
      share >= NEARLY_ALL
        ? `Let whoever connects to ${fullest === undefined ? 'it' : serviceName(fullest.service)} keep its connections: keepalive in the upstream of a proxy (with proxy_http_version 1.1 and an empty Connection header), a pool for a database.`
        : 'Wait a minute before you start.',
    );
  },
};
