import type { IncomingMessage } from 'node:http';

/** Escapes text for HTML, including attribute values. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Maximum size of a body in bytes, unless the caller sets another limit. */
const MAX_BODY_BYTES = 1_000_000;

class BodyTooLarge extends Error {
  readonly status = 413;
}

/**
 * Returns the fields of a multipart or URL-encoded form, or null. The whole body is read in any case, so that the connection can be reused.
 * Throws an error with status 413 if the body is too large.
 */
export async function readForm(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<FormData | null> {
  const body = await (keptBodies.get(request) ?? readBody(request, maxBytes));
  const type = request.headers['content-type'] ?? '';
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
}

const keptBodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Reads a body now for a later `readForm`, as the kernel does for a suspended process. The client may leave in the meantime. */
export function keepBody(request: IncomingMessage): void {
  const body = readBody(request, MAX_BODY_BYTES);
  // Prevents an unhandled rejection. The later caller of `readForm` gets the error.
  body.catch(() => {});
  keptBodies.set(request, body);
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

/** Returns a field of the form, or '' if the field is missing or is a file. */
export function textField(form: FormData | null, name: string): string {
  const value = form?.get(name);
  return typeof value === 'string' ? value : '';
}
