import { HTTPParser } from 'node:_http_common';
import { COMPARED_HEADERS, pieces, type ReadConnection, type Reading, type ReadMessage } from './messages.ts';

const HEAD_LIMIT = 16_384;
/** Values that Node's client returns for complete headers: read the body, or skip it (HEAD and 1xx). */
const READ_BODY = 0;
const SKIP_BODY = 1;

/**
 * Reads responses with the parser of `node:http` and the settings of its client: strict, HEAD and 1xx without body, and an upgrade ends the
 * reading.
 */
export function readWithLlhttp(bytes: Buffer, reading: Reading): ReadConnection {
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.RESPONSE, {}, HEAD_LIMIT, 0);
  const messages: ReadMessage[] = [];
  let current: Omit<ReadMessage, 'body' | 'interim' | 'keepAlive'> | null = null;
  let body = '';
  let interim = 0;
  let keepAlive = true;
  let lateLines: string[] = [];

  parser[HTTPParser.kOnHeaders] = (lines: string[]) => {
    lateLines.push(...lines);
  };
  parser[HTTPParser.kOnHeadersComplete] = (
    _major: number,
    minor: number,
    lines: string[] | undefined,
    _method: unknown,
    _url: unknown,
    status: number,
    _reason: string,
    _upgrade: boolean,
    stays: boolean,
  ) => {
    keepAlive = stays;
    body = '';
    const all = [...lateLines, ...(lines ?? [])];
    lateLines = [];
    current = { status, minorVersion: minor, headers: compared(all) };
    return reading.head || status < 200 ? SKIP_BODY : READ_BODY;
  };
  parser[HTTPParser.kOnBody] = (chunk: Buffer) => {
    body += chunk.toString('latin1');
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    lateLines = [];
    if (current === null) return;
    if (current.status < 200) interim += 1;
    else {
      messages.push({ ...current, body, keepAlive: reading.head ? null : keepAlive, interim });
      interim = 0;
    }
    current = null;
    body = '';
  };

  let refusal: string | null = null;
  for (const piece of pieces(bytes, reading.cuts)) {
    const result = parser.execute(piece);
    if (typeof result === 'number') continue;
    refusal = result.code;
    break;
  }
  if (refusal === null && reading.closes) refusal = parser.finish()?.code ?? null;
  return { messages, unfinishedBody: current === null ? '' : body, refusal };
}

function compared(lines: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = (lines[index] ?? '').toLowerCase();
    const value = (lines[index + 1] ?? '').replace(/[ \t]+$/, '');
    if (COMPARED_HEADERS.every((known) => known !== name)) continue;
    kept[name] = kept[name] === undefined ? value : `${kept[name]}\n${value}`;
  }
  return kept;
}
