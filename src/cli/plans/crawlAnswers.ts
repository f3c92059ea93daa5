import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { HoldfastError } from '#core/base/errors.ts';
import { type CrawlReport, isVisitable } from '#core/work/crawl/report.ts';
import type { CliContext } from '../context.ts';
import { isSensitiveHeader, secretSource, splitHeader } from '../input/secrets.ts';
import { jsonText } from '../output/jsonFile.ts';
import { askReference, readReference } from '#core/plan/secretReference.ts';

/** Access options of a crawl, as typed. */
interface WayIn {
  readonly cookie: readonly string[];
  readonly header: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly loginAt?: string;
  readonly insecure?: boolean;
}

/** Saves the good pages and the access options for `run --answers`. Plain-text secrets become prompts, so the file holds none. */
export async function saveAnswers(
  file: string,
  address: string,
  report: CrawlReport,
  way: WayIn,
  { currentDirectory, err }: Pick<CliContext, 'currentDirectory' | 'err'>,
): Promise<void> {
  const pages = report.pages.filter(isVisitable).map(({ path }) => path);
  const path = resolve(currentDirectory, file);
  const answers = { ...crawlAnswers(address, way, currentDirectory), pages: pages.join('\n') };
  try {
    await writeFile(path, /\.json$/i.test(file) ? jsonText(answers) : stringify(answers));
  } catch (cause) {
    throw new HoldfastError(
      { code: 'NOT_SAVED', message: `${path} cannot be written.`, hint: 'Name a file in a folder with write permission.' },
      { cause },
    );
  }
  await err.write(`Saved ${pages.length === 1 ? '1 page' : `${pages.length} pages`} in ${path}. Remove the ones that you do not want.\n`);
}

function crawlAnswers(address: string, way: WayIn, currentDirectory: string): Record<string, string | boolean | string[]> {
  const { host } = new URL(address);
  const target = new URL('/', address).href;
  const loginAt = way.loginAt ?? address;
  const headers = way.header.map((header) => savedHeader(header, currentDirectory));
  return {
    target,
    ...(way.username === undefined || way.password === undefined
      ? cookieAnswer(way.cookie, host, currentDirectory)
      : {
          username: way.username,
          password: reference(way.password, `Password of ${way.username} at ${host}`, currentDirectory),
          ...(loginAt === target ? {} : { loginAt }),
        }),
    ...(headers.length === 0 ? {} : { header: headers }),
    ...(way.insecure === true ? { 'tls.verify': false } : {}),
  };
}

/** Returns the answer to the question for a cookie. Several cookies are all plain text and become one prompt. */
function cookieAnswer(cookies: readonly string[], host: string, currentDirectory: string): { cookie?: string } {
  const [only] = cookies;
  return only === undefined ? {} : { cookie: reference(only, `Cookies for ${host}, written a=1; b=2`, currentDirectory) };
}

/** Returns a header for `--set header=`. Each run reads header files again. */
function savedHeader(text: string, currentDirectory: string): string {
  if (text.startsWith('@')) return `@${resolve(currentDirectory, text.slice(1))}`;
  if (readReference(text)?.kind === 'env') return text;
  const header = splitHeader(text);
  if (header === null) return text;
  const { from } = secretSource(header.value, currentDirectory);
  const isSecret = from === 'reference' || isSensitiveHeader(header.name);
  return isSecret ? `${header.name}: ${reference(header.value, header.name, currentDirectory)}` : text;
}

/** Returns a reference to a secret; a plain-text secret becomes a prompt. */
function reference(text: string, label: string, currentDirectory: string): string {
  const source = secretSource(text, currentDirectory);
  return source.from === 'reference' ? source.reference : askReference(label);
}
