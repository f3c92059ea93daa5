import { z } from 'zod';

/** Hint for a damaged part of a PEM file. */
export const COPY_WHOLE_PEM_HINT = 'Copy all lines of the file again, from BEGIN to END.';

/** A client certificate with resolved secrets, kept only in memory until it is used to connect. Texts are PEM. */
export const clientCertificateSchema = z.strictObject({
  certificate: z.string(),
  key: z.string(),
  /** Passphrase of the key; null for an unencrypted key. */
  passphrase: z.string().nullable(),
});
export type ClientCertificate = z.infer<typeof clientCertificateSchema>;

/** Returns the certificates in a PEM text with their markers; empty if there is none. Leaves out everything else, in particular keys. */
export function splitCertificates(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

/** Returns whether the text contains a private key, which is not needed to trust a certificate. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);
}
