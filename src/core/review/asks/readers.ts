import { readPin } from '#core/plan/pins.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { readReference } from '#core/plan/secretReference.ts';

/**
 * Permissions that a plan needs: everything outside the plan that it connects to, opens, reads or runs. The user consents before
 * anything is sent or opened. See docs/consent.md.
 */
export const ASK_KINDS = ['host', 'socket', 'ssh', 'file', 'env', 'query', 'command'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** Reads the permission that a field's value needs; null for none. */
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

/** A host over SSH. This computer needs no permission. */
export const asSsh = text((name) => (isHere(name) ? null : { kind: 'ssh', name }));

/** A host, with or without its port. */
export const asHost = text((name) => ({ kind: 'host', name: hostIn(`http://${name}/`) ?? name.toLowerCase() }));

/** `HOST:PORT:ADDRESS`: the user is asked to allow the address, since connections are opened to it. */
export const asPin = text((pin) => {
  const address = readPin(pin)?.address ?? pin.toLowerCase();
  return { kind: 'host', name: address.includes(':') ? `[${address}]` : address };
});

/** `https://host/…`, `host:port`, or the absolute path of a socket. */
export const asAddress = text((address) => {
  if (address.startsWith('/')) return { kind: 'socket', name: address };
  const whole = /^https?:\/\//i.test(address) ? address : `http://${address}/`;
  return { kind: 'host', name: hostIn(whole) ?? address.toLowerCase() };
});

/** A plain `postgres://user:password@host/database`. An invalid URL connects to nothing. */
export const asConnection = text((connection) => {
  const host = hostIn(connection);
  return host === null ? null : { kind: 'host', name: host };
});

/** A path needs a permission only if it contains a host. */
export const asPath = text((path) => {
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !URL.canParse(first, NOWHERE)) return null;
  const { hostname } = new URL(first, NOWHERE);
  return hostname === new URL(NOWHERE).hostname || hostname === '' ? null : { kind: 'host', name: hostname };
});

const NOWHERE = 'http://target.invalid/';

/** `env:NAME` and `file:PATH`. Values typed by the user (`ask:`) or kept by the app (`session:`) need no permission. */
export const asSecret = text((reference) => {
  const parts = readReference(reference);
  if (parts?.kind === 'env') return { kind: 'env', name: parts.name };
  return parts?.kind === 'file' ? { kind: 'file', name: parts.path } : null;
});

/** A Varnish instance: a name, or its working folder. */
export const asInstance = text((instance) => (instance.includes('/') ? { kind: 'file', name: instance } : null));

function hostIn(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return hostname === '' ? null : hostname.toLowerCase();
}
