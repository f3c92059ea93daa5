/** Encodes a frame, which may be invalid. The payload is hexadecimal. */
export function frame(type: number, flags: number, stream: number, payload: string | Buffer = '', length?: number): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'hex') : payload;
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? bytes.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

/** Bytes, and the lines of a `FrameLog` that result from them. */
export interface FrameExample {
  readonly bytes: Buffer;
  readonly reported: readonly string[];
}

const hello = Buffer.from('hello').toString('hex');
const of = (bytes: Buffer, ...reported: readonly string[]): FrameExample => ({ bytes, reported });

/** Valid frames of a peer, one for each special case. */
export const FRAMES: Readonly<Record<string, FrameExample>> = {
  'a body': of(frame(0, 0, 1, hello), '1 data 5 hello'),
  'a body that ends its stream': of(frame(0, 1, 1, hello), '1 data 5 hello', '1 ends'),
  'an empty body': of(frame(0, 1, 1), '1 ends'),
  'an empty frame': of(frame(0, 0, 1)),
  'a padded body': of(frame(0, 8, 1, `03${hello}000000`), '1 data 9 hello'),
  'a padded body that ends its stream': of(frame(0, 9, 3, `03${hello}000000`), '3 data 9 hello', '3 ends'),
  'padding without a body': of(frame(0, 9, 1, '03000000'), '1 data 4 ', '1 ends'),
  'a padded body without padding': of(frame(0, 8, 1, `00${hello}`), '1 data 6 hello'),
  'a pad length alone': of(frame(0, 9, 1, '00'), '1 data 1 ', '1 ends'),
  'a body with the reserved bit': of(frame(0, 1, 0x8000_0001, hello), '1 data 5 hello', '1 ends'),
  'a body with unknown flags': of(frame(0, 0xf6, 1, hello), '1 data 5 hello'),
  headers: of(frame(1, 4, 1, '8882'), '1 headers 8882 false'),
  'headers that end the stream': of(frame(1, 5, 1, '88'), '1 headers 88 true'),
  'headers without a field': of(frame(1, 4, 1), '1 headers  false'),
  'padded headers': of(frame(1, 0x0c, 1, '0288820000'), '1 headers 8882 false'),
  'headers with a priority': of(frame(1, 0x24, 1, '800000030f8882'), '1 headers 8882 false'),
  'padded headers with a priority': of(frame(1, 0x2d, 1, '02800000030f88820000'), '1 headers 8882 true'),
  'padded headers without a field': of(frame(1, 0x2c, 1, '01800000030f00'), '1 headers  false'),
  'headers in three frames': of(Buffer.concat([frame(1, 1, 3, '88'), frame(9, 0, 3, '82'), frame(9, 4, 3, '84')]), '3 headers 888284 true'),
  'headers in three frames, two of them empty': of(
    Buffer.concat([frame(1, 0, 3), frame(9, 0, 3, '8284'), frame(9, 4, 3)]),
    '3 headers 8284 false',
  ),
  'headers in two frames, both empty': of(Buffer.concat([frame(1, 1, 3), frame(9, 4, 3)]), '3 headers  true'),
  'padded headers in two frames': of(Buffer.concat([frame(1, 8, 3, '018800'), frame(9, 4, 3, '82')]), '3 headers 8882 false'),
  'a priority': of(frame(2, 0, 3, '0000000110')),
  'a reset': of(frame(3, 0, 1, 'fffffffe'), '1 reset 4294967294'),
  settings: of(frame(4, 0, 0, '000300000064000400ffffff'), 'settings [[3,100],[4,16777215]]'),
  'no settings': of(frame(4, 0, 0), 'settings []'),
  'settings that are taken': of(frame(4, 1, 0), 'settings ack'),
  'a ping': of(frame(6, 0, 0, '0102030405060708'), 'ping 0102030405060708'),
  'a ping that comes back': of(frame(6, 1, 0, '0102030405060708')),
  'the end': of(frame(7, 0, 0, '8000000500000002'), 'go away 5 2 '),
  'the end with a reason': of(frame(7, 0, 0, `00000005fffffff0${hello}`), `go away 5 4294967280 ${hello}`),
  'a window': of(frame(8, 0, 0, '00000001'), '0 window 1'),
  'a window of a stream': of(frame(8, 0, 1, 'ffffffff'), '1 window 2147483647'),
  'a frame of an unknown type': of(frame(0x0a, 0xff, 0, hello)),
  'an empty frame of an unknown type': of(frame(0xff, 0xff, 5)),
};
