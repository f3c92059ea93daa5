import type { TargetConnection } from '../targetConnection.ts';

/** Verified against the public authorities, over the network, without any certificate. */
export const USUAL_CONNECTION: TargetConnection = { tls: { verify: true }, connections: {}, clientCertificate: null };
