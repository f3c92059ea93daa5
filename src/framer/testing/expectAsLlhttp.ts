import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Refusal } from '../refusals.ts';
import type { Reading, ReadMessage } from './messages.ts';
import { readWithFramer } from './readWithFramer.ts';
import { readWithLlhttp } from './readWithLlhttp.ts';

/** Refusals for which Holdfast is deliberately stricter than llhttp; framer.test.ts has the reasons. */
const STRICTER: ReadonlySet<string> = new Set<Refusal | 'AFTER_CLOSE'>([
  'NOT_HTTP',
  'BAD_VERSION',
  'BAD_STATUS',
  'BAD_TRANSFER_ENCODING',
  'UPGRADED',
  'AFTER_CLOSE',
]);

/** Removes keep-alive except for HTTP/1.1, because chunked HTTP/1.0 responses deliberately close the connection. */
const compared = (message: ReadMessage): ReadMessage => (message.minorVersion === 0 ? { ...message, keepAlive: null } : message);

/** Expects that the framer reads what llhttp reads, or the messages before llhttp's refusal, and that it does so for any split. */
export function expectAsLlhttp(bytes: Buffer, reading: Reading): void {
  const truth = readWithLlhttp(bytes, reading);
  const ours = readWithFramer(bytes, reading);
  // Calling `expect` for each response would take longer than parsing it.
  if (isDeepStrictEqual(ours, truth)) return;
  expect(ours).toEqual(readWithFramer(bytes, { ...reading, cuts: [] }));
  const isStricter = STRICTER.has(ours.refusal ?? '');
  const read = isStricter ? truth.messages.slice(0, ours.messages.length) : truth.messages;
  expect(ours.messages.slice(0, read.length).map(compared)).toEqual(read.map(compared));
  if (isStricter || truth.refusal !== null) return;
  expect([ours.unfinishedBody, ours.refusal]).toEqual([truth.unfinishedBody, null]);
}
