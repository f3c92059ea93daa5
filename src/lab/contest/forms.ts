import type { IncomingMessage } from 'node:http';

/** A body larger than this is refused: CMS itself takes no larger solutions behind its default proxy. */
const MAX_BODY_BYTES = 1_000_000;

class BodyTooLarge extends Error {
  readonly status = 413;
}

/**
 * The fields of a form, multipart or URL-encoded; null when the body is neither. Reads the body whole in any case, so that the
 * connection can be used again. Throws an error with status 413 when it is too large.
 */
export async function readForm(request: IncomingMessage): Promise<FormData | null> {
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
