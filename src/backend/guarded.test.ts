import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '#contract/rpc/client.ts';
import { portPair } from '#contract/rpc/port.ts';
import { serve, type Handlers, type Sink } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { guardHandlers } from './guarded.ts';
import { openLog } from './log.ts';
import { createRedaction } from './redaction.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const problem = { code: 'X', message: 'refused planted-secret', hint: 'not planted-secret', data: { stated: ['planted-secret'] } };
const CLEANED_PROBLEM = { code: 'X', message: 'refused [secret]', hint: 'not [secret]', data: { stated: ['[secret]'] } };

it.each<[string, (sink: Sink<never>) => () => void]>([
  [
    'ends with',
    (sink) => {
      sink.end(problem);
      return () => {};
    },
  ],
  [
    'throws at once',
    () => {
      throw new HoldfastError(problem);
    },
  ],
])('guarded removes secrets from the error of a stream that %s', async (_how, handler) => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'logs'));
  const redaction = createRedaction();
  redaction.add('planted-secret');
  // This test uses only the stream.
  const handlers = { calls: {}, streams: { 'runs.active': (_input: unknown, sink: Sink<never>) => handler(sink) } } as unknown as Handlers;
  const [here, there] = portPair();
  serve(there, guardHandlers(handlers, openLog(directory, redaction), redaction));
  const ended = await new Promise((resolve) => createClient(here).open('runs.active', {}, { onItem: () => {}, onEnd: resolve }));
  expect(ended).toMatchObject(CLEANED_PROBLEM);
});
