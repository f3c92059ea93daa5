import { z } from 'zod';

/**
 * What passes over a WebSocket before the first frame of the RPC: the page shows the token of this start of Holdfast, and the
 * server says that it may go on. A cookie cannot do this: browsers send it to every port of 127.0.0.1.
 */
export const helloSchema = z.strictObject({ type: z.literal('hello'), token: z.string().max(200) });
export type Hello = z.infer<typeof helloSchema>;

/** The server's answer to the right token. */
export const WELCOME = JSON.stringify({ type: 'welcome' });

/** With this code the server closes a WebSocket that showed no token, or another one. */
export const REFUSED_CODE = 4401;
