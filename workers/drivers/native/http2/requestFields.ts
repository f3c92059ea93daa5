import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Connection-specific fields of HTTP/1.1, which HTTP/2 forbids (RFC 9113, section 8.2.2). */
const OF_CONNECTION = new Set(['host', 'connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings']);

/** Returns the header list of a request for HTTP/2: pseudo-header fields from the request line and Host, then the other headers in lower case. */
export function requestFields({ method, url, headers }: BuiltRequest): Field[] {
  const fields: Field[] = [
    { name: ':method', value: method },
    { name: ':scheme', value: url.protocol.slice(0, -1) },
    { name: ':authority', value: headers.get('host')?.[1] ?? url.host },
    { name: ':path', value: `${url.pathname}${url.search}` },
  ];
  for (const [name, [, value]] of headers) {
    if (OF_CONNECTION.has(name) || (name === 'te' && value.toLowerCase() !== 'trailers')) continue;
    // UTF-8 bytes, as HTTP/1.1 sends them.
    fields.push({ name, value: Buffer.from(value, 'utf8').toString('latin1').trim() });
  }
  return fields;
}
