import { z } from 'zod';
import { hostReach, REACHES } from '#core/plan/hosts.ts';
import { feedSchema } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { ASKING, PURPOSES } from './fields.ts';
import { ASK_KINDS } from './readers.ts';

interface ValueAt {
  /** As a person would find it: `targets[0].url`. */
  readonly path: string;
  readonly value: unknown;
}

/** What stands in a document where a pattern says: `[]` is every item of a list, `*` every name of a record. */
export function valuesAt(document: unknown, pattern: string): ValueAt[] {
  const parts = pattern.replaceAll('[]', '.[]').split('.');
  return parts.reduce<ValueAt[]>((found, part) => found.flatMap((at) => inside(at, part)), [{ path: '', value: document }]);
}

function inside({ path, value }: ValueAt, part: string): ValueAt[] {
  if (part === '[]') return Array.isArray(value) ? value.map((item: unknown, index) => ({ path: `${path}[${index}]`, value: item })) : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const names = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  const own = new Map(Object.entries(value));
  return names.map((name) => ({ path: path === '' ? name : `${path}.${name}`, value: own.get(name) }));
}

export const askSchema = z.strictObject({
  kind: z.enum(ASK_KINDS),
  /** Of a host without its port, of a file as the plan writes it, of an environment variable; the text of a query or a command. */
  name: z.string(),
  /** Of a host: how far away it is. */
  reach: z.enum(REACHES).nullable(),
  /** Where it stands in the plan, and what for. */
  uses: z.array(z.strictObject({ path: z.string(), for: z.enum(PURPOSES) })),
});
export type Ask = z.infer<typeof askSchema>;

/** A plan, or the parts of one that a single request is made of, with what is around it. */
export interface Asking {
  readonly plan: Partial<Plan>;
  readonly series?: Series | undefined;
  /** Where its load is made. */
  readonly on?: readonly string[] | undefined;
}

/** One thing that is asked for, as it is agreed to: `host:example.org`. */
export function askKey({ kind, name }: Pick<Ask, 'kind' | 'name'>): string {
  return `${kind}:${name}`;
}

/** The parts of such a key; null for any other text. */
export function readAskKey(key: string): Pick<Ask, 'kind' | 'name'> | null {
  const kind = ASK_KINDS.find((one) => key.startsWith(askKey({ kind: one, name: '' })));
  const name = kind === undefined ? '' : key.slice(askKey({ kind, name: '' }).length);
  return kind === undefined || name === '' ? null : { kind, name };
}

export const askKeySchema = z
  .string()
  .max(8_000)
  .refine((key) => readAskKey(key) !== null);
/** What a person has agreed to, by its keys. */
export const agreedSchema = z.array(askKeySchema).max(10_000).default([]);

/** Everything that is asked for, each once, kind by kind. */
export function asksOf({ plan, series, on }: Asking): Ask[] {
  return asksIn({ ...plan, ...(series === undefined ? {} : { series }), ...(on === undefined ? {} : { on }) });
}

/** What a single request to a target asks for. */
export function asksOfSingle(request: SingleRequest): Ask[] {
  return asksOf(singleAsking(request));
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

/** A request as a plan has it. */
export function singleAsking({ target, tls, connections: { socketPath, resolve } }: SingleRequest): Asking {
  const where = { ...(socketPath === undefined ? {} : { socketPath }), ...(resolve === undefined ? {} : { resolve }) };
  return { plan: { targets: [target], tls, connections: { reuse: 'always', ...where } } };
}

/** What a recording opens by itself. */
export function recordingAsking({ url, verify, accountsFile }: RecordingRequest): Asking {
  const { plan } = singleAsking({ target: { url, headers: {} }, tls: { verify }, connections: {} });
  return accountsFile === undefined ? { plan } : { plan: { ...plan, feeds: { accounts: feedSchema.parse({ file: accountsFile }) } } };
}

/** The same of a document as a file holds it, which may be anything. */
export function asksIn(document: unknown): Ask[] {
  const found = new Map<string, Ask>();
  for (const [pattern, field] of Object.entries(ASKING)) {
    for (const { path, value } of valuesAt(document, pattern)) {
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

/** Whether somebody has to agree: to anything but a host that is this computer. */
export function needsAgreement({ kind, reach }: Ask): boolean {
  return kind !== 'host' || reach !== 'loopback';
}

/** Whether somebody else may own it, so that it is agreed to by name also by whoever wrote the plan. */
export function isPublic({ reach }: Ask): boolean {
  return reach === 'public';
}

/** Whether it gets no load, and nothing is written there: its figures or rows are read beside the load. */
export function isOnlyRead({ uses }: Ask): boolean {
  return uses.every((use) => use.for === 'database' || use.for === 'rows' || use.for === 'monitor' || use.for === 'watch');
}

/** What nobody has agreed to yet. */
export function openAsks(asks: readonly Ask[], agreed: readonly string[]): Ask[] {
  const given = new Set(agreed);
  return asks.filter((ask) => needsAgreement(ask) && !given.has(askKey(ask)));
}

/** What whoever wrote or typed a plan agrees to by it: everything but loading hosts that others may own. */
export function agreedByWriting(asks: readonly Ask[]): string[] {
  return asks.filter((ask) => needsAgreement(ask) && !isPublic(ask)).map(askKey);
}
