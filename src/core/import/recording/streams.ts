import type { WrittenStep } from '../draft.ts';
import type { Entry } from '../har/readEntry.ts';
import { escapePlaceholders } from '../placeholders.ts';

const MAX_MESSAGES = 20;
const MAX_MESSAGE_LENGTH = 65_536;
/** Minimum number of times that a message must be sent to count as repeated at an interval. */
const MIN_REPEATS = 3;

/** Converts a recorded event stream or WebSocket to a step beside the journey, with the messages that the page sent. */
export function buildStream(entry: Entry, step: WrittenStep): { step: WrittenStep; note: { what: string; instead: string } } {
  const isSocket = entry.type === 'websocket' || entry.status === 101;
  const path = entry.address.path.slice(0, 80);
  const { messages, everySeconds } = summarizeMessages(entry.sentMessages);
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).filter(
      ([name]) => !/^(sec-websocket-.*|upgrade|connection|accept|cache-control|last-event-id|origin)$/i.test(name),
    ),
  );
  const protocols = readProtocols(entry);
  return {
    step: {
      name: step.name,
      path: step.path ?? '',
      headers,
      stream: {
        ...(isSocket ? { kind: 'websocket' as const } : {}),
        beside: true,
        ...(messages.length === 0 ? {} : { send: { messages, ...(everySeconds === null ? {} : { everySeconds }) } }),
        ...(isSocket && protocols.length > 0 ? { protocols } : {}),
      },
    },
    note: {
      what: `${path} is ${isSocket ? 'a WebSocket' : 'an event stream'}.`,
      instead: `Each user holds it beside the rest of the journey${messages.length === 0 ? '' : ', and sends what the page sent'}.`,
    },
  };
}

function readProtocols({ headers }: Entry): string[] {
  const written = headers.find(([name]) => /^sec-websocket-protocol$/i.test(name))?.[1] ?? '';
  return written
    .split(',')
    .map((one) => one.trim())
    .filter((one) => /^[!#$%&'*+\-.^_`|~\w]{1,100}$/.test(one))
    .slice(0, 10);
}

/** Returns the messages that a page sent: one message with its interval, or all messages once. */
function summarizeMessages(sent: Entry['sentMessages']): { messages: string[]; everySeconds: number | null } {
  const texts = sent.map(({ text }) => text).filter((text) => text.length <= MAX_MESSAGE_LENGTH);
  const distinct = [...new Set(texts)];
  const [only] = distinct;
  const [first, last] = [sent[0], sent.at(-1)];
  if (distinct.length === 1 && only !== undefined && texts.length >= MIN_REPEATS && first !== undefined && last !== undefined) {
    const seconds = (last.atSeconds - first.atSeconds) / (sent.length - 1);
    if (seconds >= 0.1) return { messages: [escapePlaceholders(only)], everySeconds: Math.round(seconds * 10) / 10 };
  }
  return { messages: texts.slice(0, MAX_MESSAGES).map((text) => escapePlaceholders(text)), everySeconds: null };
}
