import { formatCount, formatMs } from '#core/base/units.ts';
import { advice, type HostCheck, NODE_PROBE } from './hostCheck.ts';

/** A clock that is off by more should be set: logs of both machines would be read side by side wrongly. */
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
        evidence: 'Its “date” knows no parts of a second.',
        matters: 'Logs of both cannot be laid beside each other exactly.',
      };
    const { aheadMs, errorMs } = offset;
    const far = Math.abs(aheadMs) > LARGE_OFFSET_MS;
    return {
      level: far ? 'info' : 'ok',
      title: `Its clock is ${formatMs(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`,
      evidence: `Give or take ${formatMs(errorMs)}.`,
      matters: far
        ? 'Holdfast allows for it. Whoever reads logs of both machines side by side has to do so as well.'
        : 'Logs of both machines can be read side by side.',
    };
  },
  explain: 'Half of the shortest round trip is the most by which this can be wrong.',
};

/** Holdfast is tested with this version, which it also fetches for itself; the agent runs from the other on. */
export const TESTED_MAJOR = 26;
const OLDEST_MAJOR = 22;

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
    if (version === null || major < OLDEST_MAJOR)
      return {
        level: isRemote ? 'warning' : 'info',
        title: version === null ? 'No Node.js was found' : `Node.js ${version}`,
        evidence: `Loads from a host need Node.js ${OLDEST_MAJOR} or newer.`,
        matters: isRemote ? 'No load can be run from there yet.' : 'Holdfast brings its own.',
      };
    const tested = major === TESTED_MAJOR;
    return {
      level: tested ? 'ok' : 'info',
      title: `Node.js ${version}`,
      evidence: `Holdfast is tested with Node.js ${TESTED_MAJOR}.`,
      matters: tested
        ? 'The figures of this version are known.'
        : 'Another version may be faster or slower at sending: compare only runs made with the same one.',
    };
  },
  explain: 'The agent that sends the load is one file that Node.js runs.',
  remedy: (_, { isRemote }) =>
    isRemote
      ? {
          text: 'Let Holdfast copy one there.',
          command: 'holdfast hosts test NAME --install-node',
          undo: 'rm -r ~/.cache/holdfast',
          risk: 'About 120 MB in the home directory of the user.',
        }
      : null,
};

interface Balancing {
  readonly lines: readonly string[];
}

/** Configuration that sends every visitor of one address to the same server: fine in life, deceptive under a load from one machine. */
export const balancing: HostCheck<Balancing> = {
  id: 'balancing',
  about: 'How a balancer here chooses servers',
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
        title: 'No balancer is seen here that chooses by the address of the visitor',
        evidence: 'Files of nginx and HAProxy that this user may read',
        matters: 'One generator can reach all servers behind it.',
      };
    return {
      level: 'warning',
      title: 'A balancer here chooses the server by the address of the visitor',
      evidence: [...new Set(lines)].slice(0, 3).join(' · '),
      matters: `All load of one generator lands on one server behind it${load?.sources && load.sources.length > 1 ? `, unless its ${load.sources.length} addresses happen to be spread` : ''}: the run would measure that one.`,
    };
  },
  explain:
    'Some servers need it, since they keep something of a visitor in memory. Then send the load from several addresses, or name each server as a target.',
  remedy: () =>
    advice(
      'For the test, let the servers be taken in turn, name every server as a target of its own, or send the load from several addresses.',
    ),
};

interface Database {
  readonly kind: string;
  readonly open: number;
  readonly most: number;
}

const COMFORTABLE_SHARE = 0.8;

/** How many connections a database on this machine still takes. Asked as the user who logs in, without a password. */
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
    // One that listens and does not let this user ask is not known; where none listens there is nothing to know.
    return found.length === 0 && (text.includes('listens') || !text.includes('looked')) ? null : found;
  },
  judge(databases, { load }) {
    if (databases.length === 0)
      return {
        level: 'ok',
        title: 'No PostgreSQL or MySQL listens here',
        evidence: 'Ports 5432 and 3306',
        matters: 'Its connections are counted where it runs.',
      };
    const tight = databases.find(({ open, most }) => open > most * COMFORTABLE_SHARE);
    const [one] = tight === undefined ? databases : [tight];
    return {
      level: tight === undefined ? 'ok' : tight.open >= tight.most - 3 ? 'problem' : 'warning',
      title: `${one?.kind ?? 'The database'} has ${formatCount(one?.open ?? null)} of at most ${formatCount(one?.most ?? null)} connections open`,
      evidence: databases.map(({ kind, open, most }) => `${kind}: ${open} of max_connections ${most}`).join('; '),
      matters: `What the application may open is its processes × (pool + overflow): holdfast calculate connections reckons it. Beyond max_connections it is refused${load === null ? '' : `, which this plan with up to ${formatCount(load.connections)} connections to the front may bring about`}.`,
    };
  },
  explain:
    'PostgreSQL keeps 3 connections for its administrators. Amazon RDS sets the limit by the memory: MySQL memory / 12,582,880, PostgreSQL memory / 9,531,392 and at most 5,000.',
  remedy: () =>
    advice('Make the pools smaller, or put a pooler (PgBouncer) in front; only then allow more connections, each of which takes memory.'),
};
