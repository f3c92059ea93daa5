import { fillTemplate, parseTemplate, type Template } from '#core/plan/secrets.ts';
import { isTextType, pathInFolder } from '#core/work/journey/walked.ts';
import { createJpegWriter, MIN_JPEG_BYTES } from '#core/work/journey/jpeg.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import type { BodyPiece, FilePiece } from '../fileBody.ts';

type Part = NonNullable<Step['multipart']>[number];

/** The content of a part: one of several files, or a text. */
interface Content {
  readonly fileName: Template | null;
  readonly value: Template | Buffer | FilePiece | ((mark: string) => Buffer);
}

/** A part with its constant content prepared. */
interface ReadyPart {
  readonly name: Template;
  /** Content type of the part; null for none, as for most values that are not files. */
  readonly type: string | null;
  /** Possible contents; one of them is chosen for each request. */
  readonly contents: readonly Content[];
  /** Name of a list whose texts get one part each; null if there is no list. */
  readonly each: string | null;
  readonly isOptional: boolean;
  /** Texts by the extension of the file in the same form; null if one text is used for all. */
  readonly byEnding: ReadonlyMap<string, Template> | null;
}

/** Supplies the values that differ between requests. */
export interface FormSupply {
  /** Returns a new number in [0, 1) for each request. The number chooses among the files of a folder, and marks generated text. */
  draw(): number;
  toList(name: string): readonly string[];
}

const NO_SUPPLY: FormSupply = { draw: () => 0, toList: () => [] };
const CRLF = '\r\n';

/** Builds the body of a form with files (RFC 7578), as browsers send it. The contents of files are given in Base64 by path. */
export class Multipart {
  readonly boundary: string;
  private readonly parts: readonly ReadyPart[];

  constructor(parts: readonly Part[], files: Readonly<Record<string, string>>, largeFiles: Readonly<Record<string, FilePiece>> = {}) {
    this.parts = parts.map((part) => readyPart(part, files, largeFiles));
    this.boundary = chooseBoundary(this.parts);
  }

  build(valueOf: (name: string) => string, supply: FormSupply = NO_SUPPLY): Buffer | BodyPiece[] {
    const fill = (template: Template): string => fillTemplate(template, ({ name }) => valueOf(name));
    const chosen = this.parts.map(({ contents }) =>
      contents.length > 1 ? contents[Math.floor(supply.draw() * contents.length)] : contents[0],
    );
    const named = chosen.find((content) => content?.fileName != null)?.fileName;
    const ending = named == null ? '' : fileExtension(fill(named));
    const pieces = this.parts.flatMap((part, index) => {
      const content = part.byEnding === null ? chosen[index] : chooseContent(part.byEnding, ending);
      if (content === undefined) return [];
      const { each } = part;
      const toMark = (item: number): string => `${Math.floor(supply.draw() * 2 ** 52).toString(16)}.${index}.${item} `;
      if (each === null) return this.buildPieces(part, content, valueOf, () => toMark(0));
      return supply.toList(each).flatMap((text, item) =>
        this.buildPieces(
          part,
          content,
          (name) => (name === each ? text : valueOf(name)),
          () => toMark(item),
        ),
      );
    });
    return joinPieces([...pieces, Buffer.from(`--${this.boundary}--${CRLF}`)]);
  }

  private buildPieces(
    { name, type, isOptional }: ReadyPart,
    { fileName, value }: Content,
    valueOf: (name: string) => string,
    toMark: () => string,
  ): BodyPiece[] {
    const fill = (template: Template): string => fillTemplate(template, (part) => valueOf(part.name));
    const body =
      typeof value === 'function' ? value(toMark()) : Buffer.isBuffer(value) || 'path' in value ? value : Buffer.from(fill(value));
    if (isOptional && Buffer.isBuffer(body) && body.length === 0) return [];
    const named = fileName === null ? '' : `; filename="${quoteParameter(fill(fileName))}"`;
    const typed = type === null ? '' : `${CRLF}Content-Type: ${type}`;
    const head = `--${this.boundary}${CRLF}Content-Disposition: form-data; name="${quoteParameter(fill(name))}"${named}${typed}${CRLF}${CRLF}`;
    return [Buffer.from(head), body, Buffer.from(CRLF)];
  }
}

/** Joins pieces in memory into one buffer. If some files are sent from disk, they stay between such buffers. */
function joinPieces(pieces: readonly BodyPiece[]): Buffer | BodyPiece[] {
  const found: BodyPiece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (Buffer.isBuffer(piece) && Buffer.isBuffer(last)) found[found.length - 1] = Buffer.concat([last, piece]);
    else found.push(piece);
  }
  const [only] = found;
  return found.length === 1 && Buffer.isBuffer(only) ? only : found;
}

function chooseContent(byEnding: ReadonlyMap<string, Template>, ending: string): Content | undefined {
  const value = byEnding.get(ending);
  return value === undefined ? undefined : { fileName: null, value };
}

function fileExtension(fileName: string): string {
  return /\.(\w+)$/.exec(fileName)?.[1] ?? '';
}

function readyPart(part: Part, files: Readonly<Record<string, string>>, largeFiles: Readonly<Record<string, FilePiece>>): ReadyPart {
  const plain = { name: parseTemplate(part.name), type: null, each: null, isOptional: false, byEnding: null };
  if ('value' in part)
    return {
      ...plain,
      type: part.type ?? null,
      isOptional: part.optional === true,
      contents: [{ fileName: null, value: parseTemplate(part.value) }],
    };
  if ('valueByEnding' in part) {
    const texts = Object.entries(part.valueByEnding).map(([ending, text]) => [ending, parseTemplate(text)] as const);
    return { ...plain, isOptional: true, contents: [], byEnding: new Map(texts) };
  }
  const file = { ...plain, type: part.type, each: part.each ?? null };
  const named = part.fileName === undefined ? null : parseTemplate(part.fileName);
  const fileContent = (path: string): Content => ({
    fileName: named ?? [path.split(/[/\\]/).at(-1) ?? ''],
    value: getOwn(largeFiles, path) ?? Buffer.from(getOwn(files, path) ?? '', 'base64'),
  });
  if ('file' in part) return { ...file, contents: [fileContent(part.file)] };
  if ('folder' in part) {
    const within = pathInFolder(part.folder, '');
    const paths = [...Object.keys(files), ...Object.keys(largeFiles)].filter((path) => path.startsWith(within));
    return { ...file, contents: paths.sort().map(fileContent) };
  }
  return { ...file, contents: [{ fileName: named ?? ['file'], value: generateContent(part.bytes, part.type) }] };
}

function generateContent(bytes: number, type: string): Content['value'] {
  if (isTextType(type)) return generateText(bytes);
  return type.toLowerCase() === 'image/jpeg' && bytes >= MIN_JPEG_BYTES ? generateJpeg(bytes) : generateBytes(bytes);
}

/** Escapes line feeds, carriage returns and quotation marks only (WHATWG HTML, “multipart/form-data encoding algorithm”). */
function quoteParameter(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** Returns a boundary that occurs in none of the files in memory. */
function chooseBoundary(parts: readonly ReadyPart[]): string {
  for (let number = 0; ; number += 1) {
    const boundary = `holdfast-boundary-7d91c05e42${number}`;
    if (!parts.some(({ contents }) => contents.some(({ value }) => Buffer.isBuffer(value) && value.includes(boundary)))) return boundary;
  }
}

const BOUNDARY_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LINE_LENGTH = 80;

/** Fills bytes by xorshift (Marsaglia, 2003), with the same numbers in every run. */
function fillWith(bytes: Buffer, byteOf: (number: number, index: number) => number): Buffer {
  let state = 0x2545_f491;
  for (let index = 0; index < bytes.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = byteOf(state >>> 24, index);
  }
  return bytes;
}

/** Returns bytes that compress badly. They are the same in every request. */
function generateBytes(length: number): Buffer {
  return fillWith(Buffer.allocUnsafe(length), (number) => number);
}

/** Returns a generator of JPEG photos that differ for each mark, because servers scale photos and may reject unreadable ones. */
function generateJpeg(length: number): (mark: string) => Buffer {
  const make = createJpegWriter(length);
  return (mark) => Buffer.from(make(mark));
}

/**
 * Returns a generator of text lines. Each text starts with its mark, because servers store equal files only once, and databases accept no
 * NUL bytes in text.
 */
function generateText(length: number): (mark: string) => Buffer {
  const base = fillWith(Buffer.allocUnsafe(length), (number, index) =>
    (index + 1) % LINE_LENGTH === 0 || index === length - 1 ? 10 : BOUNDARY_LETTERS.charCodeAt(number % BOUNDARY_LETTERS.length),
  );
  return (mark) => {
    const text = Buffer.from(base);
    text.write(mark, 0, Math.max(0, length - 1), 'latin1');
    return text;
  };
}
