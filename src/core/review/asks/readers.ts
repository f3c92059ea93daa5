import { readPin } from '#core/plan/pins.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { readReference } from '#core/plan/secretReference.ts';

/**
 * What a plan asks for: everything outside of itself that it reaches, opens, reads or runs. Whoever runs a plan that others may have written agrees to it before
 * anything is sent or opened. docs/consent.md tells it to its reader.
 */
export const ASK_KINDS = ['host', 'socket', 'ssh', 'file', 'env', 'query', 'command'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** What a field asks for by its value; null for nothing. */
export type Reader = (value: unknown) => Found | null;

export interface Found {
  readonly kind: AskKind;
  readonly name: string;
}

const text =
  (read: (value: string) => Found | null): Reader =>
  (value) =>
    typeof value === 'string' && value !== '' ? read(value) : null;

const as = (kind: AskKind): Reader => text((name) => ({ kind, name }));

export const asFile = as('file');
export const asSocket = as('socket');
export const asQuery = as('query');
export const asCommand = as('command');

/** This computer is nobody to be asked for. */
export const asSsh = text((name) => (isHere(name) ? null : { kind: 'ssh', name }));

/** A host, with or without its port. */
export const asHost = text((name) => ({ kind: 'host', name: hostIn(`http://${name}/`) ?? name.toLowerCase() }));

/** `HOST:PORT:ADDRESS`: the user is asked to allow the address, since connections are opened to it. */
export const asPin = text((pin) => {
  const address = readPin(pin)?.address ?? pin.toLowerCase();
  return { kind: 'host', name: address.includes(':') ? `[${address}]` : address };
});

/** `https://host/…`, `host:port`, or the whole path of a socket. */
export const asAddress = text((address) => {
  if (address.startsWith('/')) return { kind: 'socket', name: address };
  const whole = /^https?:\/\//i.test(address) ? address : `http://${address}/`;
  return { kind: 'host', name: hostIn(whole) ?? address.toLowerCase() };
});

/** `postgres://user:password@host/database` in clear. One that cannot be read connects to nothing. */
export const asConnection = text((connection) => {
  const host = hostIn(connection);
  return host === null ? null : { kind: 'host', name: host };
});

/** Paths lead to the target; one that names a host of its own leads there. */
export const asPath = text((path) => {
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !URL.canParse(first, NOWHERE)) return null;
  const { hostname } = new URL(first, NOWHERE);
  return hostname === new URL(NOWHERE).hostname || hostname === '' ? null : { kind: 'host', name: hostname };
});

const NOWHERE = 'http://target.invalid/';

/** `env:NAME` and `file:PATH`. What a person types (`ask:`) and what the app keeps in memory (`session:`) is theirs already. */
export const asSecret = text((reference) => {
  const parts = readReference(reference);
  if (parts?.kind === 'env') return { kind: 'env', name: parts.name };
  return parts?.kind === 'file' ? { kind: 'file', name: parts.path } : null;
});

/** An instance of varnish is a name, or the folder that it works in. */
export const asInstance = text((instance) => (instance.includes('/') ? { kind: 'file', name: instance } : null));

function hostIn(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return hostname === '' ? null : hostname.toLowerCase();
}
