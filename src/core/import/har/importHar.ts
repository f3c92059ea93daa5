import { getDomain } from 'tldts';
import { Draft, proposedUsers } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import { listAt, textAt } from '../reading.ts';
import { type Entry, readEntry } from './readEntry.ts';
import { RecordedJourney, requests } from './recordedJourney.ts';
import { THEY_WERE_LEFT_OUT } from '../notes.ts';

/** Makes a journey of the recording of a browser (HAR 1.2). */
export function importHar(document: unknown): ImportResult {
  const draft = new Draft('har');
  const written = listAt(document, 'log', 'entries');
  const entries = written.map(readEntry).filter((entry) => entry !== null);
  if (entries.length < written.length)
    draft.leftOut(
      'log.entries',
      `${requests(written.length - entries.length, 'has', 'have')} no address of http or https (data:, blob:, ws:).`,
      THEY_WERE_LEFT_OUT,
    );
  const origin = ownOrigin(entries, listAt(document, 'log', 'pages').length > 0);
  if (origin === null)
    return refuse(
      'NO_REQUESTS',
      'log.entries',
      'The recording holds no request of http or https.',
      'Record with the page “Network” of the browser’s tools open, then save it as HAR.',
      draft.notes,
    );
  const unanswered = entries.filter(({ hasAnswer }) => !hasAnswer).length;
  if (unanswered > 0)
    draft.assumed(
      'log.entries',
      `${requests(unanswered, 'stands', 'stand')} in it without an answer.`,
      'They are sent as they stand: what earlier answers gave to them cannot be seen.',
    );
  const own = entries.filter((entry) => entry.address.origin === origin);
  noteOthers(draft, entries, origin);
  const journey = new RecordedJourney(draft, sameSiteHosts(entries, origin));
  const inOrder = own.every(({ startMs }) => startMs !== null)
    ? own.toSorted((one, other) => (one.startMs ?? 0) - (other.startMs ?? 0))
    : own;
  for (const entry of inOrder) journey.take(entry);
  journey.end();
  if (isSanitized(document, entries)) {
    journey.keepsCookies = true;
    draft.assumed(
      'log',
      'The recording holds no cookies and no logins: the browser leaves them out, unless it is told to save sensitive data.',
      'Each user keeps the cookies that the server sets. What a header Authorization should say has to be written into the plan, or recorded again with sensitive data.',
    );
  }
  draft.assumed(
    'load',
    'A recording says no load.',
    'Ten users are proposed, who walk through it for a minute with the pauses of the recording.',
  );
  return draft.finish({
    name: `Recording of ${new URL(origin).host}`,
    targets: [journey.target(origin)],
    load: proposedUsers(),
    ...(journey.keepsCookies ? { settings: { cookies: 'journey' as const } } : {}),
  });
}

const SENSITIVE = /^(cookie|authorization)$/i;

/** Chromium’s tools write it so, unless they are told otherwise. */
function isSanitized(document: unknown, entries: readonly Entry[]): boolean {
  return (
    textAt(document, 'log', 'creator', 'name') === 'WebInspector' &&
    entries.every(
      ({ headers, answerHeaders }) =>
        !headers.some(([name]) => SENSITIVE.test(name)) && !answerHeaders.some(([name]) => /^set-cookie$/i.test(name)),
    )
  );
}

/**
 * Where the first page lay that the person opened. Frames of advertisers are pages, too: where the recording does not tell the two apart, the one
 * counts whose server most requests went to.
 */
function ownOrigin(entries: readonly Entry[], hasPages: boolean): string | null {
  const counts = new Map<string, number>();
  for (const { address } of entries) counts.set(address.origin, (counts.get(address.origin) ?? 0) + 1);
  const isGood = ({ status }: Entry): boolean => status >= 200 && status < 300;
  const pages = entries.filter(({ kind }) => kind.is === 'page');
  const candidates = [pages.filter(isGood), pages, entries].find((list) => list.length > 0) ?? [];
  if (hasPages && pages.length > 0) return candidates[0]?.address.origin ?? null;
  const byCount = candidates.toSorted((one, other) => (counts.get(other.address.origin) ?? 0) - (counts.get(one.address.origin) ?? 0));
  return byCount[0]?.address.origin ?? null;
}

/** The domain that its owner has registered: `shop.co.uk` and `ads.co.uk` are two sites. A name without one is its own. */
function siteOf(origin: string): string {
  const { hostname } = new URL(origin);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

function sameSiteHosts(entries: readonly Entry[], origin: string): string[] {
  const hosts = entries.flatMap(({ address, kind }) =>
    kind.is === 'resource' && address.origin !== origin && siteOf(address.origin) === siteOf(origin) ? [new URL(address.origin).host] : [],
  );
  return [...new Set(hosts)].slice(0, 50);
}

function noteOthers(draft: Draft, entries: readonly Entry[], origin: string): void {
  const others = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.address.origin === origin) continue;
    const { host, hostname } = new URL(entry.address.origin);
    // Of one machine, only the beginning of the address tells http from https.
    const told =
      hostname === new URL(origin).hostname && new URL(entry.address.origin).protocol !== new URL(origin).protocol
        ? entry.address.origin
        : host;
    const list = others.get(told);
    if (list === undefined) others.set(told, [entry]);
    else list.push(entry);
  }
  for (const [host, list] of others) {
    const count = requests(list.length, 'goes', 'go');
    const isOwn = siteOf(list[0]?.address.origin ?? origin) === siteOf(origin);
    const isFetched = isOwn && list.some(({ kind }) => kind.is === 'resource');
    const what = `${count} to ${host}, ${isOwn ? 'another server of the same site' : 'which is somebody else’s'}.`;
    if (isFetched) draft.changed('log.entries', what, 'What pages link to there is fetched with them; other requests to it were left out.');
    else
      draft.leftOut(
        'log.entries',
        what,
        isOwn ? 'It was left out: a journey has one server. Make a plan of its own for it.' : 'It was left out: test only what is yours.',
      );
  }
}
