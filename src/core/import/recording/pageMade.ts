import type { Turns } from '#core/base/turns.ts';
import type { Entry } from '../har/readEntry.ts';

interface GeneratedText {
  readonly text: string;
  /** Name of the variable. UUIDs that only one request sends share their names, and each request draws new ones. */
  readonly name: string;
  readonly per: 'journey' | 'request';
}

/**
 * Matches UUIDs made from time or chance, as scripts generate them. Versions 3 and 5 are excluded: they are derived from a name and always
 * the same.
 */
const UUID_PATTERN = /(?<![\w-])[\da-f]{8}-[\da-f]{4}-[1467][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\w-])/g;
/** Maximum number of generated UUIDs, because a plan with more would be unreadable. */
const MAX_UUIDS = 100;

/**
 * Finds UUIDs in requests that no earlier response, script or cookie contains. A script of the page generated them, for example for a text
 * block or an order, and generates new ones each time. `entries` are in order of time. `isNamed`: whether a person declared the text as
 * unique.
 */
export function* findPageMadeTexts(entries: readonly Entry[], isNamed: (text: string) => boolean): Turns<GeneratedText[]> {
  const brought = new Set<string>();
  /** Position of the UUID within the only request that sent it; null if several requests sent it. */
  const made = new Map<string, number | null>();
  // Another page may have loaded the same files, because a recording may lack the files of a page that redirects at once.
  const files = new Map(
    entries.flatMap(({ kind, url, responseText }) =>
      kind.is === 'resource' && responseText !== null ? [[url, responseText] as const] : [],
    ),
  );
  let isUnread = false;
  for (const entry of entries) {
    yield;
    for (const uuid of findUuids(cookiesOf(entry))) brought.add(uuid);
    let order = 0;
    for (const uuid of findUuids(sentText(entry))) {
      if (made.has(uuid)) made.set(uuid, null);
      else if (!brought.has(uuid) && !isUnread && !isNamed(uuid) && made.size < MAX_UUIDS) {
        made.set(uuid, order);
        order += 1;
      }
    }
    for (const uuid of listVerbatimTexts(entry)) {
      brought.add(uuid);
      made.delete(uuid);
    }
    for (const uuid of findUuids(`${entry.responseHeaders.flat().join('\n')}\n${entry.responseText ?? files.get(entry.url) ?? ''}`))
      brought.add(uuid);
    isUnread ||= isLost(entry);
  }
  const kept = [...made].filter(([, order]) => order === null);
  return [...made].map(([text, order]) =>
    order === null
      ? {
          text,
          name: numberedName(
            'new_id',
            kept.findIndex(([one]) => one === text),
          ),
          per: 'journey',
        }
      : { text, name: numberedName('request_id', order), per: 'request' },
  );
}

function numberedName(name: string, index: number): string {
  return index === 0 ? name : `${name}_${index + 1}`;
}

function findUuids(text: string): ReadonlySet<string> {
  return new Set(text.match(UUID_PATTERN) ?? []);
}

function cookiesOf({ headers }: Entry): string {
  return headers.flatMap(([name, value]) => (/^cookie$/i.test(name) ? [value] : [])).join('\n');
}

function sentText({ url, headers, body }: Entry): string {
  const headerValues = headers.flatMap(([name, value]) => (/^(cookie|content-type|referer)$/i.test(name) ? [] : [value]));
  const fields = body === null ? [] : [decode(body.text), ...body.params.map(([, value]) => value)];
  return [decode(url), ...headerValues, ...fields].join('\n');
}

/** Replaces percent-encoded characters with spaces. Without this, the digits of `%22` beside a UUID would look like a part of it. */
function decode(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/gi, ' ');
}

/**
 * Returns UUIDs in names of members and fields and in WebSocket messages. A plan sends these texts as recorded, so the UUIDs must not
 * change.
 */
function listVerbatimTexts({ body, sentMessages }: Entry): string[] {
  const names = (body?.text ?? '').match(/"[^"]{36,200}"\s*:/g) ?? [];
  return [...names, ...(body?.params ?? []).map(([name]) => name), ...sentMessages.map(({ text }) => text)].flatMap((text) => [
    ...findUuids(text),
  ]);
}

/**
 * Returns whether a page or call has no recorded response, which may have contained any UUID. Files do not count, because they seldom
 * contain a UUID.
 */
function isLost({ responseText, responseType, status, kind, hasResponse }: Entry): boolean {
  if (responseText !== null || (kind.is !== 'page' && kind.is !== 'call')) return false;
  return !hasResponse || (status >= 200 && status < 300 && status !== 204 && /html|json/i.test(responseType));
}
