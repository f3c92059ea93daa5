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
import { type ReplyFrame, replyFrameSchema, type RequestFrame, VERSION_MISMATCH_HINT } from './frames.ts';
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
  const requests = new OpenRequests(port);
  let nextId = 1;
  return {
    call(name, input) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        requests.calls.set(id, { name, resolve: resolve as (output: unknown) => void, reject });
        const problem = requests.send({ type: 'call', id, method: name, input });
        if (problem && requests.calls.delete(id)) reject(problem);
      });
    },
    open(name, input, listener) {
      const id = nextId++;
      requests.streams.set(id, { name, listener: listener as StreamListener<never> });
      const problem = requests.send({ type: 'open', id, stream: name, input });
      if (problem) requests.endStream(id, problem);
      return () => {
        if (requests.streams.delete(id)) requests.send({ type: 'close', id });
      };
    },
    close: () => port.close(),
  };
}

/** Pending calls and open streams of a port, which receive the frames that arrive. */
class OpenRequests {
  readonly calls = new Map<number, PendingCall>();
  readonly streams = new Map<number, OpenStream>();
  private readonly port: Port;
  private isGone = false;

  constructor(port: Port) {
    this.port = port;
    port.onFrame((text) => {
      const frame = replyFrameSchema.safeParse(parseJson(text));
      if (frame.success) this.take(frame.data);
    });
    port.onClose(() => this.endAll());
  }

  /** Sends a request frame; returns a problem if it could not be sent. */
  send(frame: RequestFrame): HoldfastError | null {
    if (this.isGone) return goneError();
    let text: string;
    try {
      text = JSON.stringify(frame);
    } catch {
      return unsendableError();
    }
    try {
      this.port.send(text);
      return null;
    } catch {
      return goneError();
    }
  }

  endStream(id: number, problem?: HoldfastError): void {
    const reading = this.streams.get(id);
    this.streams.delete(id);
    reading?.listener.onEnd(problem);
  }

  private take(frame: ReplyFrame): void {
    const waiting = this.calls.get(frame.id);
    switch (frame.type) {
      case 'result':
        this.calls.delete(frame.id);
        if (waiting) settleCall(waiting, frame.output);
        break;
      case 'error': {
        const error = new HoldfastError(frame.problem);
        this.calls.delete(frame.id);
        waiting?.reject(error);
        this.endStream(frame.id, error);
        break;
      }
      case 'item': {
        const reading = this.streams.get(frame.id);
        if (reading) this.deliver(frame.id, reading, frame.item);
        break;
      }
      case 'end':
        this.endStream(frame.id);
        break;
      default:
        frame satisfies never;
    }
  }

  private deliver(id: number, reading: OpenStream, item: unknown): void {
    const parsed = streams[reading.name].item.safeParse(item);
    if (!parsed.success) {
      this.send({ type: 'close', id });
      this.endStream(id, badOutput(reading.name));
      return;
    }
    try {
      (reading.listener as StreamListener<unknown>).onItem(parsed.data);
    } finally {
      // A reader that threw for one item still gets the next.
      if (this.streams.has(id)) this.send({ type: 'ready', id });
    }
  }

  private endAll(): void {
    this.isGone = true;
    const pending = [...this.calls.values()];
    const ids = [...this.streams.keys()];
    this.calls.clear();
    for (const waiting of pending) waiting.reject(goneError());
    for (const id of ids) this.endStream(id, goneError());
  }
}

function settleCall(waiting: PendingCall, output: unknown): void {
  const parsed = calls[waiting.name].output.safeParse(output);
  if (parsed.success) waiting.resolve(parsed.data);
  else waiting.reject(badOutput(waiting.name));
}

function badOutput(name: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OUTPUT', message: `The reply to ${name} does not match its schema.`, hint: VERSION_MISMATCH_HINT });
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
