/** A request body in HAR format. It has the names, types and sizes of files, but not their contents. */
export interface SentBody {
  readonly mimeType: string;
  readonly text?: string;
  readonly params?: readonly SentPart[];
  readonly comment?: string;
}

export interface SentPart {
  readonly name: string;
  readonly value?: string;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly comment?: string;
}

interface Sent {
  readonly type: string;
  /** The body as the browser reports it, without file contents; null if it reports none. */
  readonly bytes: Buffer | null;
  /** Value of the request's content-length header; null if missing. */
  readonly length: number | null;
  /** Sizes of the files that the user chose, by name. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Returns null if the request had no body. */
export function sentBody({ type, bytes, length, sizes }: Sent): SentBody | null {
  if (bytes === null) return (length ?? 0) > 0 ? { mimeType: type, text: '', comment: `${length} bytes` } : null;
  const parts = /^multipart\/form-data/i.test(type) ? getParts(bytes, type) : [];
  if (!parts.some(({ fileName }) => fileName !== undefined)) return { mimeType: type, text: bytes.toString('utf8') };
  const files = parts.filter(({ fileName }) => fileName !== undefined);
  const missing = length === null ? null : length - bytes.length;
  return {
    mimeType: type,
    params: parts.map(({ name, fileName, contentType, content }) => {
      if (fileName === undefined) return { name, value: content.toString('utf8') };
      const size = sizes.get(fileName) ?? (files.length === 1 && missing !== null ? missing + content.length : content.length);
      return { name, fileName, ...(contentType === undefined ? {} : { contentType }), comment: `${size} bytes` };
    }),
  };
}

/** Returns the fields of a form or a JSON document by name. If a field is repeated, its last value counts. */
export function sentFields({ mimeType, text = '', params = [] }: SentBody): ReadonlyMap<string, string> {
  if (params.length > 0) return new Map(params.map(({ name, value = '' }) => [name, value]));
  if (/x-www-form-urlencoded/i.test(mimeType)) return new Map(new URLSearchParams(text));
  if (/multipart\/form-data/i.test(mimeType))
    return new Map(getParts(Buffer.from(text), mimeType).map(({ name, content }) => [name, content.toString('utf8')]));
  const found = new Map<string, string>();
  if (/json/i.test(mimeType))
    for (const [, name = '', value = ''] of text.matchAll(/"([^"\\]{1,200})"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) found.set(name, value);
  return found;
}

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly content: Buffer;
}

const BLANK_LINE = Buffer.from('\r\n\r\n');

function getParts(bytes: Buffer, type: string): Part[] {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return [];
  const line = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  for (let at = bytes.indexOf(line); at >= 0;) {
    const next = bytes.indexOf(line, at + line.length);
    if (next < 0) break;
    const piece = bytes.subarray(at + line.length, next);
    at = next;
    const blank = piece.indexOf(BLANK_LINE);
    if (blank < 0) continue;
    const head = piece.subarray(0, blank).toString('utf8');
    const name = /[; ]name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    parts.push({
      name,
      fileName: /filename="([^"]*)"/i.exec(head)?.[1],
      contentType: /^content-type:[ \t]*([^\r\n]*)/im.exec(head)?.[1]?.trim(),
      content: piece.subarray(blank + BLANK_LINE.length, -2),
    });
  }
  return parts;
}
