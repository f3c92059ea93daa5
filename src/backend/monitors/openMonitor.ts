import type { Monitor } from '#core/plan/schema/monitors.ts';
import { openMachine } from './machine/openMachine.ts';
import { openCacheHeaders } from './services/cacheHeaders.ts';
import { openHaproxy } from './services/haproxy.ts';
import { openMysql } from './services/mysql.ts';
import { openNginx } from './services/nginx.ts';
import { openPostgres } from './services/postgres.ts';
import { openPrometheus } from './services/prometheus.ts';
import { openRedis } from './services/redis.ts';
import { openVarnish } from './services/varnish.ts';
import type { MonitorSource, MonitorWay } from './source.ts';

/** Begins to read what a plan watches. Throws a HoldfastError with the cause and what to do. */
export async function openMonitor(monitor: Monitor, way: MonitorWay): Promise<MonitorSource> {
  switch (monitor.kind) {
    case 'machine':
      return openMachine(monitor, way.connection);
    case 'nginx':
      return openNginx(monitor, way);
    case 'varnish':
      return openVarnish(monitor, way);
    case 'haproxy':
      return openHaproxy(monitor, way);
    case 'redis':
      return openRedis(monitor, way);
    case 'postgres':
      return openPostgres(monitor, way);
    case 'mysql':
      return openMysql(monitor, way);
    case 'prometheus':
      return openPrometheus(monitor, way);
    case 'cacheHeaders':
      return openCacheHeaders(monitor, way);
    default:
      return monitor satisfies never;
  }
}
