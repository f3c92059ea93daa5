import type { Given, Parsed } from './parseOptions.ts';

/** Maximum number of expanded addresses. A journey has fewer steps, so further checks report the excess. */
const MAX_ADDRESSES = 1_000;

type Pattern = readonly (readonly string[])[];

/** Expands `{a,b}` and `[1-3]` as curl does; the last pattern varies fastest. null if curl would refuse the address. */
export function globbed(address: string): string[] | null {
  const pattern = patternOf(address);
  if (pattern === null) return null;
  return pattern.reduce<string[]>(
    (made, choices) => made.flatMap((begin) => choices.map((choice) => begin + choice)).slice(0, MAX_ADDRESSES),
    [''],
  );
}

function patternOf(address: string): Pattern | null {
  const parts: string[][] = [];
  let at = 0;
  while (at < address.length) {
    const letter = address.charAt(at);
    const rest = address.slice(at, at + 2_048);
    const [list] = /^\{[^{}[\]]*\}/.exec(rest) ?? [];
    const [range] = /^\[(?!\])[^\]]*\]/.exec(rest) ?? [];
    if (letter === '\\' && /[{}[\]]/.test(rest.charAt(1))) {
      parts.push([rest.charAt(1)]);
      at += 2;
    } else if (list === '{}') return null;
    else if (list !== undefined) {
      parts.push(list.slice(1, -1).split(','));
      at += list.length;
    } else if (range !== undefined && !isAddressOfIpv6(range)) {
      const values = rangeOf(range.slice(1, -1));
      if (values === null) return null;
      parts.push(values);
      at += range.length;
    } else if (range !== undefined) {
      parts.push([range]);
      at += range.length;
    } else if (rest.startsWith('[]')) {
      parts.push([rest.slice(0, 2)]);
      at += 2;
    } else if (/[{}[\]]/.test(letter)) return null;
    else {
      const [text = letter] = /^[^{}[\]\\]+/.exec(rest) ?? [];
      parts.push([text]);
      at += text.length;
    }
  }
  return parts;
}

function isAddressOfIpv6(text: string): boolean {
  return /^\[[\da-f]*:[\da-f:.]*(%[\w-]+)?\]$/i.test(text) && text.split(':').length > 2;
}

/** Expands `1-10`, `001-100:10`, `a-z` or `a-z:2`; null if curl does not support the range. */
function rangeOf(text: string): string[] | null {
  const [, first = '', last = '', by] = /^(\d{1,9}|[A-Za-z])-(\d{1,9}|[A-Za-z])(?::(\d{1,9}))?$/.exec(text) ?? [];
  const step = Number(by ?? 1);
  if (first === '' || step < 1 || /^\d/.test(first) !== /^\d/.test(last)) return null;
  const isNumber = /^\d/.test(first);
  const from = isNumber ? Number(first) : first.charCodeAt(0);
  const to = isNumber ? Number(last) : last.charCodeAt(0);
  if (from > to) return null;
  const width = first.startsWith('0') ? first.length : 0;
  const count = Math.min(MAX_ADDRESSES, Math.floor((to - from) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = from + index * step;
    return isNumber ? String(value).padStart(width, '0') : String.fromCharCode(value);
  });
}

/** Appends the name of the file of `-T` to an address without a path or with a final slash, as curl does. */
export function withUploadName(address: string, { fields }: Parsed): string {
  const upload = fields.get('putFile')?.at(-1)?.value;
  const name = upload?.split('/').at(-1) ?? '';
  if (upload === undefined || name === '' || /^[-.]$/.test(upload)) return address;
  const [, begin = '', end = ''] = /^((?:[a-z][a-z\d+.-]*:\/\/)?[^?#]*)([^]*)$/i.exec(address) ?? [];
  const hasPath = begin.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').includes('/');
  if (hasPath && !begin.endsWith('/')) return address;
  return `${begin}${hasPath ? '' : '/'}${encodeURIComponent(name.toWellFormed())}${end}`;
}

/** Appends data to an address, after `?` or `&` if necessary. */
export function withData(address: string, query: string): string {
  const [bare = ''] = address.split('#', 1);
  const at = bare.indexOf('?');
  if (at < 0) return query === '' ? address : `${bare}?${query}`;
  return `${bare}${/[?&]$/.test(bare) ? '' : '&'}${query}`;
}

/** Returns the options for each address with its uploads, as curl pairs them. A file name with brackets expands to several uploads. */
export function uploadsByAddress(parsed: Parsed, addresses: number): Parsed[][] {
  const uploads: readonly Given[] = parsed.fields.get('putFile') ?? [];
  const uploading = (own: readonly Given[]): Parsed => {
    const fields = new Map(parsed.fields);
    if (own.length === 0) fields.delete('putFile');
    else fields.set('putFile', own);
    return { ...parsed, fields };
  };
  const nothing = uploading([]);
  return Array.from({ length: addresses }, (_, index) => {
    const own = uploads[index];
    if (own === undefined) return [nothing];
    const files = parsed.switches.has('globOff') ? null : globbed(own.value);
    return (files ?? [own.value]).map((value) => uploading([{ ...own, value }]));
  });
}
