import { numberOf, taken, type ServiceReading } from './reading.ts';

const GAUGES = {
  connected_clients: 'clients',
  blocked_clients: 'blocked clients',
  used_memory: 'memory',
  mem_fragmentation_ratio: 'fragmentation',
  connected_slaves: 'replicas',
};

const COUNTERS = {
  total_connections_received: 'connections',
  rejected_connections: 'connections refused',
  total_commands_processed: 'commands',
  keyspace_hits: 'hits',
  keyspace_misses: 'misses',
  evicted_keys: 'keys evicted',
  expired_keys: 'keys expired',
  total_net_input_bytes: 'bytes in',
  total_net_output_bytes: 'bytes out',
  used_cpu_sys: 'processor of the system',
  used_cpu_user: 'processor of its own',
};

/** What Redis (or Valkey, KeyDB) answers to INFO. Old ones do not tell `maxclients`. null when this is something else. */
export function parseRedisInfo(text: string): ServiceReading | null {
  const said = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([a-z]\w*):(.*)$/.exec(line) ?? [];
    if (name !== '') said.set(name, value.trim());
  }
  const valueOf = (name: string): number | null => numberOf(said.get(name));
  if (valueOf('uptime_in_seconds') === null || valueOf('connected_clients') === null) return null;
  // 0 means without a limit, for the memory as for the clients.
  const limitOf = (name: string): number | null => valueOf(name) || null;
  return {
    gauges: taken(GAUGES, valueOf),
    counters: taken(COUNTERS, valueOf),
    limits: taken({ maxclients: 'clients', maxmemory: 'memory' }, limitOf),
  };
}
