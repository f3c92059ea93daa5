import { z } from 'zod';

/** Settings of `recordingProxy.ts`. */
export const proxySettingsSchema = z.strictObject({
  /** Address of the site. */
  upstream: z.url(),
  /** Delay of each response; null: none. */
  delayMs: z
    .strictObject({ least: z.int().min(0), most: z.int().max(10_000) })
    .nullable()
    .default(null),
  /** HTTP/2 and HTTP/1.1 over TLS; null: HTTP/1.1 without TLS. */
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
});
export type ProxySettings = z.input<typeof proxySettingsSchema>;

/** A request to this path returns the log since the last one, and is not logged. */
export const LOG_PATH = '/recorded-requests';

/** A request in the proxy's log, with times on its own clock. */
export const proxiedRequestSchema = z.object({
  path: z.string(),
  /** Content type of its response, without parameters. */
  type: z.string(),
  status: z.number(),
  atMs: z.number(),
  /** null while its response is incomplete. */
  endMs: z.number().nullable(),
});
export type ProxiedRequest = z.infer<typeof proxiedRequestSchema>;
