import type { Monitor } from '#core/plan/schema/monitors.ts';

const KINDS: Readonly<Record<Monitor['kind'], string>> = {
  machine: '',
  nginx: 'nginx',
  varnish: 'Varnish',
  haproxy: 'HAProxy',
  redis: 'Redis',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  prometheus: 'Prometheus',
  cacheHeaders: 'Cache headers',
};

export const THIS_COMPUTER = 'this computer';

/** What charts and tables call it. */
export function monitorName({ kind, name, host }: Monitor): string {
  if (name !== undefined) return name;
  if (kind === 'machine') return host ?? THIS_COMPUTER;
  return host === undefined ? KINDS[kind] : `${KINDS[kind]} on ${host}`;
}
