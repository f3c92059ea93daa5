import type { Problem } from '#core/base/errors.ts';
import { REFUSALS } from '#framer/refusals.ts';
import { certificateWords } from './certificates.ts';
import { NoResponseError } from './singleRequest.ts';
import { MISSING_SOCKET_TEXT, USE_HTTP2_REMEDY } from '#core/judgement/diagnosis/causes.ts';

/** Explains why no response arrived, and what to do. */
export function unreachableProblem(thrown: unknown, url: URL): Problem {
  if (!(thrown instanceof NoResponseError)) throw thrown;
  const { code, message } = thrown;
  const [what, hint] = explainFailure(code, message, url);
  return { code, message: what, hint };
}

type Explanation = [message: string, hint: string];

function explainFailure(code: string, message: string, url: URL): Explanation {
  const { host, hostname } = url;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const explained = explainTlsFailure(code, message, url) ?? explainLocalFailure(code, url);
  if (explained !== null) return explained;
  switch (code) {
    case 'ECONNREFUSED':
      return [
        `Connection refused by ${host}. Probably nothing listens there.`,
        `Start the server, or check the port ${port}. A server that listens only on 127.0.0.1 cannot be reached from another machine.`,
      ];
    case 'ENOTFOUND':
      return [`The name ${hostname} does not resolve.`, 'Check the spelling, and the network of this computer.'];
    case 'EAI_AGAIN':
      return [`The name ${hostname} could not be looked up.`, 'The name server did not respond. Check the network, or use the IP address.'];
    case 'TIMEOUT':
    case 'ETIMEDOUT':
      return [
        code === 'TIMEOUT' ? message : `${host} did not respond to the connection attempt.`,
        'Probably a firewall drops packets, or the server hangs. Try the address in a browser on this computer.',
      ];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [`No route to ${host} from this computer (${code}).`, 'Check the network connection, the VPN, and the address.'];
    case 'ECONNRESET':
    case 'EPIPE':
      return [
        `${host} closed the connection without a response.`,
        url.protocol === 'http:'
          ? `Probably it needs https://${host}/ instead.`
          : 'Probably a proxy or a firewall in between closed it. Check the server’s error log.',
      ];
    case 'ERR_INVALID_CHAR':
    case 'ERR_UNESCAPED_CHARACTERS':
      return [
        'The request cannot be sent: a header or the address has a character that HTTP does not allow.',
        'Check the cookie and the headers for a line break or a non-ASCII letter.',
      ];
    case 'CLOSED_EARLY':
      return [
        `${host} closed the connection before its response was complete.`,
        'Probably its length is wrong, or a proxy in between ended it. Check the server’s error log.',
      ];
    case 'NOT_HTTP':
    case 'BAD_VERSION':
      return [
        `The response of ${host} is not HTTP (${code}).`,
        `Probably ${port} is the port of another service, or it needs https:// instead.`,
      ];
    default:
      return REFUSALS.some((refusal) => refusal === code)
        ? [
            `The response of ${host} is malformed (${code}). A load refuses it, too.`,
            'Mend the server, or the proxy that sent it: clients read such a response differently (docs/framing.md).',
          ]
        : [`No response from ${host}: ${message} (${code}).`, 'Try the address in a browser on this computer, and check the server’s log.'];
  }
}

/** Explains a certificate or a TLS handshake that failed; null for other failures. */
function explainTlsFailure(code: string, message: string, { host, hostname }: URL): Explanation | null {
  const untrusted = certificateWords(code, hostname);
  if (untrusted !== null)
    return [
      untrusted,
      'If this server is yours, trust the authority that signed it (“tls.ca” in the plan, --ca FILE), or turn off certificate verification (“Certificate” on the Target page, --insecure).',
    ];
  switch (code) {
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return [`The TLS handshake with ${host} failed (${code}).`, `Probably it does not use TLS. Try http://${host}/.`];
    case 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL':
      return [`${host} speaks another version of HTTP than the plan, probably HTTP/2 only.`, USE_HTTP2_REMEDY];
    case 'ECERT':
      return [`The certificate of ${host} cannot be used: ${message}`, 'Renew it on the server.'];
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
    case 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
    case 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED':
      return [
        `${host} ended the TLS handshake (${code}).`,
        'Probably it needs a client certificate that it trusts: “tls.clientCertificate” in the plan, --cert FILE --key FILE on the command line.',
      ];
    default:
      return null;
  }
}

/** Explains a failure that this computer caused before it sent anything; null for other failures. */
function explainLocalFailure(code: string, { host }: URL): Explanation | null {
  switch (code) {
    case 'ENOENT':
      return [MISSING_SOCKET_TEXT, 'Check its path (“connections.socketPath”, --unix-socket), and that the server is running.'];
    case 'ENOTSOCK':
      return ['The path of the Unix socket is not a socket.', 'Check the path (“connections.socketPath”, --unix-socket).'];
    case 'EADDRNOTAVAIL':
      return [
        `Cannot connect to ${host} from the local address of the plan (EADDRNOTAVAIL).`,
        'Use an address of this computer: see “connections.localAddresses”, --local-address.',
      ];
    case 'EACCES':
    case 'EPERM':
      return [`This computer does not allow a connection to ${host} (${code}).`, 'Probably a local firewall or a sandbox forbids it.'];
    default:
      return null;
  }
}
