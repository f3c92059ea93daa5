/** What a reader of responses makes of the bytes of one connection: the same shape for llhttp and for our framer. */
export interface ReadMessage {
  readonly status: number;
  readonly minorVersion: number;
  /** Values of the headers the comparison asks for, lines of one name joined by LF. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** null for HEAD: llhttp decides before it knows that there is no body. What it does with bytes behind it is compared instead. */
  readonly keepAlive: boolean | null;
  /** 1xx answers before it. */
  readonly interim: number;
}

export interface ReadConnection {
  readonly messages: readonly ReadMessage[];
  /** Body bytes of the message that was not finished when the bytes ended or were refused. */
  readonly unfinishedBody: string;
  /** Code of the refusal, in the words of the reader; null when there was none. */
  readonly refusal: string | null;
}

/** Headers that the comparison looks at beside the framing. */
export const COMPARED_HEADERS = ['server', 'location', 'set-cookie', 'x-cache', 'age'] as const;

/** How one connection is read. */
export interface Reading {
  /** Cut positions; the bytes between two of them arrive in one read. */
  readonly cuts: readonly number[];
  /** Whether the requests were HEAD. */
  readonly head: boolean;
  /** Whether the server closes after the last byte. */
  readonly closes: boolean;
}

/** The pieces of `bytes` between the cuts, empty ones left out. */
export function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const list: Buffer[] = [];
  for (let index = 1; index < bounds.length; index += 1) {
    const piece = bytes.subarray(bounds[index - 1], bounds[index]);
    if (piece.length > 0) list.push(piece);
  }
  return list;
}
