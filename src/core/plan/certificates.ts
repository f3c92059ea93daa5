import { z } from 'zod';

/** What helps where a part of a PEM file is damaged. */
export const COPY_WHOLE_PEM = 'Copy all lines of the file again, from BEGIN to END.';

/** A client certificate with its secrets filled in: lives in memory only, on its way to who connects. Texts are PEM. */
export const clientCertificateSchema = z.strictObject({
  certificate: z.string(),
  key: z.string(),
  /** null for a key that needs none. */
  passphrase: z.string().nullable(),
});
export type ClientCertificate = z.infer<typeof clientCertificateSchema>;

/** The certificates in a PEM text, each with its markers; empty when there is none. Whatever else stands there, keys above all, is left out. */
export function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

/** Whether the text holds a private key, which nobody needs in order to trust a certificate. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);
}
