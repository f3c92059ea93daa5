import { readPin } from '#core/plan/pins.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { readReference } from '#core/plan/secretReference.ts';

/**
 * Permissions that a plan needs: for everything outside the plan that it connects to, opens, reads or runs. The user gives consent before
 * anything is sent or opened. See docs/consent.md.
 */
export const ASK_KINDS = ['host', 'socket', 'ssh', 'file', 'env', 'query', 'command'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** Returns the permission that a field's value needs; null if it needs none. */
type Reader = (value: unknown) => AskedName | null;

interface AskedName {
  readonly kind: AskKind;
  readonly name: string;
}

const text =
  (read: (value: string) => AskedName | null): Reader =>
  (value) =>
    typeof value === 'string' && value !== '' ? read(value) : null;

const readAs = (kind: AskKind): Reader => text((name) => ({ kind, name }));

const asFile = readAs('file');
const asSocket = readAs('socket');
const asQuery = readAs('query');
const asCommand = readAs('command');

/** Reads a host over SSH. This computer needs no permission. */
const asSsh = text((name) => (isHere(name) ? null : { kind: 'ssh', name }));

/** Reads a host, with or without its port. */
export const asHost = text((name) => ({ kind: 'host', name: findHost(`http://${name}/`) ?? name.toLowerCase() }));

/** Reads `HOST:PORT:ADDRESS`. The user is asked to allow the address, because connections are opened to it. */
const asPin = text((pin) => {
  const address = readPin(pin)?.address ?? pin.toLowerCase();
  return { kind: 'host', name: address.includes(':') ? `[${address}]` : address };
});

/** Reads `https://host/…`, `host:port`, or the absolute path of a socket. */
const asAddress = text((address) => {
  if (address.startsWith('/')) return { kind: 'socket', name: address };
  const whole = /^https?:\/\//i.test(address) ? address : `http://${address}/`;
  return { kind: 'host', name: findHost(whole) ?? address.toLowerCase() };
});

/** Reads a plain `postgres://user:password@host/database`. An invalid URL connects to nothing. */
const asConnection = text((connection) => {
  const host = findHost(connection);
  return host === null ? null : { kind: 'host', name: host };
});

/** Reads a path, which needs a permission only if it contains a host. */
const asPath = text((path) => {
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !URL.canParse(first, BASE_ADDRESS)) return null;
  const { hostname } = new URL(first, BASE_ADDRESS);
  return hostname === new URL(BASE_ADDRESS).hostname || hostname === '' ? null : { kind: 'host', name: hostname };
});

const BASE_ADDRESS = 'http://target.invalid/';

/** Reads `env:NAME` and `file:PATH`. Values that the user types (`ask:`) or that the app keeps (`session:`) need no permission. */
const asSecret = text((reference) => {
  const parts = readReference(reference);
  if (parts?.kind === 'env') return { kind: 'env', name: parts.name };
  return parts?.kind === 'file' ? { kind: 'file', name: parts.path } : null;
});

/** Reads a Varnish instance: a name, or its working folder. */
const asInstance = text((instance) => (instance.includes('/') ? { kind: 'file', name: instance } : null));

function findHost(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return hostname === '' ? null : hostname.toLowerCase();
}

/** Purposes of the permissions that a plan needs, shown beside each of them. */
export const PURPOSES = [
  'load',
  'place',
  'sideCall',
  'page',
  'feed',
  'request',
  'certificate',
  'monitor',
  'database',
  'watch',
  'visit',
  'stored',
  'rows',
  'populate',
  'series',
] as const;
export type Purpose = (typeof PURPOSES)[number];

interface AskingField {
  readonly read: Reader;
  readonly for: Purpose;
}

/** Fields by path. `[]` matches every item of a list, and `*` every name of a record. */
type Fields = Readonly<Record<string, AskingField>>;

const step = (at: string, purpose: Purpose): Fields => ({
  [`${at}.path`]: { read: asPath, for: 'sideCall' },
  [`${at}.headers.*.secret`]: { read: asSecret, for: purpose },
  [`${at}.body.secret`]: { read: asSecret, for: purpose },
  [`${at}.bodyFile`]: { read: asFile, for: purpose },
  [`${at}.multipart[].file`]: { read: asFile, for: purpose },
  [`${at}.multipart[].folder`]: { read: asFile, for: purpose },
  [`${at}.resources.otherHosts[]`]: { read: asHost, for: 'page' },
});

const target = (at: string): Fields => ({
  [`${at}.url`]: { read: asAddress, for: 'load' },
  [`${at}.headers.*.secret`]: { read: asSecret, for: 'request' },
  [`${at}.cookie.secret`]: { read: asSecret, for: 'request' },
  [`${at}.auth.password.secret`]: { read: asSecret, for: 'request' },
});

/** Returns the fields of a command, which is a line, or a block that contains the line. */
const command = (at: string, purpose: Purpose): Fields => ({
  [at]: { read: asCommand, for: purpose },
  [`${at}.run`]: { read: asCommand, for: purpose },
});

/**
 * Every field of a plan, or of the series or search around it, that needs a permission for something on this computer or elsewhere. A test
 * fails for a text field that is neither here nor in `HARMLESS_FIELDS`.
 */
export const ASKING_FIELDS: Fields = {
  ...target('targets[]'),
  // A named target is an address, or a block that contains the address.
  'namedTargets.*': { read: asAddress, for: 'load' },
  ...target('namedTargets.*'),
  ...step('journey[]', 'request'),
  'sideHosts[]': { read: asHost, for: 'sideCall' },
  'variables.*.secret': { read: asSecret, for: 'request' },
  'feeds.*.file': { read: asFile, for: 'feed' },
  'watch[].url': { read: asAddress, for: 'watch' },
  'watchPages[].url': { read: asPath, for: 'visit' },
  'watchPages[].steps[].url': { read: asPath, for: 'visit' },
  'watchPages[].otherHosts[]': { read: asHost, for: 'visit' },
  watchFrom: { read: asSsh, for: 'visit' },
  'stored[].url': { read: asAddress, for: 'stored' },
  'stored[].sql': { read: asQuery, for: 'rows' },
  'stored[].connection': { read: asConnection, for: 'rows' },
  'stored[].connection.secret': { read: asSecret, for: 'rows' },
  ...command('stored[].command', 'stored'),
  'monitors[].host': { read: asSsh, for: 'monitor' },
  'monitors[].url': { read: asAddress, for: 'monitor' },
  'monitors[].address': { read: asAddress, for: 'monitor' },
  'monitors[].connection': { read: asConnection, for: 'database' },
  'monitors[].connection.secret': { read: asSecret, for: 'database' },
  'monitors[].password.secret': { read: asSecret, for: 'monitor' },
  'monitors[].instance': { read: asInstance, for: 'monitor' },
  'tls.clientCertificate.key.secret': { read: asSecret, for: 'certificate' },
  'tls.clientCertificate.passphrase.secret': { read: asSecret, for: 'certificate' },
  'connections.socketPath': { read: asSocket, for: 'load' },
  'connections.resolve[]': { read: asPin, for: 'load' },
  ...step('populate.journey[]', 'populate'),
  ...step('populate.remove[]', 'populate'),
  ...command('populate.command', 'populate'),
  ...command('populate.removeCommand', 'populate'),
  'on[]': { read: asSsh, for: 'place' },
  'series.on[]': { read: asSsh, for: 'place' },
  'series.variants[].on[]': { read: asSsh, for: 'place' },
  ...target('series.variants[].targets[]'),
  ...command('series.before[]', 'series'),
  ...command('series.after[]', 'series'),
  ...command('series.variants[].before[]', 'series'),
  ...command('series.variants[].after[]', 'series'),
};

const SENT_UNCHANGED_REASON = 'Sent unchanged to hosts in the list.';
const RESET_REASON = 'A command of a search, which needs the permission of `series.before`: see `askingOfSearch`.';
const SEARCHED_FOR_REASON = 'Searched for in the contents or the name of a response.';
const COLUMN_REASON = 'A column of a file in the list.';
const ON_PAGE_REASON = 'Clicked on, or entered into, a page that is visited. The browser reaches hosts in the list only.';
const LABEL_REASON = 'A name within the plan, or text for the reader.';

const harmlessStep = (at: string): Readonly<Record<string, string>> => ({
  [`${at}.gate`]: LABEL_REASON,
  [`${at}.name`]: LABEL_REASON,
  [`${at}.target`]: LABEL_REASON,
  [`${at}.headers.*`]: SENT_UNCHANGED_REASON,
  [`${at}.auth.user`]: SENT_UNCHANGED_REASON,
  [`${at}.auth.password`]: SENT_UNCHANGED_REASON,
  [`${at}.query.*`]: SENT_UNCHANGED_REASON,
  [`${at}.body`]: SENT_UNCHANGED_REASON,
  [`${at}.form.*`]: SENT_UNCHANGED_REASON,
  [`${at}.json`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].name`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].value`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].fileName`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].type`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].valueByEnding.*`]: SENT_UNCHANGED_REASON,
  [`${at}.multipart[].each`]: LABEL_REASON,
  [`${at}.background.after`]: LABEL_REASON,
  [`${at}.background.until`]: LABEL_REASON,
  [`${at}.gate`]: LABEL_REASON,
  [`${at}.again.while`]: LABEL_REASON,
  [`${at}.again.first`]: SENT_UNCHANGED_REASON,
  [`${at}.confirms`]: LABEL_REASON,
  [`${at}.confirms[]`]: LABEL_REASON,
  [`${at}.places.full`]: SEARCHED_FOR_REASON,
  [`${at}.items.one`]: LABEL_REASON,
  [`${at}.items.many`]: LABEL_REASON,
  [`${at}.items.done`]: LABEL_REASON,
  [`${at}.stream.send.messages[]`]: SENT_UNCHANGED_REASON,
  [`${at}.stream.protocols[]`]: SENT_UNCHANGED_REASON,
  [`${at}.stream.sentAt.path`]: SEARCHED_FOR_REASON,
  [`${at}.stream.number.path`]: SEARCHED_FOR_REASON,
  [`${at}.explains.step`]: LABEL_REASON,
  [`${at}.explains.pattern`]: SEARCHED_FOR_REASON,
  [`${at}.redirects.to[]`]: SEARCHED_FOR_REASON,
  ...harmlessCheck(`${at}.checks[]`),
  ...harmlessCheck(`${at}.poll.until[]`),
  [`${at}.captures[].as`]: LABEL_REASON,
  [`${at}.captures[].unlike`]: LABEL_REASON,
  [`${at}.captures[].pattern`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].flags`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].path`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].after`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].before`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].name`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].otherwise`]: SENT_UNCHANGED_REASON,
  [`${at}.captures[].field`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].labels[]`]: SEARCHED_FOR_REASON,
  [`${at}.captures[].text`]: SENT_UNCHANGED_REASON,
});

const harmlessCheck = (at: string): Readonly<Record<string, string>> => ({
  [`${at}.text`]: SEARCHED_FOR_REASON,
  [`${at}.pattern`]: SEARCHED_FOR_REASON,
  [`${at}.flags`]: SEARCHED_FOR_REASON,
  [`${at}.path`]: SEARCHED_FOR_REASON,
  [`${at}.equals`]: SEARCHED_FOR_REASON,
});

const harmlessTarget = (at: string): Readonly<Record<string, string>> => ({
  [`${at}.name`]: LABEL_REASON,
  [`${at}.headers.*`]: SENT_UNCHANGED_REASON,
  [`${at}.cookie`]: SENT_UNCHANGED_REASON,
  [`${at}.auth.user`]: SENT_UNCHANGED_REASON,
  [`${at}.auth.password`]: SENT_UNCHANGED_REASON,
});

/** Text fields that need no permission, each with the reason. */
export const HARMLESS_FIELDS: Readonly<Record<string, string>> = {
  name: LABEL_REASON,
  story: LABEL_REASON,
  preset: LABEL_REASON,
  // Answers only fill in the questions again. Other fields decide what the plan does.
  'answers.*': LABEL_REASON,
  claim: LABEL_REASON,
  'exercises[]': LABEL_REASON,
  'omits[]': LABEL_REASON,
  'lookAt[]': LABEL_REASON,
  'leavesBehind[]': LABEL_REASON,
  'duet.variants[]': LABEL_REASON,
  'settings.before[]': RESET_REASON,
  'settings.before[].run': RESET_REASON,
  ...harmlessTarget('targets[]'),
  'namedTargets.*.headers.*': SENT_UNCHANGED_REASON,
  'namedTargets.*.cookie': SENT_UNCHANGED_REASON,
  'namedTargets.*.auth.user': SENT_UNCHANGED_REASON,
  'namedTargets.*.auth.password': SENT_UNCHANGED_REASON,
  ...harmlessStep('journey[]'),
  ...harmlessStep('populate.journey[]'),
  ...harmlessStep('populate.remove[]'),
  'populate.feed': LABEL_REASON,
  'populate.key': COLUMN_REASON,
  'variables.*.of[]': SENT_UNCHANGED_REASON,
  'feeds.*.secret[]': COLUMN_REASON,
  'flow[]': LABEL_REASON,
  'flow[].as': LABEL_REASON,
  'flow[].forEach': LABEL_REASON,
  'load.stages[].name': LABEL_REASON,
  'demand.people.name': LABEL_REASON,
  'people.one': LABEL_REASON,
  'people.many': LABEL_REASON,
  'people.milestones.*': LABEL_REASON,
  'people.items.steps': LABEL_REASON,
  'people.items.steps[]': LABEL_REASON,
  'people.name': LABEL_REASON,
  'demand.results.step': LABEL_REASON,
  'watch[].name': LABEL_REASON,
  'watchPages[].name': LABEL_REASON,
  'watchPages[].click': ON_PAGE_REASON,
  'watchPages[].steps[].name': LABEL_REASON,
  'watchPages[].steps[].click': ON_PAGE_REASON,
  'watchPages[].steps[].fill.*': ON_PAGE_REASON,
  'watchPages[].steps[].title': SEARCHED_FOR_REASON,
  'watchPages[].steps[].path': SEARCHED_FOR_REASON,
  'watch[].path': SEARCHED_FOR_REASON,
  'watch[].counts': LABEL_REASON,
  'stored[].name': LABEL_REASON,
  'stored[].step': LABEL_REASON,
  'stored[].path': SEARCHED_FOR_REASON,
  'stored[].marker': SEARCHED_FOR_REASON,
  'monitors[].name': LABEL_REASON,
  'monitors[].user': SENT_UNCHANGED_REASON,
  'monitors[].password': SENT_UNCHANGED_REASON,
  'monitors[].metrics[]': SEARCHED_FOR_REASON,
  'monitors[].processes[]': 'The name of a program to read figures of. It is not run.',
  'servers.header': SEARCHED_FOR_REASON,
  'criteria[].step': LABEL_REASON,
  'criteria[].stage': LABEL_REASON,
  'trace.link': 'An address for the reader, with its host shown. It is opened by a click only.',
  'tls.ca': 'The certificate itself, not its file. It is trusted only for the hosts of this plan.',
  'tls.serverName': 'A server name sent to hosts in the list.',
  'tls.clientCertificate.certificate': 'The certificate itself, not its file. It is public.',
  'connections.localAddresses[]': 'An address of this computer, to connect from.',
  'series.machine[]': LABEL_REASON,
  'series.variants[].name': LABEL_REASON,
  'series.variants[].factors.*': LABEL_REASON,
  ...harmlessTarget('series.variants[].targets[]'),
};
