import { z } from 'zod';
import { HERE, hostNameSchema, isHere } from './hosts.ts';
import { nameSchema, textOrSecretSchema } from './text.ts';
import { httpUrlSchema, mysqlUrlSchema, postgresUrlSchema } from './url.ts';
import { parseSelection } from '../prometheusSelection.ts';

/** So much of the name of a program Linux keeps (/proc/PID/comm). */
const KEPT_OF_NAME = 15;

/** A program by its name, as Linux keeps it. */
export function keptName(program: string): string {
  return program.slice(0, KEPT_OF_NAME);
}

/** A process by the name of its program; of a longer one the first 15 letters are compared, which is what Linux keeps. */
export const processNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9._+:@-]{1,64}$/, 'Enter the name of a program file: at most 64 letters, digits and . _ + : @ -.');

/** An address of a service, `host:port`, or the absolute path of its socket. */
const serviceAddressSchema = z
  .string()
  .max(300)
  .regex(/^(?:\/[^\0]+|(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5})$/, 'Enter host:port, or the full path of a socket.');

const shared = {
  /** What charts and tables call it; left out, it follows from what it is. */
  name: nameSchema.optional(),
  /** The host that it is on, or is reached through, over SSH; left out, it is reached from this computer. */
  host: hostNameSchema.refine((name) => !isHere(name), `“${HERE}” is this computer. To watch it, remove “host”.`).optional(),
};

/** A metric of Prometheus; with labels only its samples that have them, and all samples are added up. */
const metricSchema = z
  .string()
  .max(500)
  .refine(
    (text) => parseSelection(text) !== null,
    'Enter the name of a metric, for example http_requests_total or http_requests_total{code="500"}.',
  );

/**
 * What is watched while a run goes, beside the computers that make its load. Whatever may hold a password is text or a secret's reference: text
 * is replaced by a reference before the plan is stored.
 */
export const monitorSchema = z.discriminatedUnion('kind', [
  /** A machine: processor, memory, network, sockets, some of its programs, its containers. */
  z.strictObject({
    kind: z.literal('machine'),
    ...shared,
    /** Whether it answers the load, or stands in between: a proxy, a database. Left out, it answers. */
    role: z.enum(['target', 'hop']).optional(),
    processes: z.array(processNameSchema).max(10).default([]),
    /** Where figures of containers come from: the files of Linux' control groups, or nowhere. */
    containers: z.enum(['cgroup', 'none']).default('cgroup'),
  }),
  /** The page of nginx' stub_status. `limit`: worker_processes × worker_connections, which the page does not tell. */
  z.strictObject({ kind: z.literal('nginx'), ...shared, url: httpUrlSchema, limit: z.int().positive().optional() }),
  /** `varnishstat` there; `instance` is its -n. `limit`: thread_pools × thread_pool_max, which it does not tell. */
  z.strictObject({
    kind: z.literal('varnish'),
    ...shared,
    instance: z
      .string()
      .regex(/^[\w./-]{1,200}$/)
      .optional(),
    limit: z.int().positive().optional(),
  }),
  /** The statistics of HAProxy: the address of its page, or of its socket. */
  z.strictObject({
    kind: z.literal('haproxy'),
    ...shared,
    address: z.union([httpUrlSchema, serviceAddressSchema]),
    user: z.string().max(100).optional(),
    password: textOrSecretSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('redis'),
    ...shared,
    address: serviceAddressSchema.default('127.0.0.1:6379'),
    user: z.string().max(100).optional(),
    password: textOrSecretSchema.optional(),
  }),
  /** `connection`: postgres://user:password@host:port/database. */
  z.strictObject({ kind: z.literal('postgres'), ...shared, connection: postgresUrlSchema }),
  /** `connection`: mysql://user:password@host:port/database. */
  z.strictObject({ kind: z.literal('mysql'), ...shared, connection: mysqlUrlSchema }),
  /** Chosen metrics of an exporter. */
  z.strictObject({ kind: z.literal('prometheus'), ...shared, url: httpUrlSchema, metrics: z.array(metricSchema).min(1).max(20) }),
  /** What the headers of one page say of where it came from: asked once a second, beside the load. */
  z.strictObject({ kind: z.literal('cacheHeaders'), ...shared, url: httpUrlSchema }),
]);
export type Monitor = z.output<typeof monitorSchema>;
export type MonitorKind = Monitor['kind'];
export type MonitorOf<Kind extends MonitorKind> = Extract<Monitor, { kind: Kind }>;

/** In one run, beside the machines that make its load. */
export const MOST_MONITORS = 20;
export const monitorsSchema = z.array(monitorSchema).max(MOST_MONITORS);
