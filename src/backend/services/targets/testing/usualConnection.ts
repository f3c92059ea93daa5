import type { TargetConnection } from '../targetConnection.ts';

/** Verifies with the public authorities, connects over the network, and has no client certificate. */
export const USUAL_CONNECTION: TargetConnection = { tls: { verify: true }, connections: {}, clientCertificate: null };
