import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { CallHandlers, Handlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import type { Log } from './log.ts';
import type { Redaction } from './redaction.ts';

/** Wraps handlers: logs unexpected errors with their stack, and removes secrets from all errors. */
export function guarded({ calls, streams }: Handlers, log: Log, redaction: Redaction): Handlers {
  const clean = (thrown: unknown): HoldfastError => {
    const { code, message, hint, data } = toProblem(thrown);
    return new HoldfastError({
      code,
      message: redaction.sentence(message),
      hint: redaction.sentence(hint),
      ...(data === undefined ? {} : { data: redaction.value(data) }),
    });
  };
  const guardCall = (name: string, handler: (input: never) => unknown) => async (input: never) => {
    try {
      return await handler(input);
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError)) log.failure(`${name} failed`, thrown);
      throw clean(thrown);
    }
  };
  // fromEntries loses the relation of name and handler type; each handler is wrapped under its own name.
  const guardedCalls = Object.fromEntries(Object.entries(calls).map(([name, handler]) => [name, guardCall(name, handler)]));
  const guardStream = (name: string, handler: (input: never, sink: never) => () => void) => (input: never, sink: Sink<unknown>) => {
    const cleanSink: Sink<unknown> = {
      item: (item) => sink.item(item),
      end: (problem) => sink.end(problem === undefined ? undefined : toProblem(clean(new HoldfastError(problem)))),
    };
    try {
      return handler(input, cleanSink as never);
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError)) log.failure(`${name} failed`, thrown);
      throw clean(thrown);
    }
  };
  const guardedStreams = Object.fromEntries(Object.entries(streams).map(([name, handler]) => [name, guardStream(name, handler)]));
  return { calls: guardedCalls as unknown as CallHandlers, streams: guardedStreams as unknown as StreamHandlers };
}
