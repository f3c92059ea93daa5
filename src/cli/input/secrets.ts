import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { TextOrSecret } from '#core/plan/schema/plan.ts';

/** Turns a value into something that a plan may hold without giving it away. */
export type KeepSecret = (value: string) => Promise<{ secret: string }>;

/** How a secret may be given on the command line. The last one is visible to everybody who can list processes. */
export type SecretSource = { readonly from: 'reference'; readonly reference: string } | { readonly from: 'text'; readonly text: string };

/** Reads `@file`, `env:NAME`, `file:PATH`, `ask:LABEL` and plain text. Files are meant from the current directory. */
export function secretSource(text: string, currentDirectory: string): SecretSource {
  if (text.startsWith('@') && text.length > 1) return { from: 'reference', reference: `file:${resolve(currentDirectory, text.slice(1))}` };
  if (text.startsWith('file:') && text.length > 5)
    return { from: 'reference', reference: `file:${resolve(currentDirectory, text.slice(5))}` };
  if (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text) || /^ask:.+$/.test(text)) return { from: 'reference', reference: text };
  return { from: 'text', text };
}

/** What a plan holds for this secret. */
export async function secretValue(text: string, currentDirectory: string, keep: KeepSecret): Promise<TextOrSecret> {
  const source = secretSource(text, currentDirectory);
  return source.from === 'reference' ? { secret: source.reference } : keep(source.text);
}

/** Cookies of one or several options as one header. Several must all be plain, because references cannot be joined. */
export async function cookieValue(texts: readonly string[], currentDirectory: string, keep: KeepSecret): Promise<TextOrSecret | undefined> {
  const [only, ...others] = texts;
  if (only === undefined) return undefined;
  if (others.length === 0) return secretValue(only, currentDirectory, keep);
  const sources = texts.map((text) => secretSource(text, currentDirectory));
  if (sources.some(({ from }) => from === 'reference'))
    throw new HoldfastError({
      code: 'BAD_OPTION',
      message: 'Cookies from files or variables cannot be joined with others.',
      hint: 'Put all cookies, written a=1; b=2, into one file or one variable.',
    });
  return keep(texts.join('; '));
}

/** The lines of a file or a variable that holds headers. Throws `BAD_OPTION` when there is none. */
export async function readHeaderLines(
  text: string,
  currentDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[] | null> {
  const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
  let content: string | undefined;
  if (variable !== undefined) {
    content = getOwn(environment, variable);
    if (content === undefined)
      throw new HoldfastError({
        code: 'BAD_OPTION',
        message: `The variable ${variable} is not set.`,
        hint: `Set it to a header, for example ${variable}='Authorization: Bearer …', and export it.`,
      });
  } else if (text.startsWith('@')) {
    const file = resolve(currentDirectory, text.slice(1));
    content = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new HoldfastError(
        {
          code: 'BAD_OPTION',
          message: `The headers in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
          hint: 'Name a text file with one header per line, written Name: value.',
        },
        { cause },
      );
    });
  } else return null;
  return content.split(/\r?\n/).filter((line) => line.trim() !== '');
}
