/** The part of Node's internal HTTP module used for the comparison with llhttp; @types/node does not declare it. */
declare module 'node:_http_common' {
  export interface ParserError extends Error {
    readonly code: string;
    readonly reason: string;
    readonly bytesParsed: number;
  }
  export class HTTPParser {
    static readonly RESPONSE: number;
    static readonly kOnHeaders: number;
    static readonly kOnHeadersComplete: number;
    static readonly kOnBody: number;
    static readonly kOnMessageComplete: number;
    [callback: number]: unknown;
    initialize(type: number, resource: object, maxHeaderSize: number, lenientFlags: number): void;
    execute(bytes: Uint8Array): number | ParserError;
    finish(): undefined | ParserError;
  }
}
