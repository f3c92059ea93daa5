import { createHash } from 'node:crypto';
import { DEFLATE_OFFER, parseAgreedWindow } from './permessageDeflate.ts';

const KEY_BYTES = 16;
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export interface UpgradeOptions {
  /** Origin of the page; null if none is sent, as by programs. */
  readonly origin: string | null;
  /** Subprotocols in order of preference. */
  readonly protocols: readonly string[];
}

export interface UpgradeRequest {
  /** Headers in addition to Host. They override the plan's headers, because the expected response depends on them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Expected value of Sec-WebSocket-Accept. */
  readonly accept: string;
  readonly options: UpgradeOptions;
}

/** The server's response. The values of repeated headers are joined by LF. */
export interface UpgradeResponse {
  readonly status: number;
  readonly upgrade: string | undefined;
  readonly connection: string | undefined;
  readonly accept: string | undefined;
  readonly protocol: string | undefined;
  readonly extensions: string | undefined;
}

export type HandshakeFault =
  /** The status is not 101, so it is an ordinary HTTP response. */
  | 'WS_NOT_UPGRADED'
  /** The header Upgrade is not `websocket`. */
  | 'WS_BAD_UPGRADE'
  /** The header Connection does not name Upgrade. */
  | 'WS_BAD_CONNECTION'
  /** Sec-WebSocket-Accept does not match the key of the request: the server does not implement WebSocket, or replied to another request. */
  | 'WS_BAD_ACCEPT'
  /** The server selected a subprotocol that was not requested. */
  | 'WS_BAD_PROTOCOL'
  /** The server selected none of the requested subprotocols. Browsers fail then, too. */
  | 'WS_NO_PROTOCOL'
  /** The server used an extension or a parameter that was not offered. */
  | 'WS_BAD_EXTENSION';

export interface UpgradeResult {
  readonly fault: null;
  readonly protocol: string | null;
  /** Window of the server's compression in bits; null if it does not compress. */
  readonly windowBits: number | null;
}

/** Returns the upgrade request of RFC 6455, section 4.1, with a new key. `random` returns the given number of random bytes. */
export function upgradeRequest(options: UpgradeOptions, random: (bytes: number) => Buffer): UpgradeRequest {
  const key = random(KEY_BYTES).toString('base64');
  const { origin, protocols } = options;
  return {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      ...(origin === null ? {} : { Origin: origin }),
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
      ...(protocols.length === 0 ? {} : { 'Sec-WebSocket-Protocol': protocols.join(', ') }),
      'Sec-WebSocket-Extensions': DEFLATE_OFFER,
    },
    accept: createHash('sha1').update(`${key}${ACCEPT_GUID}`).digest('base64'),
    options,
  };
}

/** Judges the response (RFC 6455, section 4.1). Returns what was agreed, or the error. */
export function judgeUpgrade(
  { accept, options }: UpgradeRequest,
  response: UpgradeResponse,
): UpgradeResult | { readonly fault: HandshakeFault } {
  if (response.status !== 101) return { fault: 'WS_NOT_UPGRADED' };
  if (response.upgrade?.toLowerCase() !== 'websocket') return { fault: 'WS_BAD_UPGRADE' };
  if (!namesUpgrade(response.connection ?? '')) return { fault: 'WS_BAD_CONNECTION' };
  if (response.accept !== accept) return { fault: 'WS_BAD_ACCEPT' };
  const { protocol = null } = response;
  if (protocol !== null && !options.protocols.includes(protocol)) return { fault: 'WS_BAD_PROTOCOL' };
  if (protocol === null && options.protocols.length > 0) return { fault: 'WS_NO_PROTOCOL' };
  const windowBits = parseAgreedWindow(response.extensions ?? '');
  return windowBits === 'WS_BAD_EXTENSION' ? { fault: windowBits } : { fault: null, protocol, windowBits };
}

function namesUpgrade(connection: string): boolean {
  return connection.split(/[,\n]/).some((option) => option.trim().toLowerCase() === 'upgrade');
}
