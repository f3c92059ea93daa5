import { z } from 'zod';
import { HERE, hostNameSchema, isHere } from './hosts.ts';
import { nameSchema, textOrSecretSchema, httpUrlSchema, mysqlUrlSchema, postgresUrlSchema } from './url.ts';
import { parseSelection } from '../prometheusSelection.ts';

/** Number of characters of a program name in Linux (/proc/PID/comm). */
const KEPT_NAME_LENGTH = 15;

/** Cuts a program name to the length that Linux stores. */
export function normalizeProgramName(program: string): string {
  return program.slice(0, KEPT_NAME_LENGTH);
}

/** Program name of a process. Only the first 15 characters are compared, because Linux stores no more. */
export const processNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9._+:@-]{1,64}$/, 'Enter the name of a program file: at most 64 letters, digits and . _ + : @ -.');

/** Address of a service: `host:port`, or the absolute path of its socket. */
const serviceAddressSchema = z
  .string()
  .max(300)
  .regex(/^(?:\/[^\0]+|(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5})$/, 'Enter host:port, or the full path of a socket.');

const sharedShape = {
  /** Name in charts and tables; default by kind and address. */
  name: nameSchema.optional(),
  /** Host on which the service runs, or through which it is reached over SSH. Default: this computer. */
  host: hostNameSchema.refine((name) => !isHere(name), `“${HERE}” is this computer. To watch it, remove “host”.`).optional(),
};

/** A Prometheus metric, optionally limited by labels. The samples are summed. */
const metricSchema = z
  .string()
  .max(500)
  .refine(
    (text) => parseSelection(text) !== null,
    'Enter the name of a metric, for example http_requests_total or http_requests_total{code="500"}.',
  );

/**
 * A monitor of a run, in addition to those of the load generators. Fields that may contain a password are text or a secret's reference;
 * text becomes a reference before the plan is stored.
 */
export const monitorSchema = z.discriminatedUnion('kind', [
  /** A machine: its processor, memory, network and sockets, some of its programs, and its containers. */
  z.strictObject({
    kind: z.literal('machine'),
    ...sharedShape,
    /** Whether the machine is the target (default) or a hop, such as a proxy or a database. */
    role: z.enum(['target', 'hop']).optional(),
    processes: z.array(processNameSchema).max(10).default([]),
    /** Source of container figures: Linux control groups, or none. */
    containers: z.enum(['cgroup', 'none']).default('cgroup'),
  }),
  /** The stub_status page of nginx. `limit`: worker_processes × worker_connections, which the page omits. */
  z.strictObject({ kind: z.literal('nginx'), ...sharedShape, url: httpUrlSchema, limit: z.int().positive().optional() }),
  /** `varnishstat` on the host. `instance` is its option -n. `limit`: thread_pools × thread_pool_max, which it omits. */
  z.strictObject({
    kind: z.literal('varnish'),
    ...sharedShape,
    instance: z
      .string()
      .regex(/^[\w./-]{1,200}$/)
      .optional(),
    limit: z.int().positive().optional(),
  }),
  /** HAProxy statistics: address of the page or the socket. */
  z.strictObject({
    kind: z.literal('haproxy'),
    ...sharedShape,
    address: z.union([httpUrlSchema, serviceAddressSchema]),
    user: z.string().max(100).optional(),
    password: textOrSecretSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('redis'),
    ...sharedShape,
    address: serviceAddressSchema.default('127.0.0.1:6379'),
    user: z.string().max(100).optional(),
    password: textOrSecretSchema.optional(),
  }),
  /** `connection`: postgres://user:password@host:port/database. */
  z.strictObject({ kind: z.literal('postgres'), ...sharedShape, connection: postgresUrlSchema }),
  /** `connection`: mysql://user:password@host:port/database. */
  z.strictObject({ kind: z.literal('mysql'), ...sharedShape, connection: mysqlUrlSchema }),
  /** Selected metrics of an exporter. */
  z.strictObject({ kind: z.literal('prometheus'), ...sharedShape, url: httpUrlSchema, metrics: z.array(metricSchema).min(1).max(20) }),
  /** The cache headers of one page, which is requested once per second beside the load. */
  z.strictObject({ kind: z.literal('cacheHeaders'), ...sharedShape, url: httpUrlSchema }),
]);
export type Monitor = z.output<typeof monitorSchema>;
export type MonitorKind = Monitor['kind'];
export type MonitorOf<Kind extends MonitorKind> = Extract<Monitor, { kind: Kind }>;

/** Maximum number of monitors in a run, without load generators. */
export const MAX_MONITORS = 20;
export const monitorsSchema = z.array(monitorSchema).max(MAX_MONITORS);
