import { getDomain } from 'tldts';
import { runTurns, type Turns } from '#core/base/turns.ts';
import { Draft, proposeUsers } from '../draft.ts';
import { MAX_NAMED_TARGETS } from '#core/plan/schema/plan.ts';
import { type Choice, type ImportResult, refuse } from '../imported.ts';
import { listAt, textAt } from '../reading.ts';
import { type Entry, readEntry } from './readEntry.ts';
import { readPolls } from './polls.ts';
import { readExchange, RecordedJourney, type RecordedPauses, describeRequests } from './recordedJourney.ts';
import { ACCOUNT_FEED, type AccountNames, accountNames, AccountValues, type RecordedAccount } from '../recording/accounts.ts';
import { DrawnTexts } from '../recording/drawnTexts.ts';
import { readNeedles } from '../recording/needlesOf.ts';
import { findPageMadeTexts } from '../recording/pageMade.ts';
import { listActions, StepNames } from '../recording/stepNames.ts';
import type { Walk } from '../recording/walk.ts';
import { LEFT_OUT_NOTE } from '../notes.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { environmentName } from '../placeholders.ts';

/** Maximum number of generated texts that a note lists. */
const MAX_LISTED_TEXTS = 5;

/** Makes a plan from a browser recording (HAR 1.2). */
export function importHar(document: unknown, hosts: readonly string[] | null): ImportResult {
  return planOfRecording(document, hosts === null ? {} : { hosts }).result;
}

export interface RecordingOptions {
  /** The accounts that logged in, without passwords: the recording has placeholders for them. */
  readonly accounts?: readonly RecordedAccount[];
  /**
   * A file with the columns `username` and `password`, from which each user takes a row. If omitted, all users share the recorded account.
   */
  readonly accountsFile?: string;
  /** Whether each row of the file may be used only once. */
  readonly accountsOnce?: boolean;
  readonly pauses?: RecordedPauses;
  /** The servers whose requests are imported; omitted: the server of the first page. */
  readonly hosts?: readonly string[];
  /** Texts that the person entered and that each journey generates anew, wherever they are sent. */
  readonly unique?: readonly string[];
}

/** A plan with the data from which it was made. The data are kept only in memory. */
export interface PlanOfRecording {
  readonly result: ImportResult;
  /** What the person did, by step name. */
  readonly walk: Walk;
  /** The names of accounts in the plan. */
  readonly accounts: readonly AccountNames[];
}

/** Makes a plan from a recording that may contain user actions and password placeholders. */
export function planOfRecording(document: unknown, options: RecordingOptions = {}): PlanOfRecording {
  return runTurns(planInTurns(document, options));
}

/** Makes a plan like {@link planOfRecording}, and yields so that other work can run. */
export function* planInTurns(document: unknown, options: RecordingOptions = {}): Turns<PlanOfRecording> {
  const accounts = new AccountValues(options.accounts ?? [], options.accountsFile !== undefined);
  const parts = {
    names: new StepNames(listActions(document)),
    accounts,
    drawn: new DrawnTexts(options.unique ?? []),
    pauses: options.pauses ?? 'recorded',
  };
  const { result, walk } = yield* buildJourney(document, parts, options);
  return { result, walk, accounts: accounts.names() };
}

type Parts = Omit<ConstructorParameters<typeof RecordedJourney>[2], 'needles' | 'origin'>;

function* buildJourney(
  document: unknown,
  parts: Parts,
  { accounts = [], accountsFile, accountsOnce = false, hosts }: RecordingOptions,
): Turns<{ result: ImportResult; walk: Walk }> {
  const draft = new Draft('har');
  if (accountsFile === undefined) nameAccounts(draft, accounts);
  const selection = selectEntries(document, draft, hosts);
  if ('refusal' in selection) return { walk: [], result: selection.refusal };
  const { entries, choices, isTaken, taken, origin } = selection;
  const withoutResponse = entries.filter(({ hasResponse }) => !hasResponse).length;
  if (withoutResponse > 0)
    draft.noteAssumed(
      'log.entries',
      `${describeRequests(withoutResponse, 'has', 'have')} no recorded response.`,
      'They are sent as recorded. Values from earlier responses cannot be recognized.',
    );
  const own = hosts === undefined ? entries.filter((entry) => entry.address.origin === origin) : taken;
  noteOthers(draft, hosts === undefined ? entries : entries.filter((entry) => !isTaken.has(entry.address.origin)), origin);
  const needles = yield* readNeedles(own.map(readExchange));
  const journey = new RecordedJourney(draft, listSameSiteHosts(entries, origin), {
    ...parts,
    needles,
    ...(hosts === undefined ? {} : { origin }),
  });
  const inOrder = sortByTime(own);
  yield* declareDrawn(draft, parts.drawn, sortByTime(entries));
  const polls = readPolls(inOrder);
  for (const [index, entry] of inOrder.entries()) {
    yield;
    const poll = polls.get(entry);
    if (poll != null) journey.takePoll(entry, poll);
    else if (poll === undefined && !isChallenge(entry, inOrder.slice(index + 1, index + 20))) journey.take(entry);
  }
  journey.end();
  noteAccounts(draft, parts.accounts, accounts, accountsFile === undefined ? null : { file: accountsFile, isOnce: accountsOnce });
  noteDrawn(draft, parts.drawn);
  if (isSanitized(document, entries)) {
    journey.keepsCookies = true;
    draft.noteAssumed(
      'log',
      'The recording contains no cookies and no logins. Browsers leave them out unless you save sensitive data.',
      'Each user keeps the cookies that the server sets. For an Authorization header, edit the plan, or record again with sensitive data.',
    );
  }
  draft.noteAssumed('load', 'A recording defines no load.', 'Proposed: ten users who repeat it for a minute, with the recorded pauses.');
  const result = draft.finish({
    name: `Recording of ${new URL(origin).host}`,
    targets: [journey.target(origin)],
    load: proposeUsers(),
    ...(journey.keepsCookies ? { settings: { cookies: 'journey' as const } } : {}),
  });
  const isOffered = result.kind === 'imported' && choices.length > 1;
  return { result: isOffered ? { ...result, imported: { ...result.imported, choices, chooses: 'hosts' } } : result, walk: journey.walk };
}

interface Selection {
  /** All requests of the recording. */
  readonly entries: readonly Entry[];
  readonly choices: readonly Choice[];
  /** The origins of the wanted hosts, and the requests to them. */
  readonly isTaken: ReadonlySet<string>;
  readonly taken: readonly Entry[];
  /** The recorded server. */
  readonly origin: string;
}

/** Returns the requests to the wanted hosts, or why there are none. */
function selectEntries(
  document: unknown,
  draft: Draft,
  hosts: readonly string[] | undefined,
): Selection | { readonly refusal: ImportResult } {
  const written = listAt(document, 'log', 'entries');
  const entries = written.map(readEntry).filter((entry) => entry !== null);
  if (entries.length < written.length)
    draft.noteLeftOut(
      'log.entries',
      `${describeRequests(written.length - entries.length, 'has', 'have')} no http or https address (data:, blob:, ws:).`,
      LEFT_OUT_NOTE,
    );
  const hasPages = listAt(document, 'log', 'pages').length > 0;
  const choices = choicesAmong(entries, hasPages, hosts);
  const unknownHost = hosts?.find((host) => host !== 'all' && !choices.some(({ id }) => id === host));
  if (unknownHost !== undefined)
    return {
      refusal: refuse(
        'NO_SUCH_HOST',
        '',
        `The recording has no requests to ${unknownHost.slice(0, 100)}.`,
        `It has: ${choices
          .map(({ id }) => id)
          .join(', ')
          .slice(0, 300)}.`,
      ),
    };
  const ids = new Set(choices.flatMap((choice) => (choice.isTaken ? [choice.id] : [])));
  const isTaken = new Set([...new Set(entries.map(({ address }) => address.origin))].filter((one) => ids.has(idOf(one))));
  const taken = hosts === undefined ? entries : entries.filter(({ address }) => isTaken.has(address.origin));
  const origin = findOwnOrigin(taken, hasPages);
  if (origin === null)
    return {
      refusal: refuse(
        'NO_REQUESTS',
        'log.entries',
        'The recording contains no http or https request.',
        'Open the browser’s developer tools, record on the tab “Network”, and save as HAR.',
        draft.notes,
      ),
    };
  return { entries, choices, isTaken, taken, origin };
}

/** Returns whether the server asked for HTTP Basic credentials and the browser repeated the request with them. */
function isChallenge({ status, method, url, responseHeaders }: Entry, later: readonly Entry[]): boolean {
  return (
    status === 401 &&
    responseHeaders.some(([name]) => /^www-authenticate$/i.test(name)) &&
    later.some((entry) => entry.method === method && entry.url === url && entry.headers.some(([name]) => /^authorization$/i.test(name)))
  );
}

/** Declares the names and passwords of accounts; a password is a secret. The finished plan omits those that no step uses. */
function nameAccounts(draft: Draft, accounts: readonly RecordedAccount[]): void {
  for (const { number, userName } of accounts) {
    const { user, password, basic } = accountNames(number);
    draft.variable(user, { kind: 'item', of: [userName], per: 'user' });
    for (const name of [password, basic]) draft.variable(name, { kind: 'secret', secret: envReference(environmentName(name)) });
  }
}

interface AccountList {
  readonly file: string;
  readonly isOnce: boolean;
}

/** Notes the accounts: a file gives each user an account; without a file, all users share the recorded account. */
function noteAccounts(draft: Draft, accounts: AccountValues, recordedAccounts: readonly RecordedAccount[], list: AccountList | null): void {
  const names = accounts.names();
  if (names.length === 0) return;
  if (list !== null) {
    const { file, isOnce } = list;
    draft.feed(ACCOUNT_FEED, { file, order: isOnce ? 'once' : 'sequential' });
    draft.noteChanged(
      'log',
      'The recording contains a login.',
      `Each ${isOnce ? 'journey takes an unused' : 'user takes the next'} row of ${file.slice(0, 200)}.`,
    );
    return;
  }
  // A recording that was read from a file does not list the accounts.
  for (const { number, password, basic } of names)
    if (!recordedAccounts.some((one) => one.number === number))
      for (const name of basic === null ? [password] : [password, basic])
        draft.variable(name, { kind: 'secret', secret: envReference(environmentName(name)) });
  const secrets = names.flatMap(({ password, basic, asksPassword }) => [
    ...(asksPassword ? [password] : []),
    ...(basic === null ? [] : [basic]),
  ]);
  const asked = secrets.map(environmentName);
  if (recordedAccounts.length > 0) draft.noteReference('log', 'All users share the account that you logged in with.', asked);
  else
    draft.noteChanged(
      'log',
      'The recording contains a login, but not its password.',
      `Set ${asked.join(' and ')} in the environment that Holdfast starts in.`,
    );
}

/** Declares the texts that the person marked as unique, and the texts generated by pages, before a capture can take their names. */
function* declareDrawn(draft: Draft, drawn: DrawnTexts, entries: readonly Entry[]): Turns<void> {
  drawn.noteSpellings(entries.map(({ url, body }) => `${url}\n${body?.text ?? ''}\n${(body?.params ?? []).flat().join('\n')}`).join('\n'));
  for (const name of drawn.names()) draft.variable(name, { kind: 'uuid' });
  const made = yield* findPageMadeTexts(entries, (text) => drawn.has(text));
  for (const { text, name, per } of made) drawn.add(text, draft.variable(name, { kind: 'uuid', per }));
}

/** Notes the texts that each journey generates anew. */
function noteDrawn(draft: Draft, drawn: DrawnTexts): void {
  const found = drawn.listUsedTexts();
  for (const { text, name, isMade } of found)
    if (!isMade)
      draft.noteChanged('log', `“${text.slice(0, 60)}” has to be unique.`, `Each journey sends another text in its place: {{${name}}}.`);
  const made = found.filter(({ isMade }) => isMade);
  const names = [...new Set(made.map(({ name }) => `{{${name}}}`))];
  if (made.length === 0) return;
  const named = `${names.slice(0, MAX_LISTED_TEXTS).join(', ')}${names.length > MAX_LISTED_TEXTS ? ' …' : ''}`;
  draft.noteChanged(
    'log',
    `The pages made ${made.length === 1 ? 'a UUID' : `${made.length} UUIDs`}.`,
    `The plan makes new ones: ${named}.`,
  );
}

function sortByTime(entries: readonly Entry[]): readonly Entry[] {
  return entries.every(({ startMs }) => startMs !== null)
    ? entries.toSorted((one, other) => (one.startMs ?? 0) - (other.startMs ?? 0))
    : entries;
}

const SENSITIVE_HEADER_PATTERN = /^(cookie|authorization)$/i;

/** Returns whether Chromium’s DevTools removed cookies and logins, which they do by default. */
function isSanitized(document: unknown, entries: readonly Entry[]): boolean {
  return (
    textAt(document, 'log', 'creator', 'name') === 'WebInspector' &&
    entries.every(
      ({ headers, responseHeaders }) =>
        !headers.some(([name]) => SENSITIVE_HEADER_PATTERN.test(name)) && !responseHeaders.some(([name]) => /^set-cookie$/i.test(name)),
    )
  );
}

/**
 * Returns the origin of the first page that the person opened. Advertising frames are pages, too: if the recording does not list pages, the
 * origin with most requests wins.
 */
function findOwnOrigin(entries: readonly Entry[], hasPages: boolean): string | null {
  const counts = new Map<string, number>();
  for (const { address } of entries) counts.set(address.origin, (counts.get(address.origin) ?? 0) + 1);
  const isGood = ({ status }: Entry): boolean => status >= 200 && status < 300;
  const pages = entries.filter(({ kind }) => kind.is === 'page');
  const candidates = [pages.filter(isGood), pages, entries].find((list) => list.length > 0) ?? [];
  if (hasPages && pages.length > 0) return candidates[0]?.address.origin ?? null;
  const byCount = candidates.toSorted((one, other) => (counts.get(other.address.origin) ?? 0) - (counts.get(one.address.origin) ?? 0));
  return byCount[0]?.address.origin ?? null;
}

/** Returns the registrable domain: `shop.co.uk` and `ads.co.uk` are different sites. A host without one is its own site. */
function findDomain(origin: string): string {
  const { hostname } = new URL(origin);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** Returns the id of a server for choices. */
function idOf(origin: string): string {
  return origin.startsWith('https:') ? new URL(origin).host : origin;
}

/** Returns the servers of the site that can be chosen: that of the first page, and servers with requests for more than files. */
function choicesAmong(entries: readonly Entry[], hasPages: boolean, hosts: readonly string[] | undefined): Choice[] {
  const main = findOwnOrigin(entries, hasPages);
  if (main === null) return [];
  const counts = new Map<string, number>([[main, 0]]);
  for (const { address, kind } of entries)
    if ((kind.is !== 'resource' && kind.is !== 'preflight' && findDomain(address.origin) === findDomain(main)) || address.origin === main)
      counts.set(address.origin, (counts.get(address.origin) ?? 0) + 1);
  return [...counts].slice(0, MAX_NAMED_TARGETS + 1).map(([origin, count]) => {
    const id = idOf(origin);
    const isTaken = hosts === undefined ? origin === main : hosts.includes(id) || hosts.includes('all');
    return { id, label: `${id} (${count === 1 ? '1 request' : `${count} requests`})`, isTaken };
  });
}

function listSameSiteHosts(entries: readonly Entry[], origin: string): string[] {
  const hosts = entries.flatMap(({ address, kind }) =>
    kind.is === 'resource' && address.origin !== origin && findDomain(address.origin) === findDomain(origin)
      ? [new URL(address.origin).host]
      : [],
  );
  return [...new Set(hosts)].slice(0, 50);
}

function noteOthers(draft: Draft, entries: readonly Entry[], origin: string): void {
  const others = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.address.origin === origin) continue;
    const { host, hostname } = new URL(entry.address.origin);
    // For the same host, the full origin is needed to distinguish http and https.
    const label =
      hostname === new URL(origin).hostname && new URL(entry.address.origin).protocol !== new URL(origin).protocol
        ? entry.address.origin
        : host;
    const list = others.get(label);
    if (list === undefined) others.set(label, [entry]);
    else list.push(entry);
  }
  for (const [host, list] of others) {
    const count = describeRequests(list.length, 'is', 'are');
    const isOwn = findDomain(list[0]?.address.origin ?? origin) === findDomain(origin);
    const isFetched = isOwn && list.some(({ kind }) => kind.is === 'resource');
    const what = `${count} for ${host}, ${isOwn ? 'another server of the same site' : 'which belongs to someone else'}.`;
    if (isFetched)
      draft.noteChanged('log.entries', what, 'Files that pages link to there are fetched. Other requests to it were left out.');
    else
      draft.noteLeftOut(
        'log.entries',
        what,
        isOwn ? 'To take them along, choose this server, too (--hosts).' : 'Test only your own servers.',
      );
  }
}
