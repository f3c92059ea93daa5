import { z } from 'zod';

/** Settings of `recordingProxy.ts`. */
export const proxySettingsSchema = z.strictObject({
  /** Address of the site. */
  upstream: z.url(),
  /** Delay of each response; null means no delay. */
  delayMs: z
    .strictObject({ least: z.int().min(0), most: z.int().max(10_000) })
    .nullable()
    .default(null),
  /** The certificate for HTTP/2 and HTTP/1.1 over TLS; null means HTTP/1.1 without TLS. */
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
});
export type ProxySettings = z.input<typeof proxySettingsSchema>;

/** A request to this path returns the log since the last such request, and is not logged. */
export const LOG_PATH = '/recorded-requests';

/** A request in the proxy's log, with times on its own clock. */
export const proxiedRequestSchema = z.object({
  path: z.string(),
  /** Content type of the response, without parameters. */
  type: z.string(),
  status: z.number(),
  atMs: z.number(),
  /** null while the response is incomplete. */
  endMs: z.number().nullable(),
});
export type ProxiedRequest = z.infer<typeof proxiedRequestSchema>;
