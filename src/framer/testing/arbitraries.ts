import * as fc from 'fast-check';

const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/);
const valueText = fc.stringMatching(/^[!-~\u0080-\u00ff]([ \t!-~\u0080-\u00ff]{0,20}[!-~\u0080-\u00ff])?$/);
const blanks = fc.stringMatching(/^[ \t]{0,3}$/);
const recased = (name: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((character, index) => (upper[index] === true ? character.toUpperCase() : character)).join(''));
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'proxy-connection']);

const plainHeader = fc
  .tuple(fc.oneof(token, fc.constantFrom('Server', 'set-cookie', 'X-Cache')), blanks, fc.option(valueText, { nil: '' }), blanks)
  .filter(([name]) => !FRAMING.has(name.toLowerCase()))
  .map(([name, before, value, after]) => `${name}:${before}${value}${after}`);

const connectionHeader = fc
  .tuple(
    fc.constantFrom('connection', 'proxy-connection').chain(recased),
    fc.array(fc.constantFrom('close', 'keep-alive', 'Keep-Alive', 'upgrade', 'x', 'closed', 'clo'), { minLength: 1, maxLength: 3 }),
  )
  .map(([name, options]) => `${name}: ${options.join(', ')}`);

const bodyText = fc.string({ unit: 'binary-ascii', maxLength: 60 });
const extension = fc
  .tuple(token, fc.option(fc.oneof(token, fc.stringMatching(/^"([ !#-[\]-~]|\\[ -~]){0,8}"$/)), { nil: null }))
  .map(([name, value]) => (value === null ? `;${name}` : `;${name}=${value}`));

const chunk = fc
  .tuple(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), fc.nat(3), fc.boolean(), fc.array(extension, { maxLength: 2 }))
  .map(([data, zeros, upper, extensions]) => {
    const size = data.length.toString(16);
    return `${'0'.repeat(zeros)}${upper ? size.toUpperCase() : size}${extensions.join('')}\r\n${data}\r\n`;
  });

const chunkedBody = fc
  .tuple(fc.array(chunk, { maxLength: 4 }), fc.array(plainHeader, { maxLength: 2 }))
  .map(([chunks, trailers]) => `${chunks.join('')}0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`);

const framing = fc.oneof(
  fc
    .tuple(recased('content-length'), blanks, bodyText)
    .map(([name, blank, body]) => ({ header: `${name}:${blank}${body.length}${blank}`, body })),
  fc.tuple(recased('transfer-encoding'), chunkedBody).map(([name, body]) => ({ header: `${name}: chunked`, body })),
  bodyText.map((body) => ({ header: 'X-No-Framing: 1', body })),
);

const interim = fc
  .tuple(fc.constantFrom(100, 102, 103), fc.array(plainHeader, { maxLength: 1 }))
  .map(([status, headers]) => ['HTTP/1.1 ' + String(status) + ' Hm', ...headers, '', ''].join('\r\n'));

/** A well-formed response of a server, as text with one character per byte. */
export const response: fc.Arbitrary<string> = fc
  .record({
    interim: fc.array(interim, { maxLength: 2 }),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    status: fc.oneof(fc.constantFrom(200, 204, 304, 302, 404, 503), fc.integer({ min: 200, max: 999 })),
    before: fc.array(fc.oneof(plainHeader, connectionHeader), { maxLength: 3 }),
    framing,
    after: fc.array(fc.oneof(plainHeader, connectionHeader), { maxLength: 2 }),
  })
  .map(({ interim, version, status, before, framing, after }) => {
    const head = [`HTTP/${version} ${status} Some Reason`, ...before, framing.header, ...after, '', ''].join('\r\n');
    return interim.join('') + head + framing.body;
  });

/** Successive responses on one connection. */
export const responses: fc.Arbitrary<string> = fc.array(response, { minLength: 1, maxLength: 3 }).map((list) => list.join(''));

/** A replaced, inserted or deleted byte, or a repetition of some bytes. `at`: position as a share of the length. */
export interface Mutation {
  readonly kind: 'replace' | 'insert' | 'delete' | 'repeat';
  readonly at: number;
  readonly byte: number;
}

const significantByte = fc.constantFrom(0, 9, 10, 13, 32, 34, 44, 45, 48, 49, 58, 59, 61, 92, 102, 127, 128, 255);
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'insert', 'delete', 'repeat'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.oneof(significantByte, fc.nat(255)),
});

export function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  let changed = bytes;
  for (const { kind, at, byte } of mutations) {
    const position = Math.floor(at * changed.length);
    const inserted = kind === 'repeat' ? changed.subarray(position, position + 8) : Buffer.of(byte);
    const before = changed.subarray(0, position);
    const behind = changed.subarray(kind === 'replace' || kind === 'delete' ? position + 1 : position);
    changed = Buffer.concat(kind === 'delete' ? [before, behind] : [before, inserted, behind]);
  }
  return changed;
}
