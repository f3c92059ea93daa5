import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import { readReference } from '../secretReference.ts';

/** Message about the forms of references. */
export const SECRET_FORMS = 'A secret is written env:NAME, file:PATH, ask:LABEL or session:ID.';

/** A secret reference. Header values, cookies and bodies may be `{secret: "env:TOKEN"}` instead of plain text. */
const secretReferenceSchema = z.string().refine((text) => readReference(text) !== null, SECRET_FORMS);
export const secretSchema = z.strictObject({ secret: secretReferenceSchema });
export const textOrSecretSchema = z.union([z.string().max(16_384), secretSchema]);
export type TextOrSecret = z.infer<typeof textOrSecretSchema>;

export const nameSchema = z.string().trim().min(1).max(60);

/** Maximum number of headers of a request: twice Apache's limit. */
export const MAX_HEADERS = 200;

export const headersSchema = z
  .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'A header name may contain only letters, digits and -.'), textOrSecretSchema)
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `A request has at most ${MAX_HEADERS} headers.`);

const MAX_URL_LENGTH = 2_048;
const MAX_PORT = 65_535;
export const ENTER_FULL_ADDRESS = 'Enter a full address that starts with http:// or https://, for example http://contest.example.org/.';

export const httpUrlSchema = z.string().superRefine((text, context) => {
  const message = httpUrlProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const ENTER_HOST = 'Enter a host, with its port if it is not the default, for example cdn.example.org.';

/**
 * Returns whether all programs understand a host in the same way: labels of letters, digits, `-` and `_`, separated by dots, or an IPv6
 * address. The URL standard allows more characters (`*`, `,`), which other programs, such as a browser's host rules, understand as several
 * hosts or as all hosts.
 */
export function isPlainHost(hostname: string): boolean {
  return /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])$/i.test(hostname);
}

/** A host name or address, with its port if it is not the default. */
export const hostSchema = z
  .string()
  .max(260)
  .refine((text) => /^(?:[^\s:/?#@[\]]+|\[[^\s/?#@[\]]+\])(?::\d{1,5})?$/.test(text) && hasPlainHost(`http://${text}/`), ENTER_HOST);

function hasPlainHost(url: string): boolean {
  return URL.canParse(url) && isPlainHost(new URL(url).hostname);
}

/** Returns why a text is not a valid target URL, with a hint; null if valid. */
function httpUrlProblem(text: string): string | null {
  if (text.length > MAX_URL_LENGTH)
    return `The address has ${formatCount(text.length)} characters. The limit is ${formatCount(MAX_URL_LENGTH)}. Shorten its query, or send it as the body of a step.`;
  const port = /^https?:\/\/[^\s/?#]*:(\d+)(?:[/?#]|$)/i.exec(text)?.[1];
  if (port !== undefined && Number(port) > MAX_PORT) return `There is no port ${port}: the highest port is ${MAX_PORT}.`;
  // Chromium's URL accepts a space in a host name as %20, but no server has such a name.
  if (!/^https?:\/\/[^\s/?#]+([/?#]|$)/i.test(text) || !hasPlainHost(text)) return ENTER_FULL_ADDRESS;
  const { username, password } = new URL(text);
  return username === '' && password === ''
    ? null
    : 'Remove the user name and password: addresses are shown and stored. Send them in the header Authorization.';
}

const POSTGRES_SCHEME = 'postgres(?:ql)?';
const MYSQL_SCHEME = 'mysql';

/** Returns the schema of a database URL. It is plain text or a reference, whose value is checked when it is used. */
function databaseUrlSchema(schemes: string, example: string) {
  const form = z
    .string()
    .max(16_384)
    .regex(
      new RegExp(`^(?:${schemes})://.`, 'i'),
      `Enter ${example}, or a reference: {secret: "env:NAME"} for a variable, {secret: "file:PATH"} for a file.`,
    );
  return z.union([form, secretSchema]);
}
export const postgresUrlSchema = databaseUrlSchema(POSTGRES_SCHEME, 'postgres://user@host:5432/database');
export const mysqlUrlSchema = databaseUrlSchema(MYSQL_SCHEME, 'mysql://user@host:3306/database');
export const sqlUrlSchema = databaseUrlSchema(
  `${POSTGRES_SCHEME}|${MYSQL_SCHEME}`,
  'postgres://user@host:5432/database or mysql://user@host:3306/database',
);
