/**
 * The few globals that the core may use because every JavaScript host has them. The core is compiled without the libraries of
 * Node and of the browser, so anything else fails to compile.
 */
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly origin: string;
  readonly href: string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}
declare function structuredClone(value: unknown): unknown;
declare function btoa(text: string): string;
declare function atob(text: string): string;
interface ErrorConstructor {
  stackTraceLimit: number;
}
