import { request, type IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { connect as connectTls } from 'node:tls';
import type { MonitorWay } from '../source.ts';
import { ANSWER_LIMIT_MS, refused, unreachable, noAnswerInTime, tooLongAnswer } from './problems.ts';

export interface AskHttp {
  /** Name of the service in messages. */
  readonly what: string;
  readonly url: URL;
  readonly way: MonitorWay;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of bytes that are read. */
  readonly limitBytes?: number;
  /** Whether only the headers are needed. */
  readonly isHead?: boolean;
  /** Gets the text of a page in chunks. The text is then not collected. */
  readonly onText?: (piece: string) => void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const MAX_BYTES = 1_000_000;

/** Requests a page on a new connection, through the connection of a monitor. Follows no redirect. Throws `MONITOR_UNREACHABLE`. */
export async function askHttp({
  what,
  url,
  way,
  headers = {},
  limitBytes = MAX_BYTES,
  isHead = false,
  onText,
}: AskHttp): Promise<HttpAnswer> {
  const isSecure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let stream: Duplex | null = null;
  const limit = setTimeout(() => stream?.destroy(noAnswerInTime()), ANSWER_LIMIT_MS);
  try {
    const plain = await way.connect(`${url.hostname}:${url.port || (isSecure ? 443 : 80)}`);
    stream = isSecure ? connectTls({ socket: plain, ...(isIP(hostname) ? { host: hostname } : { servername: hostname }) }) : plain;
    return await answerOn(stream, { url, headers, limitBytes, isHead, onText });
  } catch (thrown) {
    throw unreachable(what, url.host, thrown);
  } finally {
    clearTimeout(limit);
    stream?.destroy();
  }
}

function answerOn(
  stream: Duplex,
  {
    url,
    headers,
    limitBytes,
    isHead,
    onText,
  }: Pick<Required<AskHttp>, 'url' | 'headers' | 'limitBytes' | 'isHead'> & { onText: AskHttp['onText'] },
) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    stream.on('error', reject);
    const asked = request(
      {
        createConnection: () => stream,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { host: url.host, connection: 'close', ...headers },
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        if (isHead) {
          resolve({ status, headers: response.headers, text: '' });
          return;
        }
        const pieces: Buffer[] = [];
        const decoder = new StringDecoder('utf8');
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > limitBytes) reject(tooLongAnswer(limitBytes));
          else if (onText !== undefined && status === 200) onText(decoder.write(piece));
          else pieces.push(piece);
        });
        response.on('end', () => resolve({ status, headers: response.headers, text: Buffer.concat(pieces).toString('utf8') }));
        response.on('aborted', () => reject(new Error('its response broke off')));
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** Passes the text of a page on in chunks. Throws the errors of {@link askPage}. */
export async function readPage(ask: AskHttp, onText: (piece: string) => void): Promise<void> {
  await askPage({ ...ask, onText });
}

/** Returns the text of a page. Throws `MONITOR_REFUSED` for any status but 200, with what it usually means. */
export async function askPage(ask: AskHttp): Promise<string> {
  const { status, text } = await askHttp(ask);
  if (status === 200) return text;
  const hints: Readonly<Record<number, string>> = {
    401: 'The page needs a login: set “user” and “password”, or allow this address without them.',
    403: 'Access denied: allow the address of the monitor (in nginx `allow`), or monitor through the host itself.',
    404: 'Page not found. Check the path, and that the running configuration enables it.',
  };
  throw refused(ask.what, ask.url.host, `it responds with status ${status}`, hints[status] ?? 'Open the address in a browser to see why.');
}
