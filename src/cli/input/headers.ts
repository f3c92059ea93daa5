import { HoldfastError } from '#core/errors.ts';
import type { TextOrSecret } from '#core/plan/schema.ts';
import { readHeaderLines, secretSource, type KeepSecret } from './secrets.ts';

/** Headers whose value lets somebody in. */
const SENSITIVE = /auth|cookie|token|secret|password|credential|session|api-?key/i;

export function isSensitiveHeader(name: string): boolean {
  return SENSITIVE.test(name);
}

export interface HeaderSources {
  readonly currentDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keep: KeepSecret;
}

/**
 * Reads `Name: value`, where the value may be `@file` or `env:NAME`; the whole option may be `@file` or `env:NAME` too, then
 * every value in it counts as secret. Throws `BAD_OPTION` that names every option which is no header.
 */
export async function readHeaders(options: readonly string[], sources: HeaderSources): Promise<Record<string, TextOrSecret>> {
  const headers: Record<string, TextOrSecret> = {};
  const problems: string[] = [];
  for (const option of options) {
    const lines = await readHeaderLines(option, sources.currentDirectory, sources.environment);
    for (const line of lines ?? [option]) {
      const header = splitHeader(line);
      // A line of a file may hold a secret, so it is not repeated.
      if (!header)
        problems.push(lines ? `A line of ${option} is not written Name: value.` : `${JSON.stringify(option)} is not written Name: value.`);
      else headers[header.name] = await headerValue(header, lines !== null, sources);
    }
  }
  if (problems.length > 0) throw new HoldfastError({ code: 'BAD_OPTION', message: 'A header cannot be used.', hint: problems.join('\n') });
  return headers;
}

function splitHeader(line: string): { name: string; value: string } | null {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
  return match ? { name: match[1] ?? '', value: match[2] ?? '' } : null;
}

async function headerValue(header: { name: string; value: string }, secret: boolean, sources: HeaderSources): Promise<TextOrSecret> {
  const source = secretSource(header.value, sources.currentDirectory);
  if (source.from === 'reference' && !secret) return { secret: source.reference };
  return secret || isSensitiveHeader(header.name) ? sources.keep(header.value) : header.value;
}
