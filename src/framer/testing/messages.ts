/** The responses that a parser reads on one connection, in the same shape for llhttp and the framer. */
export interface ReadMessage {
  readonly status: number;
  readonly minorVersion: number;
  /** Values of the compared headers. The values of lines with the same name are joined by LF. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Whether the connection stays open; null for HEAD, because llhttp decides this before it knows that there is no body. How later bytes
   * are treated is compared instead.
   */
  readonly keepAlive: boolean | null;
  /** Number of preceding 1xx responses. */
  readonly interim: number;
}

export interface ReadConnection {
  readonly messages: readonly ReadMessage[];
  /** Body bytes of the incomplete last message. */
  readonly unfinishedBody: string;
  /** The parser's code of the refusal; null if it refused nothing. */
  readonly refusal: string | null;
}

/** Headers that are compared in addition to the framing. */
export const COMPARED_HEADERS = ['server', 'location', 'set-cookie', 'x-cache', 'age'] as const;

/** How one connection is read. */
export interface Reading {
  /** Positions at which the bytes are cut. The bytes between two cuts arrive in one read. */
  readonly cuts: readonly number[];
  /** Whether the requests were HEAD requests. */
  readonly head: boolean;
  /** Whether the server closes the connection after the last byte. */
  readonly closes: boolean;
}

/** Returns the pieces of `bytes` between the cuts, without empty ones. */
export function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const list: Buffer[] = [];
  for (let index = 1; index < bounds.length; index += 1) {
    const piece = bytes.subarray(bounds[index - 1], bounds[index]);
    if (piece.length > 0) list.push(piece);
  }
  return list;
}
