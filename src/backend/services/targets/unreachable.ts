import type { Problem } from '#core/base/errors.ts';
import { certificateWords } from './certificates.ts';
import { NoAnswer } from './singleRequest.ts';
import { NO_SUCH_SOCKET } from '#core/judgement/diagnosis/causes.ts';

/** Why no answer came, in words a person can act on. */
export function unreachableProblem(thrown: unknown, url: URL): Problem {
  if (!(thrown instanceof NoAnswer)) throw thrown;
  const { code, message } = thrown;
  const [what, hint] = words(code, message, url);
  return { code, message: what, hint };
}

function words(code: string, message: string, url: URL): [message: string, hint: string] {
  const { host, hostname } = url;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const untrusted = certificateWords(code, hostname);
  if (untrusted !== null)
    return [
      untrusted,
      'If this server is yours, trust the authority that signed it (“tls.ca” in the plan, --ca FILE), or choose not to verify certificates (“Certificate” on the Target page, --insecure).',
    ];
  switch (code) {
    case 'ECONNREFUSED':
      return [
        `Nothing listens at ${host} (connection refused).`,
        `Is the server running, and is ${port} its port? A server that listens on 127.0.0.1 only cannot be reached from another machine.`,
      ];
    case 'ENOTFOUND':
      return [
        `There is no server called ${hostname}: the name does not resolve.`,
        'Check the spelling. Is this computer on the right network?',
      ];
    case 'EAI_AGAIN':
      return [
        `The name ${hostname} could not be looked up right now.`,
        'The name server did not answer: check the network, or use the address in numbers.',
      ];
    case 'TIMEOUT':
    case 'ETIMEDOUT':
      return [
        code === 'TIMEOUT' ? message : `${host} did not answer the attempt to connect.`,
        'A firewall that drops packets looks like this, and so does a server that hangs. Try the address in a browser on this computer.',
      ];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [`There is no way to ${host} from this computer (${code}).`, 'Check the network connection, the VPN, and the address.'];
    case 'ECONNRESET':
    case 'EPIPE':
      return [
        `${host} closed the connection without an answer.`,
        url.protocol === 'http:'
          ? `Perhaps it wants https://${host}/ instead.`
          : 'A proxy or a firewall in between may do this; look at the server’s error log.',
      ];
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return [`${host} does not speak TLS the way it should (${code}).`, `Perhaps it is a plain server: try http://${host}/.`];
    case 'ECERT':
      return [`The certificate of ${host} cannot be used: ${message}`, 'Renew it on the server.'];
    case 'ERR_INVALID_CHAR':
    case 'ERR_UNESCAPED_CHARACTERS':
      return [
        'The request cannot be sent: a header or the address holds a character that HTTP does not allow.',
        'Look for a line break or a letter outside ASCII in the cookie and the headers.',
      ];
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
    case 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
    case 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED':
      return [
        `${host} ended the handshake of TLS (${code}).`,
        'It probably wants a client certificate that it trusts: “tls.clientCertificate” in the plan, --cert FILE --key FILE on the command line.',
      ];
    case 'ENOENT':
      return [NO_SUCH_SOCKET, 'Check its path (“connections.socketPath”, --unix-socket), and that the server is running.'];
    case 'ENOTSOCK':
      return ['What lies at the path of the Unix socket is no socket.', 'Check the path (“connections.socketPath”, --unix-socket).'];
    case 'EADDRNOTAVAIL':
      return [
        `No connection to ${host} can be made from the local address of the plan (EADDRNOTAVAIL).`,
        'Connections are made from addresses of this computer only: see “connections.localAddresses”, --local-address.',
      ];
    case 'EACCES':
    case 'EPERM':
      return [`This computer does not allow a connection to ${host} (${code}).`, 'A local firewall or a sandbox forbids it.'];
    default:
      return code.startsWith('HPE_')
        ? [`What ${host} answered is not HTTP (${code}).`, `Is ${port} the port of another service? Perhaps it wants https:// instead.`]
        : [
            `No answer came from ${host}: ${message} (${code}).`,
            'Try the address in a browser on this computer, and look at the server’s log.',
          ];
  }
}
