/**
 * The rules the page lives under, whoever serves it: nothing but its own files, no inline script or style, no frame around it.
 * `connections` are the sources it may open besides its own origin (a WebSocket's address, which older browsers do not count as
 * `'self'`).
 */
export function contentSecurityPolicy(connections: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Charts are copied as pictures by way of data: and blob: addresses.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text that becomes HTML or script (innerHTML, eval) is refused by the browser, whoever wrote the line that tries.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The headers that go with every answer, page or error. */
export function pageHeaders(connections: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(connections),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Browsers otherwise put all ports of 127.0.0.1, hence a target's page, into the same process as this one.
    'origin-agent-cluster': '?1',
    'x-frame-options': 'DENY',
  };
}

/** Built files carry a digest in their name and never change; everything else is asked for again. */
export function cacheControl(segments: readonly string[]): string {
  return segments[0] === 'assets' ? 'private, max-age=31536000, immutable' : 'no-cache';
}
