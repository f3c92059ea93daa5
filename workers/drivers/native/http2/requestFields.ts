import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Fields that speak about a connection of HTTP/1.1: HTTP/2 has none of them (RFC 9113, 8.2.2). */
const OF_CONNECTION = new Set(['host', 'connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings']);

/** The header list of a request as HTTP/2 sends it: what was its first line and its Host, then its other headers in lower case. */
export function requestFields({ method, url, headers }: BuiltRequest): Field[] {
  const fields: Field[] = [
    { name: ':method', value: method },
    { name: ':scheme', value: url.protocol.slice(0, -1) },
    { name: ':authority', value: headers.get('host')?.[1] ?? url.host },
    { name: ':path', value: `${url.pathname}${url.search}` },
  ];
  for (const [name, [, value]] of headers) {
    if (OF_CONNECTION.has(name) || (name === 'te' && value.toLowerCase() !== 'trailers')) continue;
    // The bytes of UTF-8, as HTTP/1.1 sends them.
    fields.push({ name, value: Buffer.from(value, 'utf8').toString('latin1').trim() });
  }
  return fields;
}
