import type { TargetConnection } from '../targetConnection.ts';

/** Verified with the public authorities, over the network, without a client certificate. */
export const USUAL_CONNECTION: TargetConnection = { tls: { verify: true }, connections: {}, clientCertificate: null };
