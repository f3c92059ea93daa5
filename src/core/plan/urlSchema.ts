import { z } from 'zod';

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
