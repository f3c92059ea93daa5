import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, numberOf, readNumbers } from './reading.ts';

const TOLD = [
  ...inChart('Clients', {}, [
    ['connected_clients', 'redis.clients', 'connected'],
    ['blocked_clients', 'redis.blocked', 'blocked'],
  ]),
  ...inChart('Clients', { isLimit: true }, [['maxclients', 'redis.mostClients', 'maxclients']]),
  ...inChart('Commands', { counts: true }, [['total_commands_processed', 'redis.commands', 'commands']]),
  ...inChart('Key lookups', { counts: true }, [
    ['keyspace_hits', 'redis.hits', 'hits'],
    ['keyspace_misses', 'redis.misses', 'misses'],
  ]),
  ...inChart('Memory', { unit: 'bytes' }, [['used_memory', 'redis.memory', 'used']]),
  ...inChart('Memory', { unit: 'bytes', isLimit: true }, [['maxmemory', 'redis.mostMemory', 'maxmemory']]),
  ...inChart('Keys removed', { counts: true }, [
    ['evicted_keys', 'redis.evicted', 'evicted for lack of memory'],
    ['expired_keys', 'redis.expired', 'expired'],
  ]),
  ...inChart('Connections', { counts: true }, [
    ['total_connections_received', 'redis.connections', 'new'],
    ['rejected_connections', 'redis.refused', 'refused by maxclients'],
  ]),
  ...inChart('Processor', { counts: true, unit: 'cores' }, [
    ['used_cpu_user', 'redis.user', 'in Redis'],
    ['used_cpu_sys', 'redis.system', 'in the system'],
  ]),
];

const TOLD_CATALOGUE = catalogueOf(TOLD);

export const REDIS_CATALOGUE: Catalogue = {
  limits: TOLD_CATALOGUE.limits,
  quantities: [...TOLD_CATALOGUE.quantities, { id: 'redis.hitShare', words: 'hits', unit: 'share', chart: 'Key hit rate' }],
  shares: [{ id: 'redis.hitShare', part: ['redis.hits'], whole: ['redis.hits', 'redis.misses'] }],
};

/** Limits for which 0 means unlimited. */
const LIMITS = new Set(['maxclients', 'maxmemory']);

/** Parses the reply of Redis, Valkey or KeyDB to INFO. Old versions do not report `maxclients`. Returns null for other text. */
export function parseRedis(text: string): MonitorReading | null {
  const said = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([a-z]\w*):(.*)$/.exec(line) ?? [];
    if (name !== '') said.set(name, value.trim());
  }
  if (numberOf(said.get('uptime_in_seconds')) === null || numberOf(said.get('connected_clients')) === null) return null;
  return readNumbers(TOLD, (theirs) => {
    const value = numberOf(said.get(theirs));
    return value === 0 && LIMITS.has(theirs) ? null : value;
  });
}
