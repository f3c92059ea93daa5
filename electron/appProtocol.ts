import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { protocol } from 'electron';
import { mediaType, pageFile, pageHeaders } from '#contract/page/files.ts';
import { isPageUrl, pageScheme } from './page.ts';

/** Must run before the app is ready: gives the scheme an origin of its own, as https has. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** What a request for the page gets: a file of the folder, or the status with which it is refused. */
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
    if ('status' in judged) return refusal(judged.status);
    const body = await readWithin(uiDirectory, judged.segments);
    if (!body) return refusal(404);
    return new Response(body, { headers: { ...pageHeaders(), 'content-type': mediaType(judged.segments.at(-1) ?? '') } });
  });
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: pageHeaders() });
}

/** The bytes of a file of the folder; links are followed first, so that one inside cannot lead out. */
export async function readWithin(directory: string, segments: readonly string[]): Promise<Buffer<ArrayBuffer> | null> {
  try {
    const home = await realpath(directory);
    const file = await realpath(join(home, ...segments));
    return file.startsWith(home + sep) ? await readFile(file) : null;
  } catch {
    return null;
  }
}
