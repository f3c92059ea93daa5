import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { protocol } from 'electron';
import { mediaType, pageFile, pageHeaders } from '#contract/page/files.ts';
import { isPageUrl, pageScheme } from './page.ts';

/** Gives the scheme an origin of its own, like https. Must be called before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Returns the file for a request from the page, or the status with which the request is rejected. */
export function judgeRequest(
  method: string,
  address: string,
): { readonly segments: readonly string[] } | { readonly status: 403 | 404 | 405 } {
  if (method !== 'GET') return { status: 405 };
  if (!isPageUrl(address)) return { status: 403 };
  const segments = pageFile(new URL(address).pathname);
  return segments ? { segments } : { status: 404 };
}

/** Serves the built page under its own scheme. */
export function servePage(uiDirectory: string): void {
  protocol.handle(pageScheme, async (request) => {
    const judged = judgeRequest(request.method, request.url);
    if ('status' in judged) return emptyResponse(judged.status);
    const body = await readInside(uiDirectory, judged.segments);
    if (!body) return emptyResponse(404);
    return new Response(body, { headers: { ...pageHeaders(), 'content-type': mediaType(judged.segments.at(-1) ?? '') } });
  });
}

function emptyResponse(status: number): Response {
  return new Response(null, { status, headers: pageHeaders() });
}

/**
 * Returns the bytes of a file in the folder. Links are resolved first, because a link in the folder could lead to a file outside of the
 * folder.
 */
export async function readInside(directory: string, segments: readonly string[]): Promise<Buffer<ArrayBuffer> | null> {
  try {
    const home = await realpath(directory);
    const file = await realpath(join(home, ...segments));
    return file.startsWith(home + sep) ? await readFile(file) : null;
  } catch {
    return null;
  }
}
