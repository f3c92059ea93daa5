import { HoldfastError } from '#core/errors.ts';
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
import { answerFrameSchema, type RequestFrame } from './frames.ts';
import type { Port } from './port.ts';

/** What a stream tells its reader. `onEnd` gets the problem that ended it, or nothing when it ended by itself. */
export interface StreamListener<Item> {
  onItem(item: Item): void;
  onEnd(problem?: HoldfastError): void;
}

/** The backend as its callers see it, wherever it runs. Rejections are always {@link HoldfastError}s. */
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

/** A client over a port. When the port closes, every pending call rejects and every stream ends with `GONE`. */
export function createClient(port: Port): Client {
  let nextId = 1;
  let gone = false;
  const pending = new Map<number, PendingCall>();
  const open = new Map<number, OpenStream>();
  const send = (frame: RequestFrame): void => port.send(JSON.stringify(frame));

  port.onFrame((text) => {
    const parsed = answerFrameSchema.safeParse(parseJson(text));
    if (!parsed.success) return;
    const frame = parsed.data;
    const waiting = pending.get(frame.id);
    const reading = open.get(frame.id);
    switch (frame.type) {
      case 'result':
        pending.delete(frame.id);
        if (waiting) settle(waiting, frame.output);
        break;
      case 'error': {
        const error = new HoldfastError(frame.problem);
        pending.delete(frame.id);
        open.delete(frame.id);
        waiting?.reject(error);
        reading?.listener.onEnd(error);
        break;
      }
      case 'item':
        if (!reading) break;
        (reading.listener as StreamListener<unknown>).onItem(streams[reading.name].item.parse(frame.item));
        send({ type: 'ready', id: frame.id });
        break;
      case 'end':
        open.delete(frame.id);
        reading?.listener.onEnd();
        break;
      default:
        frame satisfies never;
    }
  });

  port.onClose(() => {
    gone = true;
    const calls = [...pending.values()];
    const readers = [...open.values()];
    pending.clear();
    open.clear();
    for (const waiting of calls) waiting.reject(goneError());
    for (const reading of readers) reading.listener.onEnd(goneError());
  });

  return {
    call(name, input) {
      if (gone) return Promise.reject(goneError());
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { name, resolve: resolve as (output: unknown) => void, reject });
        send({ type: 'call', id, method: name, input });
      });
    },
    open(name, input, listener) {
      const id = nextId++;
      if (gone) {
        listener.onEnd(goneError());
        return () => {};
      }
      open.set(id, { name, listener: listener as StreamListener<never> });
      send({ type: 'open', id, stream: name, input });
      return () => {
        if (open.delete(id)) send({ type: 'close', id });
      };
    },
    close: () => port.close(),
  };
}

function settle(waiting: PendingCall, output: unknown): void {
  const parsed = calls[waiting.name].output.safeParse(output);
  if (parsed.success) waiting.resolve(parsed.data);
  else
    waiting.reject(
      new HoldfastError({
        code: 'BAD_OUTPUT',
        message: `The answer to ${waiting.name} is not what was agreed.`,
        hint: 'The app and its backend are probably of different versions: restart Holdfast.',
      }),
    );
}

function goneError(): HoldfastError {
  return new HoldfastError({
    code: 'GONE',
    message: 'The connection to the Holdfast backend was lost.',
    hint: 'Runs that were going may go on. Wait for the reconnection or start Holdfast again; nothing that was stored is lost.',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
