import type { SampleMessage } from '#core/work/samples/schema.ts';
import { ResponseFramer } from '../drivers/native/framer/framer.ts';
import { planHeaders } from '../drivers/native/framer/headerPlan.ts';
import { unpack } from '../unpack.ts';

/** Characters of a head, and of a body, that are shown. */
const LONGEST_HEAD = 16_384;
const LONGEST_BODY = 16_384;
/** Of a head that is shown alone. */
const LONGEST_GLIMPSE = 500;
const LONGEST_UNPACKED_BYTES = 4 * 1_048_576;
const HEAD_END = Buffer.from('\r\n\r\n');
const HEADERS = planHeaders(['content-type', 'content-encoding']);

export function messageOfRequest(bytes: Buffer, limitBytes: number): SampleMessage {
  const { head, headIsCut, body } = split(bytes);
  const isText = !/\ncontent-type: *(multipart\/|image\/|application\/octet-stream)/i.test(head);
  return { head, ...shown(body.subarray(0, limitBytes), isText), bodyBytes: body.length, isCut: headIsCut || body.length > LONGEST_BODY };
}

/** `bytes`: an answer as it came over the line, or the beginning of one. */
export function messageOfAnswer(bytes: Buffer): SampleMessage {
  const pieces: Buffer[] = [];
  const framer = new ResponseFramer(HEADERS);
  framer.onBody = (buffer, start, end) => void pieces.push(buffer.subarray(start, end));
  framer.begin(false);
  framer.feed(bytes, 0, bytes.length);
  const [type, coding] = framer.wanted;
  const isText = type === undefined || /text|json|xml|html|javascript|form-urlencoded/i.test(type);
  const body = Buffer.concat(pieces);
  const unpacked = unpackedAsFarAsItGoes(body, coding);
  const { head, headIsCut } = split(bytes);
  return {
    head,
    ...shown(unpacked, isText),
    bodyBytes: framer.bodyBytes,
    isCut: !framer.complete || unpacked.length > LONGEST_BODY || headIsCut,
  };
}

/** The beginning of a message, where there is no room for more. */
export function glimpseOf(message: SampleMessage | null): SampleMessage | null {
  return message && { ...message, head: message.head.slice(0, LONGEST_GLIMPSE), body: '', isCut: true };
}

function split(bytes: Buffer): { head: string; headIsCut: boolean; body: Buffer } {
  const end = bytes.indexOf(HEAD_END);
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  return {
    head: head.toString('utf8', 0, LONGEST_HEAD).replaceAll('\r\n', '\n'),
    headIsCut: head.length > LONGEST_HEAD,
    body: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + HEAD_END.length),
  };
}

function shown(body: Buffer, isText: boolean): Pick<SampleMessage, 'body'> {
  return { body: isText ? body.toString('utf8', 0, LONGEST_BODY) : '' };
}

function unpackedAsFarAsItGoes(body: Buffer, coding = ''): Buffer {
  try {
    return unpack(body, coding.trim().toLowerCase(), LONGEST_UNPACKED_BYTES, true) ?? body;
  } catch {
    return body;
  }
}
