import { z } from 'zod';

/** A client certificate with its secrets filled in: lives in memory only, on its way to who connects. Texts are PEM. */
export const clientCertificateSchema = z.strictObject({
  certificate: z.string(),
  key: z.string(),
  /** null for a key that needs none. */
  passphrase: z.string().nullable(),
});
export type ClientCertificate = z.infer<typeof clientCertificateSchema>;
