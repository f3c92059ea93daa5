import { type FramerLimits, ResponseFramer } from '../framer.ts';
import { planHeaders } from '../refusals.ts';
import { COMPARED_HEADERS, pieces, type ReadConnection, type Reading, type ReadMessage } from './messages.ts';

const PLAN = planHeaders(COMPARED_HEADERS);
const LIMITS: FramerLimits = { limitHeadBytes: 16_384, limitBodyBytes: Number.MAX_SAFE_INTEGER };
/** The one buffer of all reads, as in a load thread, so that bytes are overwritten if the framer does not copy them. */
const SHARED = Buffer.alloc(1 << 20);

/** Reads responses with the framer, in pieces through one shared buffer. */
export function readWithFramer(bytes: Buffer, reading: Reading, limits: FramerLimits = LIMITS): ReadConnection {
  const framer = new ResponseFramer(PLAN, limits);
  const messages: ReadMessage[] = [];
  let body = '';
  framer.onBody = (buffer, start, end) => {
    body += buffer.toString('latin1', start, end);
  };
  framer.begin(reading.head);
  const take = (): void => {
    if (!framer.complete) return;
    messages.push(toMessage(framer, body, reading.head));
    body = '';
  };
  for (const piece of pieces(bytes, reading.cuts)) {
    SHARED.fill(0xee);
    piece.copy(SHARED);
    let position = 0;
    while (position < piece.length) {
      if (framer.complete && !framer.keepAlive) {
        // After `Connection: close`, Holdfast closes its connection. Node's parser accepts only CR and LF after it.
        if (SHARED[position] !== 0x0d && SHARED[position] !== 0x0a) return { messages, unfinishedBody: '', refusal: 'AFTER_CLOSE' };
        position += 1;
        continue;
      }
      if (framer.complete) framer.begin(reading.head);
      position = framer.feed(SHARED, position, piece.length);
      if (framer.refusal !== null) return { messages, unfinishedBody: body, refusal: framer.refusal };
      take();
    }
  }
  if (reading.closes && !framer.complete && framer.begun) {
    framer.finish();
    take();
  }
  return { messages, unfinishedBody: body, refusal: framer.refusal };
}

function toMessage(framer: ResponseFramer, body: string, head: boolean): ReadMessage {
  const headers: Record<string, string> = {};
  for (const [index, name] of PLAN.wanted.entries()) {
    const value = framer.wanted[index];
    if (value !== undefined) headers[name] = value;
  }
  const { status, minorVersion, keepAlive, interimResponses } = framer;
  return { status, minorVersion, headers, body, keepAlive: head ? null : keepAlive, interim: interimResponses };
}
