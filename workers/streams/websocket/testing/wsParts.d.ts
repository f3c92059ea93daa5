import type { Writable } from 'node:stream';

/** Exports of ws that its types do not declare. */
declare module 'ws' {
  export class PerMessageDeflate {
    static readonly extensionName: string;
    constructor(options: { readonly isServer: boolean; readonly maxPayload: number });
    accept(configurations: readonly Readonly<Record<string, readonly (string | true)[]>>[]): unknown;
  }

  export class Receiver extends Writable {
    constructor(options: {
      readonly isServer: boolean;
      readonly allowSynchronousEvents: boolean;
      readonly maxPayload: number;
      readonly extensions: Readonly<Record<string, PerMessageDeflate>>;
    });
    on(event: string, listener: (...given: never[]) => void): this;
  }
}
