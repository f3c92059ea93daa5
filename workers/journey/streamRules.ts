import { isSameOrigin } from '#core/base/origins.ts';
import type { BuiltRequest } from '../requestBytes.ts';
import type { StreamRedirect, StreamRules } from '../streams/eventReader.ts';
import type { ScriptStep } from './script.ts';
import { MissingValueError } from './userMemory.ts';

/**
 * Returns the rules of the stream that a step opens, as fields of a request; none if the response is not a stream. `build` makes the
 * request of a redirect.
 */
export function fillStreamRules(
  { stream, recipe }: ScriptStep,
  valueOf: (name: string) => string,
  build: (url: URL) => BuiltRequest,
): { stream?: StreamRules } {
  if (stream === null) return {};
  const socket = recipe.fillSocket(valueOf);
  if (socket === null) return { stream: { ...stream, socket, redirect: (from, location) => findRedirect(from, location, build) } };
  return { stream: { ...stream, socket: { ...socket, messages: () => messagesIfKnown(socket.messages) }, redirect: () => null } };
}

/**
 * Returns the redirect of a stream; null if it leads to another server or its address is invalid. Its request is built only when it is
 * sent.
 */
function findRedirect(from: URL, location: string, build: (url: URL) => BuiltRequest): StreamRedirect | null {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (url === null || !isSameOrigin(from, url)) return null;
  url.hash = '';
  return { url, request: () => build(url) };
}

/** Returns the messages; none if a value of a past journey is missing, because a stream may outlive its journey. */
function messagesIfKnown(messages: () => readonly string[]): readonly string[] {
  try {
    return messages();
  } catch (thrown) {
    if (thrown instanceof MissingValueError) return [];
    throw thrown;
  }
}
