import { z } from 'zod';
import { hostReach, REACHES } from '#core/plan/hosts/generatorNames.ts';
import { feedSchema } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { ASK_KINDS, ASKING_FIELDS, PURPOSES } from './fields.ts';

interface ValueAt {
  /** Path in the plan, such as `targets[0].url`. */
  readonly path: string;
  readonly value: unknown;
}

/** Returns the values of a document at a pattern: `[]` matches every item of a list, `*` every name of a record. */
export function findValues(document: unknown, pattern: string): ValueAt[] {
  const parts = pattern.replaceAll('[]', '.[]').split('.');
  return parts.reduce<ValueAt[]>((found, part) => found.flatMap((at) => matchPart(at, part)), [{ path: '', value: document }]);
}

function matchPart({ path, value }: ValueAt, part: string): ValueAt[] {
  if (part === '[]') return Array.isArray(value) ? value.map((item: unknown, index) => ({ path: `${path}[${index}]`, value: item })) : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const names = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  const own = new Map(Object.entries(value));
  return names.map((name) => ({ path: path === '' ? name : `${path}.${name}`, value: own.get(name) }));
}

export const askSchema = z.strictObject({
  kind: z.enum(ASK_KINDS),
  /** Host without its port, file path as written, name of an environment variable, or text of a query or command. */
  name: z.string(),
  /** Distance of a host; null for other kinds. */
  reach: z.enum(REACHES).nullable(),
  uses: z.array(z.strictObject({ path: z.string(), for: z.enum(PURPOSES) })),
});
export type Ask = z.infer<typeof askSchema>;

/** A plan with its series, or the parts of a plan that a single request needs. */
export interface AskSource {
  readonly plan: Partial<Plan>;
  readonly series?: Series | undefined;
  /** Load generators. */
  readonly on?: readonly string[] | undefined;
}

/** Returns the key of a permission, by which consent is recorded: `host:example.org`. */
export function askKey({ kind, name }: Pick<Ask, 'kind' | 'name'>): string {
  return `${kind}:${name}`;
}

/** Parses the key of a permission; null for any other text. */
export function readAskKey(key: string): Pick<Ask, 'kind' | 'name'> | null {
  const kind = ASK_KINDS.find((one) => key.startsWith(askKey({ kind: one, name: '' })));
  const name = kind === undefined ? '' : key.slice(askKey({ kind, name: '' }).length);
  return kind === undefined || name === '' ? null : { kind, name };
}

export const askKeySchema = z
  .string()
  .max(8_000)
  .refine((key) => readAskKey(key) !== null);
/** Keys of granted permissions. */
export const agreedSchema = z.array(askKeySchema).max(10_000).default([]);

/** Returns every permission that a plan needs, each once, sorted by kind. */
export function listAsks({ plan, series, on }: AskSource): Ask[] {
  return listAllAsks({ ...plan, ...(series === undefined ? {} : { series }), ...(on === undefined ? {} : { on }) });
}

/** Returns the permissions that a single request needs. */
export function asksOfSingle(request: SingleRequest): Ask[] {
  return listAsks(askingOfRequest(request));
}

export interface SingleRequest {
  readonly target: Plan['targets'][number];
  readonly tls: Plan['tls'];
  readonly connections: Pick<Plan['connections'], 'socketPath' | 'resolve'>;
}

export interface RecordingRequest {
  readonly url: string;
  readonly verify: boolean;
  readonly accountsFile?: string | undefined;
}

/** Converts a single request to the parts of a plan. */
export function askingOfRequest({ target, tls, connections: { socketPath, resolve } }: SingleRequest): AskSource {
  const where = { ...(socketPath === undefined ? {} : { socketPath }), ...(resolve === undefined ? {} : { resolve }) };
  return { plan: { targets: [target], tls, connections: { reuse: 'always', ...where } } };
}

/** Returns the parts of a plan that correspond to what a recording opens. */
export function recordingAsking({ url, verify, accountsFile }: RecordingRequest): AskSource {
  const { plan } = askingOfRequest({ target: { url, headers: {} }, tls: { verify }, connections: {} });
  return accountsFile === undefined ? { plan } : { plan: { ...plan, feeds: { accounts: feedSchema.parse({ file: accountsFile }) } } };
}

/** Returns the permissions that an unvalidated document needs. */
export function listAllAsks(document: unknown): Ask[] {
  const found = new Map<string, Ask>();
  for (const [pattern, field] of Object.entries(ASKING_FIELDS)) {
    for (const { path, value } of findValues(document, pattern)) {
      const thing = field.read(value);
      if (thing === null) continue;
      const { kind, name } = thing;
      const ask = found.get(askKey(thing)) ?? { kind, name, reach: kind === 'host' ? hostReach(name) : null, uses: [] };
      ask.uses.push({ path, for: field.for });
      found.set(askKey(thing), ask);
    }
  }
  return [...found.values()].sort((a, b) => ASK_KINDS.indexOf(a.kind) - ASK_KINDS.indexOf(b.kind));
}

/** Returns whether consent is needed, as for everything except this computer as a host. */
export function needsAgreement({ kind, reach }: Ask): boolean {
  return kind !== 'host' || reach !== 'loopback';
}

/** Returns whether somebody else may own the host. If so, even the author of the plan must give consent by name. */
export function isPublic({ reach }: Ask): boolean {
  return reach === 'public';
}

/** Returns whether the host only provides figures or rows and is not loaded. */
export function isOnlyRead({ uses }: Ask): boolean {
  return uses.every((use) => use.for === 'database' || use.for === 'rows' || use.for === 'monitor' || use.for === 'watch');
}

/** Returns the permissions for which no consent has been given. */
export function openAsks(asks: readonly Ask[], agreed: readonly string[]): Ask[] {
  const agreedKeys = new Set(agreed);
  return asks.filter((ask) => needsAgreement(ask) && !agreedKeys.has(askKey(ask)));
}

/** Returns the permissions that the author of a plan grants by writing it: all except load on public hosts. */
export function listConsentsInFile(asks: readonly Ask[]): string[] {
  return asks.filter((ask) => needsAgreement(ask) && !isPublic(ask)).map(askKey);
}
