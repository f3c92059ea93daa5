import { describe, expect, it } from 'vitest';
import { hex } from '../testing/fields.ts';
import { BlockReader, HpackDecoder } from './hpackDecoder.ts';
import type { Field } from './dynamicTable.ts';
import { HpackEncoder } from './hpackEncoder.ts';

type Example = readonly [block: string, fields: readonly string[]];

/** Each line is `name=value`, because values contain colons. */
const fieldsOf = (lines: readonly string[]): Field[] =>
  lines.map((line) => {
    const at = line.indexOf('=');
    return { name: line.slice(0, at), value: line.slice(at + 1) };
  });

function expectDecoded(examples: readonly Example[], maxTableBytes: number): void {
  const decoder = new HpackDecoder({ maxTableBytes, maxListBytes: 4_096 });
  for (const [block, lines] of examples) {
    const bytes = hex(block);
    expect(decoder.decode(bytes, 0, bytes.length)).toBeNull();
    expect(decoder.fields).toEqual(fieldsOf(lines));
  }
}

const GET = [':method=GET', ':scheme=http', ':path=/', ':authority=www.example.com'];
const NO_CACHE = [...GET, 'cache-control=no-cache'];
const CUSTOM = [':method=GET', ':scheme=https', ':path=/index.html', ':authority=www.example.com', 'custom-key=custom-value'];
const DATE = 'date=Mon, 21 Oct 2013 20:13:21 GMT';
const LOCATION = 'location=https://www.example.com';
const FOUND = [':status=302', 'cache-control=private', DATE, LOCATION];
const REDIRECT = [':status=307', 'cache-control=private', DATE, LOCATION];
const COOKIE = 'set-cookie=foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
const OK = [':status=200', 'cache-control=private', 'date=Mon, 21 Oct 2013 20:13:22 GMT', LOCATION, 'content-encoding=gzip', COOKIE];

const REQUESTS_IN_CODE: readonly Example[] = [
  ['8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff', GET],
  ['8286 84be 5886 a8eb 1064 9cbf', NO_CACHE],
  ['8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf', CUSTOM],
];
const RESPONSES_IN_CODE: readonly Example[] = [
  [
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    FOUND,
  ],
  ['4883 640e ffc1 c0bf', REDIRECT],
  [
    `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af
     2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`.replaceAll('\n', ''),
    OK,
  ],
];

describe('examples of RFC 7541, appendix C', () => {
  it.each([
    ['C.1.1', '0a', 0x1f, 10],
    ['C.1.2', '1f 9a 0a', 0x1f, 1_337],
    ['C.1.3', '2a', 0xff, 42],
  ])('%s: an integer', (_example, bytes, mask, value) => {
    const reader = new BlockReader();
    reader.begin(hex(bytes), 0, hex(bytes).length);
    expect(reader.integer(mask)).toBe(value);
    expect(reader).toMatchObject({ failed: false, hasMore: false });
  });

  it.each([
    ['C.2.1', '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572', 'custom-key=custom-header'],
    ['C.2.2', '040c 2f73 616d 706c 652f 7061 7468', ':path=/sample/path'],
    ['C.2.3', '1008 7061 7373 776f 7264 0673 6563 7265 74', 'password=secret'],
    ['C.2.4', '82', ':method=GET'],
  ])('%s: a field', (_example, block, line) => {
    expectDecoded([[block, [line]]], 4_096);
  });

  it('C.3: requests without the Huffman code', () => {
    expectDecoded(
      [
        ['8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d', GET],
        ['8286 84be 5808 6e6f 2d63 6163 6865', NO_CACHE],
        ['8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65', CUSTOM],
      ],
      4_096,
    );
  });

  it('C.4: requests', () => {
    expectDecoded(REQUESTS_IN_CODE, 4_096);
  });

  it('C.5: responses without the Huffman code, in a table of 256 bytes', () => {
    const date = '611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32';
    const location = '6e17 6874 7470 733a 2f2f 7777 772e 6578 616d 706c 652e 636f 6d';
    const cookie =
      '7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31';
    expectDecoded(
      [
        [`4803 3330 3258 0770 7269 7661 7465 ${date} 3120 474d 54 ${location}`, FOUND],
        ['4803 3330 37c1 c0bf', REDIRECT],
        [`88c1 ${date} 3220 474d 54 c05a 0467 7a69 70 ${cookie}`, OK],
      ],
      256,
    );
  });

  it('C.6: responses, in a table of 256 bytes', () => {
    expectDecoded(RESPONSES_IN_CODE, 256);
  });

  it('C.4 and the first block of C.6 are encoded as in the RFC; later blocks differ, because short values stay uncoded and cookies are never indexed', () => {
    const requests = new HpackEncoder();
    for (const [block, lines] of REQUESTS_IN_CODE) expect(requests.encode(fieldsOf(lines))).toEqual(hex(block));
    const responses = new HpackEncoder(256);
    const update = '3f e1 01';
    expect(responses.encode(fieldsOf(FOUND))).toEqual(hex(update + (RESPONSES_IN_CODE[0]?.[0] ?? '')));
  });
});
