import { HoldfastError, toProblem, type Problem } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { calls, streams, type CallName, type CallOutput, type Calls, type StreamItem, type StreamName, type Streams } from '../api.ts';
import type { z } from 'zod';
import { requestFrameSchema, type ReplyFrame, type RequestFrame, VERSION_MISMATCH_HINT } from './frames.ts';
import type { Port } from './port.ts';

/** A reply that another thread has already serialized as JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Calls that read whole results. Their replies may be large and slow, so a separate thread creates and serializes them. */
type ResultCallName = Extract<
  CallName,
  | `runs.${'result' | 'points' | 'range' | 'distribution' | 'export'}`
  | 'comparisons.make'
  | `baselines.${'compare' | 'standings'}`
  | `${'series' | 'searches'}.export`
  | 'sealed.verify'
>;

/** A handler of a call without output may return nothing. */
type Reply<N extends CallName> =
  | CallOutput<N>
  | (N extends ResultCallName ? JsonText : never)
  | (Record<string, never> extends CallOutput<N> ? void : never);

export type CallHandlers = { [N in CallName]: (input: z.output<Calls[N]['input']>) => Promise<Reply<N>> | Reply<N> };

/** Receives the items of a stream handler. `end` may be called once; later items are ignored. */
export interface Sink<Item> {
  item(item: Item): void;
  end(problem?: Problem): void;
}

/** Implementations of all streams; each returns a function that is called when the reader leaves. */
export type StreamHandlers = { [N in StreamName]: (input: z.output<Streams[N]['input']>, sink: Sink<StreamItem<N>>) => () => void };

export interface Handlers {
  readonly calls: CallHandlers;
  readonly streams: StreamHandlers;
}

/** Limits far above what a page needs. A frame may have 8 MB, so an unlimited caller could exhaust the memory. */
const MAX_CALLS = 256;
const MAX_STREAMS = 256;
/** Maximum number and length of reported issues per input. */
const MAX_ISSUES = 20;
const MAX_ISSUE_LENGTH = 300;

/** Serves one connection. A slow reader gets merged items: at most one item per stream is in transit, and at most one waits. */
export function serve(port: Port, handlers: Handlers): void {
  const open = new Map<number, Reader>();
  let callsUnderWay = 0;
  const send = (frame: ReplyFrame): void => port.send(frameText(frame));
  const refuse = (id: number): void => send({ type: 'error', id, problem: toProblem(tooManyCallsError()) });
  port.onClose(() => {
    const readers = [...open.values()];
    open.clear();
    for (const reader of readers) reader.leave();
  });
  port.onFrame((text) => {
    const frame = parseFrame(text);
    if (!frame) return;
    switch (frame.type) {
      case 'call':
        if (callsUnderWay >= MAX_CALLS) return refuse(frame.id);
        callsUnderWay += 1;
        void reply(frame.method, frame.input, handlers)
          .then(
            (output) => {
              if (output instanceof JsonText) port.send(resultText(frame.id, output));
              else send({ type: 'result', id: frame.id, output: output === undefined ? {} : output });
            },
            (thrown: unknown) => send({ type: 'error', id: frame.id, problem: toProblem(thrown) }),
          )
          .finally(() => (callsUnderWay -= 1));
        break;
      case 'open':
        // An id in use belongs to its first reader, who would otherwise get the second one's items.
        if (open.has(frame.id)) break;
        if (open.size >= MAX_STREAMS) return refuse(frame.id);
        openStream(frame.id, frame.stream, frame.input, handlers, open, send);
        break;
      case 'close': {
        const reader = open.get(frame.id);
        open.delete(frame.id);
        reader?.leave();
        break;
      }
      case 'ready':
        open.get(frame.id)?.ready();
        break;
      default:
        frame satisfies never;
    }
  });
}

/** Serializes a frame. A failure must neither end the process nor leave the caller waiting. */
function frameText(frame: ReplyFrame): string {
  try {
    return JSON.stringify(frame);
  } catch (thrown) {
    return JSON.stringify({ type: 'error', id: frame.id, problem: toProblem(thrown) } satisfies ReplyFrame);
  }
}

/** Returns a result frame around serialized output. */
function resultText(id: number, { text }: JsonText): string {
  return `{"type":"result","id":${id},"output":${text}}`;
}

interface Reader {
  ready(): void;
  leave(): void;
}

async function reply(method: string, input: unknown, handlers: Handlers): Promise<unknown> {
  if (!isOwn(calls, method)) throw notFoundError(method);
  const parsed = calls[method].input.safeParse(input);
  if (!parsed.success) throw badInput(method, parsed.error);
  return await (handlers.calls[method] as (parsed: unknown) => unknown)(parsed.data);
}

function openStream(
  id: number,
  name: string,
  input: unknown,
  handlers: Handlers,
  open: Map<number, Reader>,
  send: (frame: ReplyFrame) => void,
): void {
  if (!isOwn(streams, name)) return send({ type: 'error', id, problem: toProblem(notFoundError(name)) });
  const parsed = streams[name].input.safeParse(input);
  if (!parsed.success) return send({ type: 'error', id, problem: toProblem(badInput(name, parsed.error)) });
  const fold = streams[name].fold as (earlier: unknown, later: unknown) => unknown;
  let waiting: { item: unknown } | undefined;
  let onItsWay = false;
  let ended: ReplyFrame | undefined;
  let leave: () => void = () => {};

  const push = (): void => {
    if (onItsWay) return;
    if (waiting) {
      onItsWay = true;
      send({ type: 'item', id, item: waiting.item });
      waiting = undefined;
    } else if (ended) {
      open.delete(id);
      send(ended);
    }
  };
  open.set(id, {
    ready() {
      onItsWay = false;
      push();
    },
    leave: () => leave(),
  });
  const sink: Sink<unknown> = {
    item(item) {
      if (ended || !open.has(id)) return;
      waiting = { item: waiting ? fold(waiting.item, item) : item };
      push();
    },
    end(problem) {
      if (ended || !open.has(id)) return;
      ended = problem ? { type: 'error', id, problem } : { type: 'end', id };
      push();
    },
  };
  try {
    const handler = handlers.streams[name] as (parsed: unknown, sink: Sink<unknown>) => () => void;
    leave = handler(parsed.data, sink);
    // The connection may have closed while the handler ran.
    if (!open.has(id) && !ended) leave();
  } catch (thrown) {
    sink.end(toProblem(thrown));
  }
}

function isOwn<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

function notFoundError(name: string): HoldfastError {
  return new HoldfastError({
    code: 'NOT_FOUND',
    message: `There is no method called ${quote(name.slice(0, 80))}.`,
    hint: VERSION_MISMATCH_HINT,
  });
}

function badInput(name: string, error: z.ZodError): HoldfastError {
  const issues = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: truncate(path.join('.')),
    message: truncate(message),
  }));
  const lines = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = error.issues.length - issues.length;
  return new HoldfastError({
    code: 'BAD_INPUT',
    message: `${name} received invalid parameters.`,
    hint: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
    data: { issues },
  });
}

function truncate(text: string): string {
  return text.length > MAX_ISSUE_LENGTH ? `${text.slice(0, MAX_ISSUE_LENGTH)}…` : text;
}

function tooManyCallsError(): HoldfastError {
  return new HoldfastError({
    code: 'TOO_MUCH_AT_ONCE',
    message: `The backend received more than ${MAX_CALLS} calls at once.`,
    hint: 'Wait until earlier calls are done. If you did nothing unusual, this is a fault of Holdfast. Report it.',
  });
}

function parseFrame(text: string): RequestFrame | undefined {
  try {
    return requestFrameSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
