import type { IncomingMessage } from 'node:http';

/** Text made safe for HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A body larger than this is refused, unless the caller allows more. */
const MAX_BODY_BYTES = 1_000_000;

class BodyTooLarge extends Error {
  readonly status = 413;
}

/**
 * The fields of a form, multipart or URL-encoded; null when the body is neither. Reads the body whole in any case, so that the
 * connection can be used again. Throws an error with status 413 when it is too large.
 */
export async function readForm(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<FormData | null> {
  const body = await (kept.get(request) ?? readBody(request, maxBytes));
  const type = request.headers['content-type'] ?? '';
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
}

const kept = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Reads a body now that `readForm` is asked for later, as the kernel does for a process that is stopped: the client may leave meanwhile. */
export function keepBody(request: IncomingMessage): void {
  const body = readBody(request, MAX_BODY_BYTES);
  // Whoever asks for it gets the error.
  body.catch(() => {});
  kept.set(request, body);
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A field of the form; '' when it is missing or a file. */
export function textField(form: FormData | null, name: string): string {
  const value = form?.get(name);
  return typeof value === 'string' ? value : '';
}
