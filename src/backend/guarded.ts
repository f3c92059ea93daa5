import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { CallHandlers, Handlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import type { Log } from './log.ts';
import type { Redaction } from './redaction.ts';

/** Wraps handlers: logs unexpected errors with their stack, and removes secrets from all errors. */
export function guardHandlers(handlers: Handlers, log: Log, redaction: Redaction): Handlers {
  const cleanError = (thrown: unknown): HoldfastError => {
    const { code, message, hint, data } = toProblem(thrown);
    return new HoldfastError({
      code,
      message: redaction.sentence(message),
      hint: redaction.sentence(hint),
      ...(data === undefined ? {} : { data: redaction.value(data) }),
    });
  };
  const guardCall = (name: string, handler: CallHandler) => async (input: never) => {
    try {
      return await handler(input);
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError)) log.failure(`${name} failed`, thrown);
      throw cleanError(thrown);
    }
  };
  const guardStream = (name: string, handler: StreamHandler) => (input: never, sink: Sink<unknown>) => {
    const cleanSink: Sink<unknown> = {
      item: (item) => sink.item(item),
      end: (problem) => sink.end(problem === undefined ? undefined : toProblem(cleanError(new HoldfastError(problem)))),
    };
    try {
      return handler(input, cleanSink as never);
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError)) log.failure(`${name} failed`, thrown);
      throw cleanError(thrown);
    }
  };
  return wrapHandlers(handlers, guardCall, guardStream);
}

type CallHandler = (input: never) => unknown;
type StreamHandler = (input: never, sink: never) => () => void;

/** Wraps each call handler with `call` and each stream handler with `stream`. Both receive the handler and its name. */
export function wrapHandlers(
  { calls, streams }: Handlers,
  call: (name: string, handler: CallHandler) => CallHandler,
  stream: (name: string, handler: StreamHandler) => StreamHandler,
): Handlers {
  const wrapAll = <Handler>(handlers: object, wrap: (name: string, handler: Handler) => Handler): unknown =>
    Object.fromEntries(Object.entries(handlers).map(([name, handler]: [string, Handler]) => [name, wrap(name, handler)]));
  return { calls: wrapAll(calls, call) as CallHandlers, streams: wrapAll(streams, stream) as StreamHandlers };
}
