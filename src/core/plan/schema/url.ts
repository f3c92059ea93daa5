import { z } from 'zod';
import { secretSchema } from './text.ts';

export const httpUrlSchema = z
  .string()
  .max(2_048)
  .refine(isHttpUrl, 'Write a full address that starts with http:// or https://, for example http://contest.example.org/.');

function isHttpUrl(text: string): boolean {
  // Chromium's URL takes a space in a host name and writes it as %20; no server is called that.
  if (!/^https?:\/\/[^\s/?#]+([/?#]|$)/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const POSTGRES = 'postgres(?:ql)?';
const MYSQL = 'mysql';

/** Where a database is, in clear or by reference: what the reference holds is only seen when it is used. */
function databaseUrlSchema(schemes: string, example: string) {
  const form = z
    .string()
    .max(16_384)
    .regex(
      new RegExp(`^(?:${schemes})://.`, 'i'),
      `Write ${example}, or a reference to it: {secret: "env:NAME"} for a variable, {secret: "file:PATH"} for a file.`,
    );
  return z.union([form, secretSchema]);
}
export const postgresUrlSchema = databaseUrlSchema(POSTGRES, 'postgres://user@host:5432/database');
export const mysqlUrlSchema = databaseUrlSchema(MYSQL, 'mysql://user@host:3306/database');
export const sqlUrlSchema = databaseUrlSchema(
  `${POSTGRES}|${MYSQL}`,
  'postgres://user@host:5432/database or mysql://user@host:3306/database',
);
