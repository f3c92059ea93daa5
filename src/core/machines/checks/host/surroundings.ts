import { formatCount, formatMs } from '#core/base/units.ts';
import { buildRemedy, type HostCheck, NODE_PROBE } from './hostCheck.ts';

/** Clock offset in ms from which the logs of two machines cannot be compared by time. */
const LARGE_OFFSET_MS = 1_000;

export const clock: HostCheck<true> = {
  id: 'clock',
  about: 'Clock',
  appliesTo: ({ isRemote }) => isRemote,
  probe: [],
  read: () => true,
  judge(_, { clock: offset }) {
    if (offset === null)
      return {
        level: 'unknown',
        title: 'Its clock cannot be compared with ours',
        evidence: 'Its “date” has no fractions of a second.',
        matters: 'Logs of both machines cannot be compared exactly.',
      };
    const { aheadMs, errorMs } = offset;
    const far = Math.abs(aheadMs) > LARGE_OFFSET_MS;
    return {
      level: far ? 'info' : 'ok',
      title: `Its clock is ${formatMs(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`,
      evidence: `± ${formatMs(errorMs)}`,
      matters: far
        ? 'Holdfast corrects for it. Do the same when you compare logs of both machines.'
        : 'Logs of both machines can be compared.',
    };
  },
  explain: 'The error is at most half of the shortest round trip.',
};

/** Version of Node.js with which Holdfast is tested, and which it installs. The agent runs on `MIN_NODE_MAJOR` and newer. */
export const TESTED_NODE_MAJOR = 26;
const MIN_NODE_MAJOR = 22;

export const nodeVersion: HostCheck<string | null> = {
  id: 'nodeVersion',
  about: 'Node.js',
  appliesTo: ({ role }) => role === 'generator',
  probe: [NODE_PROBE],
  read([text = '']) {
    const versions = [...text.matchAll(/^v(\d+\.\d+\.\d+)/gm)].map(([, version = '']) => version);
    return text.includes('looked') ? (versions.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))[0] ?? null) : null;
  },
  judge(version, { isRemote }) {
    const major = Number.parseInt(version ?? '0', 10);
    if (version === null || major < MIN_NODE_MAJOR)
      return {
        level: isRemote ? 'warning' : 'info',
        title: version === null ? 'No Node.js was found' : `Node.js ${version}`,
        evidence: `Loads from a host need Node.js ${MIN_NODE_MAJOR} or newer.`,
        matters: isRemote ? 'This host cannot send load.' : 'Holdfast includes its own.',
      };
    const tested = major === TESTED_NODE_MAJOR;
    return {
      level: tested ? 'ok' : 'info',
      title: `Node.js ${version}`,
      evidence: `Holdfast is tested with Node.js ${TESTED_NODE_MAJOR}.`,
      matters: tested ? 'This version is tested.' : 'Another version may send faster or slower. Compare only runs of the same version.',
    };
  },
  explain: 'Node.js runs the agent that sends the load.',
  remedy: (_, { isRemote }) =>
    isRemote
      ? {
          text: 'Let Holdfast install it there.',
          command: 'holdfast hosts test NAME --install-node',
          undo: 'rm -r ~/.cache/holdfast',
          risk: 'About 120 MB in the user’s home directory.',
        }
      : null,
};

interface Balancing {
  readonly lines: readonly string[];
}

/** Finds load balancing by client address, which is usual in production and misleading under load from one machine. */
export const balancing: HostCheck<Balancing> = {
  id: 'balancing',
  about: 'Load balancing',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [
    'echo looked; for folder in /etc/nginx /usr/local/etc/nginx /etc/haproxy /usr/local/etc/haproxy; do [ -d "$folder" ] && [ -r "$folder" ] && { grep -rhE \'^[[:space:]]*(ip_hash|hash[[:space:]]+\\$(remote_addr|binary_remote_addr)|balance[[:space:]]+source)\' "$folder"; }; done | head -n 20',
  ],
  read: ([text = '']) =>
    text.includes('looked')
      ? {
          lines: text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '' && line !== 'looked'),
        }
      : null,
  judge({ lines }, { load }) {
    if (lines.length === 0)
      return {
        level: 'ok',
        title: 'No load balancer that chooses by client address was found',
        evidence: 'The nginx and HAProxy files that this user may read',
        matters: 'One load generator can reach all servers behind it.',
      };
    return {
      level: 'warning',
      title: 'A load balancer here chooses the server by client address',
      evidence: [...new Set(lines)].slice(0, 3).join(' · '),
      matters: `One server behind it gets all load of one generator${load?.sources && load.sources.length > 1 ? `, unless its ${load.sources.length} addresses are spread` : ''}. The run would measure that server.`,
    };
  },
  explain:
    'Some servers need it because they keep user sessions in memory. Then send the load from several addresses, or make each server a target.',
  remedy: () => buildRemedy('For the test, use round robin, make each server a target, or send the load from several addresses.'),
};

interface Database {
  readonly kind: string;
  readonly open: number;
  readonly most: number;
}

const MAX_COMFORTABLE_SHARE = 0.8;

/** Checks the free connections of databases on this machine. Queries run as the login user, without a password. */
export const databaseConnections: HostCheck<readonly Database[]> = {
  id: 'databaseConnections',
  about: 'Connections to the database',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [
    `echo looked; awk 'FNR > 1 && $4 == "0A" && $2 ~ /:(1538|0CEA)$/ { print "listens" }' /proc/net/tcp /proc/net/tcp6 | head -n 1
psql -wXAtq -d postgres -c "select 'PostgreSQL', count(*) filter (where backend_type = 'client backend') - 1, current_setting('max_connections') from pg_stat_activity" | tr '|' ' '
mysql --connect-timeout=2 -BN -e "select 'MySQL', (select variable_value from performance_schema.global_status where variable_name = 'Threads_connected') - 1, @@max_connections" | tr '\\t' ' '`,
  ],
  read([text = '']) {
    const found = [...text.matchAll(/^(PostgreSQL|MySQL) (\d+) (\d+)$/gm)].map(([, kind = '', open, most]) => ({
      kind,
      open: Number(open),
      most: Number(most),
    }));
    // If a database listens but refuses the query, its connections are unknown. If none listens, there is nothing to check.
    return found.length === 0 && (text.includes('listens') || !text.includes('looked')) ? null : found;
  },
  judge(databases, { load }) {
    if (databases.length === 0)
      return {
        level: 'ok',
        title: 'No PostgreSQL or MySQL listens here',
        evidence: 'Ports 5432 and 3306',
        matters: 'Check the machine where the database runs.',
      };
    const tight = databases.find(({ open, most }) => open > most * MAX_COMFORTABLE_SHARE);
    const [one] = tight === undefined ? databases : [tight];
    return {
      level: tight === undefined ? 'ok' : tight.open >= tight.most - 3 ? 'problem' : 'warning',
      title: `${one?.kind ?? 'The database'} has ${formatCount(one?.open ?? null)} of at most ${formatCount(one?.most ?? null)} connections open`,
      evidence: databases.map(({ kind, open, most }) => `${kind}: ${open} of max_connections ${most}`).join('; '),
      matters: `The application can open processes × (pool + overflow) connections (holdfast calculate connections). Beyond max_connections, the database refuses them${load === null ? '' : `. This plan opens up to ${formatCount(load.connections)} connections to the front and may cause that`}.`,
    };
  },
  explain:
    'PostgreSQL reserves 3 connections for administrators. Amazon RDS derives the limit from memory: MySQL memory / 12,582,880, PostgreSQL memory / 9,531,392 and at most 5,000.',
  remedy: () => buildRemedy('Use smaller pools, or a pooler (PgBouncer). Only then allow more connections: each takes memory.'),
};

/** Number of idle upstream connections that nginx keeps open, as in the configuration that CMS ships. */
const KEPT_CONNECTIONS = 500;

/**
 * Returns the contents of nginx's `http { … }` that proxy one address to several servers of one scheme in turn. Without `keepalive` and
 * HTTP/1.1, nginx would open a connection per request and run out of ports. `origins`: for example `http://10.0.0.7:8888`.
 */
export function nginxConfiguration(origins: readonly string[]): string {
  const urls = origins.map((origin) => new URL(origin));
  const servers = urls.map(({ hostname, port, protocol }) => `    server ${hostname}:${port || (protocol === 'https:' ? 443 : 80)};`);
  return `upstream servers {
${servers.join('\n')}
    keepalive ${KEPT_CONNECTIONS};
}
server {
    listen 80;
    location / {
        proxy_pass ${urls[0]?.protocol ?? 'http:'}//servers;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        add_header X-Upstream $upstream_addr always;
    }
}`;
}
