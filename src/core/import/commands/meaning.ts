/** Purpose of an option’s value. */
export type Field =
  | 'connections'
  | 'requests'
  | 'duration'
  | 'timeout'
  | 'connectTimeout'
  /** Requests per second of all connections together, and of each connection. */
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
  /** HTTP/2 streams on each connection, rounds of each connection, and the maximum pause between its requests. */
  | 'streams'
  | 'rounds'
  | 'pause'
  /** Separate name and password for HTTP Basic. */
  | 'userName'
  | 'password'
  | 'expectBody'
  /** Bodies: a text, a file sent with POST or PUT, and the options of curl. */
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
  /** HTTP/2 if TLS negotiates it, and HTTP/2 even without TLS. */
  | 'http2'
  | 'http2Always'
  | 'http1'
  | 'follow'
  | 'noFollow'
  | 'dataInQuery'
  | 'globOff'
  | 'parallel'
  | 'help';

export type Meaning =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'switch'; readonly does: Switch }
  /** An option with a value that changes only the output of the tool. */
  | { readonly kind: 'output' }
  /** An option that plans do not support: `what` it means, and what Holdfast does `instead`. */
  | { readonly kind: 'none'; readonly what: string; readonly instead: string | undefined; readonly hasValue: boolean };

export type Options = ReadonlyMap<string, Meaning>;

export const field = (name: Field): Meaning => ({ kind: 'field', field: name });
export const does = (name: Switch): Meaning => ({ kind: 'switch', does: name });
export const nothing: Meaning = does('nothing');
export const output: Meaning = { kind: 'output' };
/** Returns the meaning of an unsupported option. Without `instead`, the option is left out. */
export const none = (what: string, instead?: string, hasValue = true): Meaning => ({ kind: 'none', what, instead, hasValue });

export const throughProxy = (hasValue: boolean): Meaning =>
  none(
    'The requests are sent through a proxy.',
    'Holdfast connects to the server directly, so the load does not include the proxy. To test the proxy, make it the target.',
    hasValue,
  );
export const proxy = throughProxy(true);
/** Returns the meaning of an option that configures a proxy. */
export const ofProxy = (what: string, hasValue: boolean): Meaning => none(what, 'Holdfast connects to the server directly.', hasValue);
export const certificate = none(
  'A certificate or its key is in a file.',
  'Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
);
export const protocol = (hasValue: boolean): Meaning =>
  none('It sets a version of HTTP, TLS or IP.', 'Holdfast uses HTTP/1.1 and leaves the rest to the system.', hasValue);
export const connectTo = none(
  'It sets the address that the server name resolves to.',
  'Requests are sent to the address that this system resolves, which may be another machine. Add the address to /etc/hosts, or use it in the URL and the name as the Host header.',
);
export const pipelining = none(
  'It pipelines several requests on one connection.',
  'The plan sends one at a time. For more, raise the number of connections.',
);
const triedAgain = (hasValue: boolean): Meaning =>
  none('It retries what fails.', 'The plan sends each request once and counts failures.', hasValue);
export const retries = triedAgain(true);
export const retriesAll = triedAgain(false);

/** Returns options from rows of spellings, separated by spaces, and their meaning. */
export function table(...rows: readonly (readonly [string, Meaning])[]): Options {
  return new Map(rows.flatMap(([spellings, meaning]) => spellings.split(' ').map((spelling) => [spelling, meaning] as const)));
}
