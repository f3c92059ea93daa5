import { type Field, FieldIndex } from './dynamicTable.ts';

/** The static table (RFC 7541, appendix A). Its index starts at 1. */
const STATIC_ENTRIES: readonly (readonly [name: string, value?: string])[] = [
  [':authority'],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset'],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language'],
  ['accept-ranges'],
  ['accept'],
  ['access-control-allow-origin'],
  ['age'],
  ['allow'],
  ['authorization'],
  ['cache-control'],
  ['content-disposition'],
  ['content-encoding'],
  ['content-language'],
  ['content-length'],
  ['content-location'],
  ['content-range'],
  ['content-type'],
  ['cookie'],
  ['date'],
  ['etag'],
  ['expect'],
  ['expires'],
  ['from'],
  ['host'],
  ['if-match'],
  ['if-modified-since'],
  ['if-none-match'],
  ['if-range'],
  ['if-unmodified-since'],
  ['last-modified'],
  ['link'],
  ['location'],
  ['max-forwards'],
  ['proxy-authenticate'],
  ['proxy-authorization'],
  ['range'],
  ['referer'],
  ['refresh'],
  ['retry-after'],
  ['server'],
  ['set-cookie'],
  ['strict-transport-security'],
  ['transfer-encoding'],
  ['user-agent'],
  ['vary'],
  ['via'],
  ['www-authenticate'],
];

export const STATIC_FIELDS: readonly Field[] = STATIC_ENTRIES.map(([name, value = '']) => ({ name, value }));
/** Number of entries in the static table. The index of the dynamic table starts after them. */
export const STATIC_COUNT = STATIC_FIELDS.length;

/** Positions of fields and names in the static table, from 0. The position of a name with several values is that of the first. */
export const STATIC_INDEX = new FieldIndex();
for (let index = STATIC_COUNT - 1; index >= 0; index -= 1) {
  const field = STATIC_FIELDS[index];
  if (field !== undefined) STATIC_INDEX.add(field, index);
}
