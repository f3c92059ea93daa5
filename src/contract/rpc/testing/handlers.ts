import { calls, streams } from '#contract/api.ts';
import type { CallHandlers, Handlers, StreamHandlers } from '../server.ts';

/** Returns handlers of the whole contract; those that a test does not define throw. */
export function handlersWith(own: { calls?: Partial<CallHandlers>; streams?: Partial<StreamHandlers> }): Handlers {
  const unasked = (): never => {
    throw new Error('nobody expected this to be asked');
  };
  const all = (names: object): object => Object.fromEntries(Object.keys(names).map((name) => [name, unasked]));
  return { calls: { ...all(calls), ...own.calls } as CallHandlers, streams: { ...all(streams), ...own.streams } as StreamHandlers };
}
