import { createHash } from 'node:crypto';
import { type AgreedDeflate, agreedDeflate, type DeflateOffer, deflateOffer } from './permessageDeflate.ts';

const KEY_BYTES = 16;
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** What one asks for with a connection. */
export interface UpgradeOptions {
  /** Of the page that would open it; null: none is sent, as by programs. */
  readonly origin: string | null;
  /** Subprotocols, the favourite first. */
  readonly protocols: readonly string[];
  /** null: nothing is compressed. */
  readonly deflate: DeflateOffer | null;
}

/** The request of one connection. */
export interface UpgradeRequest {
  /** Beside Host; over those of the plan, as they decide what the answer must be. */
  readonly headers: Readonly<Record<string, string>>;
  /** What Sec-WebSocket-Accept must be. */
  readonly accept: string;
  readonly options: UpgradeOptions;
}

/** What a server answered; headers that came several times are joined by LF. */
export interface UpgradeAnswer {
  readonly status: number;
  readonly upgrade: string | undefined;
  readonly connection: string | undefined;
  readonly accept: string | undefined;
  readonly protocol: string | undefined;
  readonly extensions: string | undefined;
}

export type HandshakeFault =
  /** Any status but 101: the server answered the request as one of HTTP. */
  | 'WS_NOT_UPGRADED'
  /** Upgrade is not websocket. */
  | 'WS_BAD_UPGRADE'
  /** Connection does not name Upgrade. */
  | 'WS_BAD_CONNECTION'
  /** It does not follow from our key: something answered that does not know WebSocket, or another request. */
  | 'WS_BAD_ACCEPT'
  /** A subprotocol that was not asked for. */
  | 'WS_BAD_PROTOCOL'
  /** None of the subprotocols that were asked for; browsers take that for a failure too. */
  | 'WS_NO_PROTOCOL'
  /** An extension or a parameter that was not offered. */
  | 'WS_BAD_EXTENSION';

export interface Upgraded {
  readonly fault: null;
  readonly protocol: string | null;
  readonly deflate: AgreedDeflate | null;
}

/** The Upgrade request of RFC 6455, 4.1, with a key of its own; `random` makes so many random bytes. */
export function upgradeRequest(options: UpgradeOptions, random: (bytes: number) => Buffer): UpgradeRequest {
  const key = random(KEY_BYTES).toString('base64');
  const { origin, protocols, deflate } = options;
  return {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      ...(origin === null ? {} : { Origin: origin }),
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
      ...(protocols.length === 0 ? {} : { 'Sec-WebSocket-Protocol': protocols.join(', ') }),
      ...(deflate === null ? {} : { 'Sec-WebSocket-Extensions': deflateOffer(deflate) }),
    },
    accept: createHash('sha1').update(`${key}${GUID}`).digest('base64'),
    options,
  };
}

/** Whether the server speaks WebSocket from here on (RFC 6455, 4.1), and what it agreed to. */
export function judgeUpgrade({ accept, options }: UpgradeRequest, answer: UpgradeAnswer): Upgraded | { readonly fault: HandshakeFault } {
  if (answer.status !== 101) return { fault: 'WS_NOT_UPGRADED' };
  if (answer.upgrade?.toLowerCase() !== 'websocket') return { fault: 'WS_BAD_UPGRADE' };
  if (!namesUpgrade(answer.connection ?? '')) return { fault: 'WS_BAD_CONNECTION' };
  if (answer.accept !== accept) return { fault: 'WS_BAD_ACCEPT' };
  const { protocol = null } = answer;
  if (protocol !== null && !options.protocols.includes(protocol)) return { fault: 'WS_BAD_PROTOCOL' };
  if (protocol === null && options.protocols.length > 0) return { fault: 'WS_NO_PROTOCOL' };
  const deflate = agreedDeflate(answer.extensions ?? '', options.deflate);
  return deflate === 'WS_BAD_EXTENSION' ? { fault: deflate } : { fault: null, protocol, deflate };
}

function namesUpgrade(connection: string): boolean {
  return connection.split(/[,\n]/).some((option) => option.trim().toLowerCase() === 'upgrade');
}
