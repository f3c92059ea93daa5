/** What the value of an option is for. */
export type Field =
  | 'connections'
  | 'requests'
  | 'duration'
  | 'timeout'
  | 'connectTimeout'
  /** Requests a second of all connections together, and of each one. */
  | 'rate'
  | 'ratePerConnection'
  | 'header'
  | 'cookie'
  | 'method'
  | 'login'
  | 'bearer'
  | 'contentType'
  | 'accept'
  | 'userAgent'
  | 'referer'
  | 'host'
  | 'range'
  | 'address'
  | 'unixSocket'
  | 'localAddress'
  | 'mostRedirects'
  | 'reconnect'
  | 'expectBody'
  /** Bodies: a text, a file that is sent by POST or PUT, and the ways of curl to say one. */
  | 'body'
  | 'bodyFile'
  | 'postFile'
  | 'putFile'
  | 'data'
  | 'dataRaw'
  | 'dataBinary'
  | 'dataEncoded'
  | 'json'
  | 'part'
  | 'partText'
  | 'partsJson'
  | 'queryEncoded';

export type Switch =
  | 'nothing'
  | 'head'
  | 'insecure'
  | 'compressed'
  | 'keepAlive'
  | 'closes'
  | 'follow'
  | 'noFollow'
  | 'dataInQuery'
  | 'globOff'
  | 'parallel'
  | 'help';

export type Meaning =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'switch'; readonly does: Switch }
  /** It has a value, and changes only what is printed or kept of the answers. */
  | { readonly kind: 'output' }
  /** A plan cannot say it; `what` it asks for and what is done `instead`. */
  | { readonly kind: 'none'; readonly what: string; readonly instead: string | undefined; readonly hasValue: boolean };

export type Options = ReadonlyMap<string, Meaning>;

export const field = (name: Field): Meaning => ({ kind: 'field', field: name });
export const does = (name: Switch): Meaning => ({ kind: 'switch', does: name });
export const nothing: Meaning = does('nothing');
export const output: Meaning = { kind: 'output' };
/** Without `instead` it is only left out. */
export const none = (what: string, instead?: string, hasValue = true): Meaning => ({ kind: 'none', what, instead, hasValue });

export const throughProxy = (hasValue: boolean): Meaning =>
  none(
    'The requests go through a proxy.',
    'It was left out: Holdfast connects to the server itself, so what the proxy adds, caches, lets through or takes is not in the load. To load the proxy, make it the target.',
    hasValue,
  );
export const proxy = throughProxy(true);
/** How a proxy is spoken with. */
export const ofProxy = (what: string, hasValue: boolean): Meaning => none(what, 'Holdfast connects to the server itself.', hasValue);
export const certificate = none(
  'A certificate or its key is in a file.',
  'It was left out. Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
);
export const protocol = (hasValue: boolean): Meaning =>
  none('A version of HTTP, of TLS or of IP is asked for.', 'Holdfast speaks HTTP/1.1 and leaves the rest to the system.', hasValue);
export const connectTo = none(
  'The name of the server is to lead to an address that the command says.',
  'It was left out, so requests go to wherever the name leads here, which may be another machine. Write the address into /etc/hosts, or into the URL, with the name as the header Host.',
);
export const pipelining = none(
  'Several requests at once are sent over one connection.',
  'One after the other is sent; raise the number of connections for more.',
);
const triedAgain = (hasValue: boolean): Meaning =>
  none('What fails is tried again.', 'Each request is sent once, so that failures are counted.', hasValue);
export const retries = triedAgain(true);
export const retriesAll = triedAgain(false);

/** Rows of spellings, separated by blanks, and what they mean. */
export function table(...rows: readonly (readonly [string, Meaning])[]): Options {
  return new Map(rows.flatMap(([spellings, meaning]) => spellings.split(' ').map((spelling) => [spelling, meaning] as const)));
}
