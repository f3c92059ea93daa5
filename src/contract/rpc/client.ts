import { parseJson } from '#core/base/json.ts';
import { HoldfastError } from '#core/base/errors.ts';
import {
  calls,
  streams,
  type CallInput,
  type CallName,
  type CallOutput,
  type StreamInput,
  type StreamItem,
  type StreamName,
} from '../api.ts';
import { replyFrameSchema, type RequestFrame, VERSION_MISMATCH_HINT } from './frames.ts';
import type { Port } from './port.ts';

/** Receives the items of a stream. `onEnd` gets the problem that ended it, or nothing at a normal end. */
export interface StreamListener<Item> {
  onItem(item: Item): void;
  onEnd(problem?: HoldfastError): void;
}

/** Interface of the backend for its callers. Rejections are always {@link HoldfastError}s. */
export interface Client {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>;
  /** Returns the function that closes the stream. */
  open<N extends StreamName>(name: N, input: StreamInput<N>, listener: StreamListener<StreamItem<N>>): () => void;
  close(): void;
}

interface PendingCall {
  readonly name: CallName;
  resolve(output: unknown): void;
  reject(error: HoldfastError): void;
}

interface OpenStream {
  readonly name: StreamName;
  readonly listener: StreamListener<never>;
}

/** Creates a client over a port. When the port closes, every pending call rejects and every stream ends with `GONE`. */
export function createClient(port: Port): Client {
  let nextId = 1;
  let gone = false;
  const pending = new Map<number, PendingCall>();
  const open = new Map<number, OpenStream>();
  const send = (frame: RequestFrame): void => port.send(JSON.stringify(frame));
  const endStream = (id: number, problem?: HoldfastError): void => {
    const reading = open.get(id);
    open.delete(id);
    reading?.listener.onEnd(problem);
  };

  const deliver = (id: number, reading: OpenStream, item: unknown): void => {
    const parsed = streams[reading.name].item.safeParse(item);
    if (!parsed.success) {
      send({ type: 'close', id });
      endStream(id, badOutput(reading.name));
      return;
    }
    try {
      (reading.listener as StreamListener<unknown>).onItem(parsed.data);
    } finally {
      // A reader that threw for one item still gets the next.
      if (open.has(id)) send({ type: 'ready', id });
    }
  };

  port.onFrame((text) => {
    const parsed = replyFrameSchema.safeParse(parseJson(text));
    if (!parsed.success) return;
    const frame = parsed.data;
    const waiting = pending.get(frame.id);
    switch (frame.type) {
      case 'result':
        pending.delete(frame.id);
        if (waiting) settle(waiting, frame.output);
        break;
      case 'error': {
        const error = new HoldfastError(frame.problem);
        pending.delete(frame.id);
        waiting?.reject(error);
        endStream(frame.id, error);
        break;
      }
      case 'item': {
        const reading = open.get(frame.id);
        if (reading) deliver(frame.id, reading, frame.item);
        break;
      }
      case 'end':
        endStream(frame.id);
        break;
      default:
        frame satisfies never;
    }
  });

  port.onClose(() => {
    gone = true;
    const calls = [...pending.values()];
    const ids = [...open.keys()];
    pending.clear();
    for (const waiting of calls) waiting.reject(goneError());
    for (const id of ids) endStream(id, goneError());
  });

  /** Sends a request frame; returns a problem if it could not be sent. */
  const ask = (frame: RequestFrame): HoldfastError | null => {
    if (gone) return goneError();
    let text: string;
    try {
      text = JSON.stringify(frame);
    } catch {
      return unsendableError();
    }
    try {
      port.send(text);
      return null;
    } catch {
      return goneError();
    }
  };

  return {
    call(name, input) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { name, resolve: resolve as (output: unknown) => void, reject });
        const problem = ask({ type: 'call', id, method: name, input });
        if (problem && pending.delete(id)) reject(problem);
      });
    },
    open(name, input, listener) {
      const id = nextId++;
      open.set(id, { name, listener: listener as StreamListener<never> });
      const problem = ask({ type: 'open', id, stream: name, input });
      if (problem) endStream(id, problem);
      return () => {
        if (open.delete(id)) ask({ type: 'close', id });
      };
    },
    close: () => port.close(),
  };
}

function settle(waiting: PendingCall, output: unknown): void {
  const parsed = calls[waiting.name].output.safeParse(output);
  if (parsed.success) waiting.resolve(parsed.data);
  else waiting.reject(badOutput(waiting.name));
}

function badOutput(name: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_OUTPUT',
    message: `The reply to ${name} does not match its schema.`,
    hint: VERSION_MISMATCH_HINT,
  });
}

function unsendableError(): HoldfastError {
  return new HoldfastError({
    code: 'BAD_INPUT',
    message: 'A message to the backend cannot be written as JSON.',
    hint: 'This is a fault of Holdfast, not of your server. Please report it.',
  });
}

function goneError(): HoldfastError {
  return new HoldfastError({
    code: 'GONE',
    message: 'The connection to the Holdfast backend was lost.',
    hint: 'Active runs may continue. Wait for the reconnection, or start Holdfast again. Nothing that was stored is lost.',
  });
}
