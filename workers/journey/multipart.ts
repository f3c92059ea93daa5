import { fillTemplate, parseTemplate, type Template } from '#core/journey/template.ts';
import { pathInFolder } from '#core/journey/uploads.ts';
import { getOwn } from '#core/ownMembers.ts';
import type { Step } from '#core/plan/schema.ts';

type Part = NonNullable<Step['multipart']>[number];

/** A part with what does not change made ready. */
interface ReadyPart {
  readonly name: Template;
  /** null for a value that is no file. */
  readonly type: string | null;
  /** One of these for each request. */
  readonly contents: readonly { readonly fileName: Template | null; readonly value: Template | Buffer }[];
}

const CRLF = '\r\n';

/** The body of a form with files (RFC 7578), as browsers send it. Contents of files are given as Base64 by their paths. */
export class Multipart {
  readonly boundary: string;
  private readonly parts: readonly ReadyPart[];

  constructor(parts: readonly Part[], files: Readonly<Record<string, string>>) {
    this.parts = parts.map((part) => readyPart(part, files));
    this.boundary = boundaryFor(this.parts);
  }

  /** `draw`: a number in [0, 1) that chooses among the files of a folder. */
  build(valueOf: (name: string) => string, draw: () => number = () => 0): Buffer {
    const fill = (template: Template): string => fillTemplate(template, ({ name }) => valueOf(name));
    const pieces: Buffer[] = [];
    for (const { name, type, contents } of this.parts) {
      const chosen = contents.length > 1 ? contents[Math.floor(draw() * contents.length)] : contents[0];
      if (chosen === undefined) continue;
      const { fileName, value } = chosen;
      const named = fileName === null ? '' : `; filename="${quoted(fill(fileName))}"`;
      const typed = type === null ? '' : `${CRLF}Content-Type: ${type}`;
      const head = `--${this.boundary}${CRLF}Content-Disposition: form-data; name="${quoted(fill(name))}"${named}${typed}${CRLF}${CRLF}`;
      pieces.push(Buffer.from(head), Buffer.isBuffer(value) ? value : Buffer.from(fill(value)), Buffer.from(CRLF));
    }
    pieces.push(Buffer.from(`--${this.boundary}--${CRLF}`));
    return Buffer.concat(pieces);
  }
}

function readyPart(part: Part, files: Readonly<Record<string, string>>): ReadyPart {
  const name = parseTemplate(part.name);
  if ('value' in part) return { name, type: null, contents: [{ fileName: null, value: parseTemplate(part.value) }] };
  const named = part.fileName === undefined ? null : parseTemplate(part.fileName);
  const fileIn = (path: string): ReadyPart['contents'][number] => ({
    fileName: named ?? [path.split(/[/\\]/).at(-1) ?? ''],
    value: Buffer.from(getOwn(files, path) ?? '', 'base64'),
  });
  if ('file' in part) return { name, type: part.type, contents: [fileIn(part.file)] };
  if ('folder' in part) {
    const within = pathInFolder(part.folder, '');
    const paths = Object.keys(files).filter((path) => path.startsWith(within));
    return { name, type: part.type, contents: paths.sort().map(fileIn) };
  }
  return { name, type: part.type, contents: [{ fileName: named ?? ['file'], value: generatedBytes(part.bytes, part.type) }] };
}

/** WHATWG HTML, “multipart/form-data encoding algorithm”: these three are escaped, nothing else is. */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** So many bytes that compress badly, the same in every run. Those of a JPEG begin and end as a JPEG does. */
function generatedBytes(length: number, type: string): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = 0x2545_f491;
  for (let index = 0; index < length; index += 1) {
    // Xorshift (Marsaglia, 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state >>> 24;
  }
  if (type.toLowerCase() === 'image/jpeg' && length >= 4) {
    bytes.set([0xff, 0xd8], 0);
    bytes.set([0xff, 0xd9], length - 2);
  }
  return bytes;
}

/** One that occurs in none of the files. */
function boundaryFor(parts: readonly ReadyPart[]): string {
  for (let number = 0; ; number += 1) {
    const boundary = `holdfast-boundary-7d91c05e42${number}`;
    if (!parts.some(({ contents }) => contents.some(({ value }) => Buffer.isBuffer(value) && value.includes(boundary)))) return boundary;
  }
}
