import type { TargetConnection } from '../targetConnection.ts';

/** A connection that verifies certificates with the public authorities, uses the network, and has no client certificate. */
export const USUAL_CONNECTION: TargetConnection = { tls: { verify: true }, connections: {}, clientCertificate: null };
