import { visibleLine } from '#core/base/text.ts';
import { type Ask, askKey, isPublic } from './ask.ts';
import type { AskKind, Purpose } from './fields.ts';

/** Headings of lists of permissions, by kind. */
export const KIND_WORDS: Readonly<Record<AskKind, string>> = {
  host: 'Connects to',
  socket: 'Opens Unix sockets',
  ssh: 'Connects by SSH',
  file: 'Reads from this computer',
  env: 'Reads environment variables',
  query: 'Queries databases',
  command: 'Runs on this computer',
};

const PURPOSE_WORDS: Readonly<Record<Purpose, string>> = {
  load: 'sends load to it',
  place: 'sends load from there',
  sideCall: 'sends requests beside the load',
  page: 'fetches files that pages link to',
  feed: 'uses it as a list of values',
  request: 'sends it with requests',
  certificate: 'uses it with the client certificate',
  monitor: 'reads figures',
  database: 'watches a database',
  watch: 'reads a number',
  visit: 'opens a page in a browser, and what the page loads',
  stored: 'counts stored records',
  rows: 'counts rows in a database',
  populate: 'creates or removes data',
  series: 'runs it before or after the runs of a series',
};

/** Maximum number of plan paths that are listed per permission. */
const MAX_LISTED_PATHS = 3;

/** Formats a permission in one line: its printable name, its purposes and its plan paths. */
export function askLine(ask: Ask): string {
  return `${visibleLine(ask.name)}${isPublic(ask) ? ' (public)' : ''}: ${formatPurposes(ask)} [${placesOf(ask)}]`;
}

/** Describes the purposes of a permission. The note that a database is only read is added once, at the end. */
export function formatPurposes({ uses }: Ask): string {
  const purposes = [...new Set(uses.map((use) => use.for))].toSorted(
    (one, other) => Number(isDatabasePurpose(one)) - Number(isDatabasePurpose(other)),
  );
  const words = purposes.map((purpose) => PURPOSE_WORDS[purpose]).join(', ');
  return purposes.some(isDatabasePurpose) ? `${words} (only reads, never writes)` : words;
}

function isDatabasePurpose(purpose: Purpose): boolean {
  return purpose === 'database' || purpose === 'rows';
}

/** Lists the first plan paths of a permission. */
export function placesOf({ uses }: Ask): string {
  const named = uses.slice(0, MAX_LISTED_PATHS).map(({ path }) => visibleLine(path));
  return uses.length > MAX_LISTED_PATHS ? `${named.join(', ')} and ${uses.length - MAX_LISTED_PATHS} more` : named.join(', ');
}

/** Groups permissions by kind, in display order. */
export function groupAsks(asks: readonly Ask[]): { readonly kind: AskKind; readonly asks: readonly Ask[] }[] {
  return [...Map.groupBy(asks, ({ kind }) => kind)].map(([kind, all]) => ({ kind, asks: all }));
}

/** Returns a permission's key in printable form. */
export function visibleKey(ask: Pick<Ask, 'kind' | 'name'>): string {
  return visibleLine(askKey(ask));
}
