import { z } from 'zod';

/** How `recordingProxy.ts` stands before a site. */
export const proxySettingsSchema = z.strictObject({
  /** The site. */
  upstream: z.url(),
  /** How long each response is held back; null: not at all. */
  delayMs: z
    .strictObject({ least: z.int().min(0), most: z.int().max(10_000) })
    .nullable()
    .default(null),
  /** HTTP/2 and HTTP/1.1 over TLS; null: HTTP/1.1 without. */
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
});
export type ProxySettings = z.input<typeof proxySettingsSchema>;

/** A request of this path gets what came since the last one, and is not written down. */
export const LOG_PATH = '/recorded-requests';

/** A request as the proxy saw it; times on its own clock. */
export const proxiedRequestSchema = z.object({
  path: z.string(),
  /** Of its response, without parameters. */
  type: z.string(),
  status: z.number(),
  atMs: z.number(),
  /** null while its response is not sent. */
  endMs: z.number().nullable(),
});
export type ProxiedRequest = z.infer<typeof proxiedRequestSchema>;
