import { getOwn } from '#core/base/ownMembers.ts';

export const NO_SUCH_SOCKET = 'There is no such Unix socket.';

/** Why nothing comes back, and what to do. */
interface Cause {
  readonly sentence: string;
  readonly remedy: string;
}

/** How a person goes on who knows that the server is theirs. */
const TRUST_IT =
  'trust that certificate (“tls.ca” in the plan, --ca FILE on the command line), or do not verify it (“Certificate” on the Target page, --insecure)';

const SELF_SIGNED: Cause = {
  sentence: 'The certificate of the server is not trusted: the server signed it itself, so nobody vouches for it.',
  remedy: `Visitors’ browsers refuse it as well. On a test server of your own, ${TRUST_IT}.`,
};

const UNKNOWN_ISSUER: Cause = {
  sentence: 'The certificate of the server is not trusted: the machine that asked does not know who signed it.',
  remedy: `Often the server does not send its intermediate certificate: let it send the full chain. With an authority of your own, ${TRUST_IT}.`,
};

const CLIENT_CERTIFICATE: Cause = {
  sentence: 'The server ended the handshake of TLS: it probably wants a client certificate that it trusts.',
  remedy:
    'Show it one (“tls.clientCertificate” in the plan, --cert FILE --key FILE on the command line). If one was shown, ask whoever runs the server which authority it trusts.',
};

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    sentence: 'Nothing listens at that address: every connection was refused.',
    remedy: 'Start the server, or correct host and port. From another machine also look at its firewall.',
  },
  ENOTFOUND: {
    sentence: 'The name of the server does not exist.',
    remedy: 'Check the spelling of the host in the address, and that the DNS of the machine that makes the load knows it.',
  },
  EAI_AGAIN: {
    sentence: 'The name of the server could not be looked up.',
    remedy: 'The DNS server did not answer. Check the network of the machine that makes the load, or use the IP address.',
  },
  ECONNRESET: {
    sentence: 'The server accepts connections and breaks every one of them.',
    remedy: 'Often https is expected and http was used (or the other way round). Look into the server’s log.',
  },
  ETIMEDOUT: {
    sentence: 'No connection came about in time.',
    remedy: 'A firewall that drops packets looks like this. Try the address from the machine that makes the load.',
  },
  ENOENT: {
    sentence: NO_SUCH_SOCKET,
    remedy: 'Check its path (“connections.socketPath” in the plan, --unix-socket on the command line), and that the server is running.',
  },
  EADDRNOTAVAIL: {
    sentence: 'No connection could be made: no port was free, or the local address of the plan is none of the machine that makes the load.',
    remedy:
      'If the plan names local addresses (“connections.localAddresses”, --local-address), check them. Else wait a minute, and keep connections open between requests.',
  },
  EAFNOSUPPORT: {
    sentence: 'The server has no address of the kind of the local addresses (IPv4 or IPv6).',
    remedy:
      'Name a local address of the other kind as well (“connections.localAddresses” in the plan, --local-address on the command line).',
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CLIENT_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: {
    sentence: 'The certificate of the server is not trusted: it leads to an authority that the machine that asked does not know.',
    remedy: `A company’s own authority looks like this. If it is yours, ${TRUST_IT}.`,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: {
    sentence: 'The certificate of the server has expired.',
    remedy:
      'Renew it: browsers refuse it too. If it is valid, the clock of the machine that makes the load is wrong. To measure all the same, do not verify it (“Certificate” on the Target page, --insecure).',
  },
  CERT_NOT_YET_VALID: {
    sentence: 'The certificate of the server is not valid yet.',
    remedy: 'Compare the clocks of the machine that makes the load and of the server.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    sentence: 'The certificate of the server was made for another name than the one in the address.',
    remedy:
      'Use the name that the certificate was made for, say it in the plan (“tls.serverName”) where the address cannot, or do not verify the certificate (“Certificate” on the Target page, --insecure).',
  },
};

const OTHER: Cause = { sentence: 'Not one request was answered.', remedy: 'Send one request on the Target page: its answer says more.' };

/** What the most frequent of these errors (`CODE@phase` by count) means when nothing at all was answered. */
export function causeOf(errors: Readonly<Record<string, number>>): Cause & { readonly name: string; readonly count: number } {
  const [name = '', count = 0] = Object.entries(errors).sort(([, some], [, others]) => others - some)[0] ?? [];
  const code = name.split('@')[0] ?? '';
  return { name, count, ...(getOwn(CAUSES, code) ?? OTHER) };
}
