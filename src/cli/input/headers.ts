import { HoldfastError, problemOf } from '#core/base/errors.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { TextOrSecret } from '#core/plan/schema/plan.ts';
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
 * every value in it counts as secret. Throws `BAD_OPTION` that names every option which is no
 * header or cannot be read, each as an issue in `data`.
 */
export async function readHeaders(options: readonly string[], sources: HeaderSources): Promise<Record<string, TextOrSecret>> {
  const headers: Record<string, TextOrSecret> = {};
  const issues: Issue[] = [];
  const refuse = (message: string, hint: string): void =>
    void issues.push({ level: 'error', code: 'BAD_OPTION', path: 'header', message, hint });
  for (const option of options) {
    let lines: string[] | null;
    try {
      lines = await readHeaderLines(option, sources.currentDirectory, sources.environment);
    } catch (thrown) {
      const { message, hint } = problemOf(thrown);
      refuse(message, hint);
      continue;
    }
    for (const line of lines ?? [option]) {
      const header = splitHeader(line);
      // A line of a file may hold a secret, so it is not repeated.
      if (!header)
        refuse(
          `${lines ? `A line of ${option}` : JSON.stringify(option)} is not a header.`,
          'Write Name: value, for example Accept: text/html.',
        );
      else setOwn(headers, header.name, await headerValue(header, lines !== null, sources));
    }
  }
  if (issues.length > 0) {
    const hint = issues.map(({ message }) => message).join('\n');
    throw new HoldfastError({ code: 'BAD_OPTION', message: 'A header cannot be used.', hint, data: { issues } });
  }
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
