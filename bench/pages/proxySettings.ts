import { z } from 'zod';

/** Settings of `recordingProxy.ts`. */
export const proxySettingsSchema = z.strictObject({
  /** Address of the site. */
  upstream: z.url(),
  /** Delay of each response in ms, or null for none. */
  delayMs: z
    .strictObject({ least: z.int().min(0), most: z.int().max(10_000) })
    .nullable()
    .default(null),
  /** The certificate for HTTP/2 and HTTP/1.1 over TLS; null means HTTP/1.1 without TLS. */
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
});
export type ProxySettings = z.input<typeof proxySettingsSchema>;

/** Path of requests that return the log since the last such request. These requests are not logged themselves. */
export const LOG_PATH = '/recorded-requests';

/** A request in the proxy's log. Its times are on the proxy's clock. */
export const proxiedRequestSchema = z.object({
  path: z.string(),
  /** Content type of the response, without parameters. */
  type: z.string(),
  status: z.number(),
  atMs: z.number(),
  /** Time at which the response was complete; null if it is not complete yet. */
  endMs: z.number().nullable(),
});
export type ProxiedRequest = z.infer<typeof proxiedRequestSchema>;
