import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  FRAME_HEAD_BYTES,
  GOAWAY,
  GOAWAY_BYTES,
  HEADERS,
  PING,
  PING_BYTES,
  RST_STREAM,
  SETTING_BYTES,
  SETTINGS,
  WINDOW_UPDATE,
  WORD_BYTES,
} from './frameRules.ts';

export { H2_ERRORS } from './frameRules.ts';

/** The client's preface, which is sent before its first frame, SETTINGS (RFC 9113, section 3.4). */
export const CONNECTION_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Returns a SETTINGS frame. The identifiers are those of RFC 9113, section 6.5.2. */
export function settingsFrame(entries: readonly (readonly [id: number, value: number])[]): Buffer {
  const frame = emptyFrame(SETTINGS, 0, 0, entries.length * SETTING_BYTES);
  let at = FRAME_HEAD_BYTES;
  for (const [id, value] of entries) {
    frame.writeUInt16BE(id, at);
    frame.writeUInt32BE(value, at + 2);
    at += SETTING_BYTES;
  }
  return frame;
}

/** Returns the acknowledgement of the peer's settings. */
export function settingsAck(): Buffer {
  return emptyFrame(SETTINGS, ACK, 0, 0);
}

/** Returns the acknowledgement of a ping, with the ping's eight bytes. */
export function pingAck(opaque: Buffer): Buffer {
  const frame = emptyFrame(PING, ACK, 0, PING_BYTES);
  frame.set(opaque, FRAME_HEAD_BYTES);
  return frame;
}

/** Returns a frame that allows the peer to send `increment` more bytes on a stream, or on all streams together for stream 0. */
export function windowUpdate(stream: number, increment: number): Buffer {
  const frame = emptyFrame(WINDOW_UPDATE, 0, stream, WORD_BYTES);
  frame.writeUInt32BE(increment, FRAME_HEAD_BYTES);
  return frame;
}

/** Returns a frame that ends a stream with a code of `H2_ERRORS`. */
export function resetStream(stream: number, code: number): Buffer {
  const frame = emptyFrame(RST_STREAM, 0, stream, WORD_BYTES);
  frame.writeUInt32BE(code, FRAME_HEAD_BYTES);
  return frame;
}

/** Returns a frame that ends the connection, and states that no stream of the peer above `lastStream` was processed. */
export function goAway(lastStream: number, code: number): Buffer {
  const frame = emptyFrame(GOAWAY, 0, 0, GOAWAY_BYTES);
  frame.writeUInt32BE(lastStream, FRAME_HEAD_BYTES);
  frame.writeUInt32BE(code, FRAME_HEAD_BYTES + WORD_BYTES);
  return frame;
}

/** Returns a header block as a HEADERS frame, with CONTINUATION frames if it exceeds the peer's frame size. */
export function headersFrames(stream: number, block: Buffer, endStream: boolean, maxFrameBytes: number): Buffer {
  const frames = Math.max(1, Math.ceil(block.length / maxFrameBytes));
  const bytes = Buffer.allocUnsafe(block.length + frames * FRAME_HEAD_BYTES);
  let position = 0;
  for (let index = 0; index < frames; index += 1) {
    const from = index * maxFrameBytes;
    const length = Math.min(block.length - from, maxFrameBytes);
    const flags = (index === frames - 1 ? END_HEADERS : 0) | (index === 0 && endStream ? END_STREAM : 0);
    writeHead(bytes, position, index === 0 ? HEADERS : CONTINUATION, flags, stream, length);
    block.copy(bytes, position + FRAME_HEAD_BYTES, from, from + length);
    position += FRAME_HEAD_BYTES + length;
  }
  return bytes;
}

/** Returns a frame with a part of a body, which must fit into one frame. */
export function dataFrame(stream: number, body: Buffer, endStream: boolean): Buffer {
  const frame = emptyFrame(DATA, endStream ? END_STREAM : 0, stream, body.length);
  body.copy(frame, FRAME_HEAD_BYTES);
  return frame;
}

function emptyFrame(type: number, flags: number, stream: number, length: number): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + length);
  writeHead(frame, 0, type, flags, stream, length);
  return frame;
}

function writeHead(target: Buffer, at: number, type: number, flags: number, stream: number, length: number): void {
  // Array assignment truncates to one byte. Each request has such a head, and `writeUInt32BE` takes longer than all these assignments.
  target[at] = length >>> 16;
  target[at + 1] = length >>> 8;
  target[at + 2] = length;
  target[at + 3] = type;
  target[at + 4] = flags;
  target[at + 5] = stream >>> 24;
  target[at + 6] = stream >>> 16;
  target[at + 7] = stream >>> 8;
  target[at + 8] = stream;
}
