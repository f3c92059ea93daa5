import { readErrorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';

export const MISSING_SOCKET_TEXT = 'The Unix socket does not exist.';

/** The reason why no response arrives, and the remedy. */
interface Cause {
  readonly sentence: string;
  readonly remedy: string;
}

const TRUST_CERTIFICATE_REMEDY =
  'trust that certificate (“tls.ca” in the plan, --ca FILE on the command line), or do not verify it (“Certificate” on the Target page, --insecure)';

const SELF_SIGNED_CAUSE: Cause = {
  sentence: 'The server’s certificate is not trusted: it is self-signed.',
  remedy: `Browsers refuse it as well. On a test server of your own, ${TRUST_CERTIFICATE_REMEDY}.`,
};

const UNKNOWN_ISSUER_CAUSE: Cause = {
  sentence: 'The server’s certificate is not trusted: its issuer is unknown to the load generator.',
  remedy: `Often the server does not send its intermediate certificate: let it send the full chain. With your own authority, ${TRUST_CERTIFICATE_REMEDY}.`,
};

const CLIENT_CERTIFICATE_CAUSE: Cause = {
  sentence: 'The server ended the TLS handshake: it probably requires a client certificate that it trusts.',
  remedy:
    'Provide one (“tls.clientCertificate” in the plan, --cert FILE --key FILE on the command line). If one was sent, ask who runs the server which authority it trusts.',
};

export const USE_HTTP2_REMEDY =
  'Choose HTTP/2 (“Protocol” on the Load page, “connections.protocol: h2” in the plan, --http2 on the command line).';

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    sentence: 'Every connection was refused: nothing listens at that address.',
    remedy: 'Start the server, or correct host and port. From another machine, also check its firewall.',
  },
  ENOTFOUND: {
    sentence: 'The server’s name does not exist.',
    remedy: 'Check the spelling of the host in the address, and that the load generator’s DNS knows it.',
  },
  EAI_AGAIN: {
    sentence: 'The server’s name could not be looked up.',
    remedy: 'The DNS server did not respond. Check the load generator’s network, or use the IP address.',
  },
  ECONNRESET: {
    sentence: 'The server accepts connections and resets every one of them.',
    remedy: 'Often the server expects https and got http, or the other way round. Check the server’s log.',
  },
  ETIMEDOUT: {
    sentence: 'Connections timed out.',
    remedy: 'Probably a firewall drops the packets. Try the address from the load generator.',
  },
  ENOENT: {
    sentence: MISSING_SOCKET_TEXT,
    remedy: 'Check its path (“connections.socketPath” in the plan, --unix-socket on the command line), and that the server is running.',
  },
  EADDRNOTAVAIL: {
    sentence: 'No connection could be opened: no port was free, or the plan’s local address does not belong to the load generator.',
    remedy:
      'If the plan names local addresses (“connections.localAddresses”, --local-address), check them. Otherwise wait a minute, and keep connections open between requests.',
  },
  EAFNOSUPPORT: {
    sentence: 'The server has no address of the same family (IPv4 or IPv6) as the local addresses.',
    remedy:
      'Also name a local address of the other family (“connections.localAddresses” in the plan, --local-address on the command line).',
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_CERTIFICATE_CAUSE,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: {
    sentence: 'The server speaks HTTP/2 only, and the test used HTTP/1.1.',
    remedy: USE_HTTP2_REMEDY,
  },
  NO_HTTP2: {
    sentence: 'The server does not offer HTTP/2, which the plan wants.',
    remedy: 'Choose HTTP/1.1 (“Protocol” on the Load page, “connections.protocol” in the plan).',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED_CAUSE,
  SELF_SIGNED_CERT_IN_CHAIN: {
    sentence: 'The server’s certificate is not trusted: it leads to an authority that the load generator does not know.',
    remedy: `Probably a company’s own authority. If it is yours, ${TRUST_CERTIFICATE_REMEDY}.`,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER_CAUSE,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER_CAUSE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER_CAUSE,
  CERT_HAS_EXPIRED: {
    sentence: 'The server’s certificate has expired.',
    remedy:
      'Renew it: browsers refuse it too. If it is valid, the load generator’s clock is wrong. To measure anyway, do not verify it (“Certificate” on the Target page, --insecure).',
  },
  CERT_NOT_YET_VALID: {
    sentence: 'The server’s certificate is dated in the future: it is not valid now.',
    remedy: 'Compare the clocks of the load generator and the server.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    sentence: 'The server’s certificate was issued for another name than the one in the address.',
    remedy:
      'Use the name in the certificate. If the address cannot, set it in the plan (“tls.serverName”), or do not verify the certificate (“Certificate” on the Target page, --insecure).',
  },
};

const OTHER_CAUSE: Cause = {
  sentence: 'No request got a response.',
  remedy: 'Open the page Check of the test: it shows the response to one request.',
};

/** Returns the cause of the most frequent error, for a run in which no request had a response. */
export function findMainCause(errors: Readonly<Record<string, number>>): Cause & { readonly name: string; readonly count: number } {
  const [name = '', count = 0] = Object.entries(errors).sort(([, some], [, others]) => others - some)[0] ?? [];
  return { name, count, ...(getOwn(CAUSES, readErrorName(name).code) ?? OTHER_CAUSE) };
}
