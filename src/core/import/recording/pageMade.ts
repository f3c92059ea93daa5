import type { Turns } from '#core/base/turns.ts';
import type { Entry } from '../har/readEntry.ts';

/** A UUID that the script of a page made up. */
interface MadeText {
  readonly text: string;
  /** How a plan calls it. Of what one request alone sent, each request draws its own under the same name. */
  readonly name: string;
  readonly per: 'journey' | 'request';
}

/** One of time or of chance, as scripts make them: versions 3 and 5 are made of a name and always the same. */
const UUID = /(?<![\w-])[\da-f]{8}-[\da-f]{4}-[1467][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\w-])/g;
/** A plan with more of them is none that a person reads. */
const MOST = 100;

/**
 * UUIDs that requests sent and that nothing had brought before: no response of any server, no script, no cookie. A page made them, for a block of a text or an order, and
 * another page would have made others. `entries` are in the order of their time; `isNamed`: a person said that it has to be unique.
 */
export function* madeByPage(entries: readonly Entry[], isNamed: (text: string) => boolean): Turns<MadeText[]> {
  const brought = new Set<string>();
  /** The how-manieth of the only request that sent it; null where several did. */
  const made = new Map<string, number | null>();
  // Of a page that leads on at once, a recording may lack files: another page has them, too.
  const files = new Map(
    entries.flatMap(({ kind, url, answerText }) => (kind.is === 'resource' && answerText !== null ? [[url, answerText] as const] : [])),
  );
  let isUnread = false;
  for (const entry of entries) {
    yield;
    for (const uuid of uuidsIn(cookiesOf(entry))) brought.add(uuid);
    let order = 0;
    for (const uuid of uuidsIn(sentBy(entry))) {
      if (made.has(uuid)) made.set(uuid, null);
      else if (!brought.has(uuid) && !isUnread && !isNamed(uuid) && made.size < MOST) {
        made.set(uuid, order);
        order += 1;
      }
    }
    for (const uuid of keptAsWritten(entry)) {
      brought.add(uuid);
      made.delete(uuid);
    }
    for (const uuid of uuidsIn(`${entry.answerHeaders.flat().join('\n')}\n${entry.answerText ?? files.get(entry.url) ?? ''}`))
      brought.add(uuid);
    isUnread ||= isLost(entry);
  }
  const kept = [...made].filter(([, order]) => order === null);
  return [...made].map(([text, order]) =>
    order === null
      ? {
          text,
          name: numbered(
            'new_id',
            kept.findIndex(([one]) => one === text),
          ),
          per: 'journey',
        }
      : { text, name: numbered('request_id', order), per: 'request' },
  );
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}_${index + 1}`;
}

function uuidsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(UUID) ?? []);
}

function cookiesOf({ headers }: Entry): string {
  return headers.flatMap(([name, value]) => (/^cookie$/i.test(name) ? [value] : [])).join('\n');
}

function sentBy({ url, headers, body }: Entry): string {
  const said = headers.flatMap(([name, value]) => (/^(cookie|content-type|referer)$/i.test(name) ? [] : [value]));
  const fields = body === null ? [] : [decoded(body.text), ...body.params.map(([, value]) => value)];
  return [decoded(url), ...said, ...fields].join('\n');
}

/** `%22` beside a UUID would be a part of it. */
function decoded(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/gi, ' ');
}

/** In names of members, in cookies of scripts and over a WebSocket, a plan sends what was recorded: one that stands there is the same everywhere. */
function keptAsWritten({ body, said }: Entry): string[] {
  const names = (body?.text ?? '').match(/"[^"]{36,200}"\s*:/g) ?? [];
  return [...names, ...(body?.params ?? []).map(([name]) => name), ...said.map(({ text }) => text)].flatMap((text) => [...uuidsIn(text)]);
}

/** A page or the like that may have brought anything, and is not in the recording. Files are the same for everybody, and seldom hold a UUID. */
function isLost({ answerText, answerType, status, kind, hasAnswer }: Entry): boolean {
  if (answerText !== null || (kind.is !== 'page' && kind.is !== 'call')) return false;
  return !hasAnswer || (status >= 200 && status < 300 && status !== 204 && /html|json/i.test(answerType));
}
