import { optionError } from '../output/problems.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { TextOrSecret } from '#core/plan/schema/plan.ts';
import type { Issue } from '#core/plan/issues.ts';
import { fileReference, readReference, type SecretReference } from '#core/plan/secretReference.ts';

/** Stores a secret value and returns the reference that a plan contains. */
export type KeepSecret = (value: string) => Promise<{ secret: string }>;

/** Ways to give a secret on the command line. A secret in plain text is visible to everybody who can list processes. */
export type SecretSource =
  | { readonly from: 'reference'; readonly reference: string; readonly parts: WrittenReference }
  | { readonly from: 'text'; readonly text: string };

/** References that a user can type. References to the memory of a backend cannot be typed. */
export type WrittenReference = Exclude<SecretReference, { readonly kind: 'session' }>;

/** Reads `@file`, `env:NAME`, `file:PATH`, `ask:LABEL` or plain text. Paths are relative to the current directory. */
export function secretSource(text: string, currentDirectory: string): SecretSource {
  const parts = text.startsWith('@') && text.length > 1 ? ({ kind: 'file', path: text.slice(1) } as const) : readReference(text);
  if (parts === null || parts.kind === 'session') return { from: 'text', text };
  if (parts.kind !== 'file') return { from: 'reference', reference: text, parts };
  const path = resolve(currentDirectory, parts.path);
  return { from: 'reference', reference: fileReference(path), parts: { kind: 'file', path } };
}

export async function secretValue(text: string, currentDirectory: string, keep: KeepSecret): Promise<TextOrSecret> {
  const source = secretSource(text, currentDirectory);
  return source.from === 'reference' ? { secret: source.reference } : keep(source.text);
}

const COOKIES_NOT_COMBINED = 'Cookies from files or variables cannot be combined with others.';
const COMBINE_COOKIES = 'Put all cookies, written a=1; b=2, into one file or one variable.';

/** Joins cookies to one header value. Several cookies must all be plain text, because references cannot be joined. */
export async function cookieValue(texts: readonly string[], currentDirectory: string, keep: KeepSecret): Promise<TextOrSecret | undefined> {
  const [only, ...others] = texts;
  if (only === undefined) return undefined;
  if (others.length === 0) return secretValue(only, currentDirectory, keep);
  const sources = texts.map((text) => secretSource(text, currentDirectory));
  if (sources.some(({ from }) => from === 'reference')) throw optionError(COOKIES_NOT_COMBINED, COMBINE_COOKIES);
  return keep(texts.join('; '));
}

/** Reads header lines from a file or a variable; null for other text. Throws `BAD_OPTION` if the file or variable is missing. */
async function readHeaderLines(
  text: string,
  currentDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[] | null> {
  const reference = readReference(text);
  let content: string | undefined;
  if (reference?.kind === 'env') {
    content = getOwn(environment, reference.name);
    if (content === undefined)
      throw optionError(
        `The variable ${reference.name} is not set.`,
        `Set it to a header, for example ${reference.name}='Authorization: Bearer …', and export it.`,
      );
  } else if (text.startsWith('@')) {
    const file = resolve(currentDirectory, text.slice(1));
    content = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new HoldfastError(
        {
          code: 'BAD_OPTION',
          message: `The headers in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
          hint: 'Name a text file with one header per line, in the form Name: value.',
        },
        { cause },
      );
    });
  } else return null;
  return content.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Matches names of headers whose value grants access. */
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
 * Reads `Name: value`, where the value may be `@file` or `env:NAME`. The whole option may also be `@file` or `env:NAME`; then all values in
 * it are secret. Throws `BAD_OPTION` with an issue in `data` for each invalid or unreadable option.
 */
export async function readHeaders(options: readonly string[], sources: HeaderSources): Promise<Record<string, TextOrSecret>> {
  const headers: Record<string, TextOrSecret> = {};
  const cookies: { readonly text: string; readonly isLiteral: boolean }[] = [];
  const issues: Issue[] = [];
  const addIssue = (message: string, hint: string): void =>
    void issues.push({ level: 'error', code: 'BAD_OPTION', path: 'header', message, hint });
  for (const option of options) {
    let lines: string[] | null;
    try {
      lines = await readHeaderLines(option, sources.currentDirectory, sources.environment);
    } catch (thrown) {
      const { message, hint } = toProblem(thrown);
      addIssue(message, hint);
      continue;
    }
    for (const line of lines ?? [option]) {
      const header = splitHeader(line);
      // The message does not show the line, because a line from a file may contain a secret.
      if (!header)
        addIssue(
          `${lines ? `A line of ${option}` : JSON.stringify(option)} is not a header.`,
          'Use the form Name: value, for example Accept: text/html.',
        );
      else if (/^cookie$/i.test(header.name)) cookies.push({ text: header.value, isLiteral: lines !== null });
      else setOwn(headers, header.name, await headerValue(header, lines !== null, sources));
    }
  }
  // All Cookie lines are sent as one header. Of any other header that is repeated, only the last line is used.
  const isPlain = cookies.every(({ text, isLiteral }) => isLiteral || secretSource(text, sources.currentDirectory).from === 'text');
  const [only] = cookies;
  if (cookies.length > 1 && !isPlain) addIssue(COOKIES_NOT_COMBINED, COMBINE_COOKIES);
  else if (isPlain && only !== undefined) headers['Cookie'] = await sources.keep(cookies.map(({ text }) => text).join('; '));
  else if (only !== undefined) headers['Cookie'] = await secretValue(only.text, sources.currentDirectory, sources.keep);
  if (issues.length > 0) {
    const hint = issues.map(({ message }) => message).join('\n');
    throw new HoldfastError({ code: 'BAD_OPTION', message: 'A header cannot be used.', hint, data: { issues } });
  }
  return headers;
}

/** Splits `Name: value` into name and value; null for an invalid header. */
export function splitHeader(line: string): { name: string; value: string } | null {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
  return match ? { name: match[1] ?? '', value: match[2] ?? '' } : null;
}

async function headerValue(header: { name: string; value: string }, secret: boolean, sources: HeaderSources): Promise<TextOrSecret> {
  const source = secretSource(header.value, sources.currentDirectory);
  if (source.from === 'reference' && !secret) return { secret: source.reference };
  return secret || isSensitiveHeader(header.name) ? sources.keep(header.value) : header.value;
}
