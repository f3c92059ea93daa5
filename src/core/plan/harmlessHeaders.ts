/** Headers whose values are no secret by their nature. Everything else may be one, and is treated as one. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-type',
  'dnt',
  'host',
  'if-modified-since',
  'if-none-match',
  'origin',
  'pragma',
  'range',
  'referer',
  'user-agent',
  'x-requested-with',
]);

export function isHarmlessHeader(name: string): boolean {
  return HARMLESS.has(name.trim().toLowerCase());
}
