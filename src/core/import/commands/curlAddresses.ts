import { sequence } from '../shells/expansion.ts';
import type { ParsedOptions } from './parseOptions.ts';

/** Maximum number of expanded addresses. It exceeds the number of steps of a journey, so the later check of the steps reports an excess. */
const MAX_ADDRESSES = 1_000;

/** Matches the parts of an address with patterns: an escaped bracket, a list, an IPv6 address or empty brackets, a range, and text. */
const ADDRESS_PART_PATTERN =
  /\\([{}[\]])|\{([^{}[\]]+)\}|(\[(?=[\da-f]*:[^\]]*:)[\da-f:.]*(?:%[\w-]+)?\]|\[\])|\[([^\]]+)\]|([^{}[\]\\]+|\\)/giy;

/** Expands `{a,b}` and `[1-3]` as curl does; the last pattern varies fastest. Returns null if curl would refuse the address. */
export function expandGlobs(address: string): string[] | null {
  let addresses = [''];
  let end = 0;
  for (const { 0: whole, 1: escaped, 2: list, 3: brackets, 4: range, 5: text, index } of address.matchAll(ADDRESS_PART_PATTERN)) {
    const choices = list?.split(',') ?? (range === undefined ? [escaped ?? brackets ?? text ?? ''] : rangeOf(range));
    if (choices === null) return null;
    addresses = addresses.flatMap((begin) => choices.map((choice) => begin + choice)).slice(0, MAX_ADDRESSES);
    end = index + whole.length;
  }
  return end < address.length ? null : addresses;
}

/** Expands `1-10`, `001-100:10`, `a-z` or `a-z:2`; returns null if curl does not support the range. */
function rangeOf(text: string): string[] | null {
  const [, first = '', last = '', by] = /^(\d{1,9}|[A-Za-z])-(\d{1,9}|[A-Za-z])(?::(\d{1,9}))?$/.exec(text) ?? [];
  const step = Number(by ?? 1);
  if (first === '' || step < 1 || /^\d/.test(first) !== /^\d/.test(last)) return null;
  const isNumber = /^\d/.test(first);
  const [from = 0, to = 0] = [first, last].map((end) => (isNumber ? Number(end) : end.charCodeAt(0)));
  if (from > to) return null;
  const width = first.startsWith('0') ? first.length : 0;
  return sequence(from, to, step).map((value) => (isNumber ? String(value).padStart(width, '0') : String.fromCharCode(value)));
}

/** Appends the name of the file of `-T` to an address without a path or with a final slash, as curl does. */
export function appendUploadName(address: string, parsed: ParsedOptions): string {
  const upload = parsed.value('putFile');
  const name = upload?.split('/').at(-1) ?? '';
  if (upload === undefined || name === '' || /^[-.]$/.test(upload)) return address;
  const [, begin = '', end = ''] = /^((?:[a-z][a-z\d+.-]*:\/\/)?[^?#]*)([^]*)$/i.exec(address) ?? [];
  const hasPath = begin.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').includes('/');
  if (hasPath && !begin.endsWith('/')) return address;
  return `${begin}${hasPath ? '' : '/'}${encodeURIComponent(name.toWellFormed())}${end}`;
}

/** Appends data to an address, after `?` or `&` if necessary. */
export function appendData(address: string, query: string): string {
  const [bare = ''] = address.split('#', 1);
  if (!bare.includes('?')) return query === '' ? address : `${bare}?${query}`;
  return `${bare}${/[?&]$/.test(bare) ? '' : '&'}${query}`;
}

/**
 * Returns the options for each address with its uploads, paired as curl pairs them. A file name with brackets expands to several uploads.
 */
export function uploadsByAddress(parsed: ParsedOptions, addresses: number): ParsedOptions[][] {
  const uploads = parsed.all('putFile');
  return Array.from({ length: addresses }, (_, index) => {
    const own = uploads[index];
    if (own === undefined) return [parsed.uploading([])];
    const files = parsed.has('globOff') ? null : expandGlobs(own.value);
    return (files ?? [own.value]).map((value) => parsed.uploading([{ ...own, value }]));
  });
}
