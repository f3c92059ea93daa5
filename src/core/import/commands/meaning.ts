type LoadField = 'connections' | 'requests' | 'duration' | 'rate' | 'ratePerConnection' | 'streams' | 'rounds' | 'pause';
type HeaderField = 'header' | 'cookie' | 'contentType' | 'accept' | 'userAgent' | 'referer' | 'host' | 'range';
type LoginField = 'login' | 'bearer' | 'userName' | 'password';
type ConnectionField =
  | 'timeout'
  | 'connectTimeout'
  | 'unixSocket'
  | 'localAddress'
  | 'reconnect'
  | 'mostRedirects'
  | 'resolve'
  | 'connectTo';
/** Body options of curl. */
type DataField = 'data' | 'dataRaw' | 'dataBinary' | 'dataEncoded' | 'json' | 'part' | 'partText';
/** Body options of other tools: a text; a file sent with the command's method, with POST or with PUT; and autocannon’s form. */
type BodyField = 'body' | 'bodyFile' | 'postFile' | 'putFile' | 'partsJson';

/**
 * Purpose of an option’s value. `rate`: requests per second of all connections together; `streams`: HTTP/2 streams of each connection;
 * `rounds`: requests of each connection; `pause`: the maximum pause between its requests.
 */
export type Field =
  | LoadField
  | HeaderField
  | LoginField
  | ConnectionField
  | DataField
  | BodyField
  | 'method'
  | 'address'
  | 'addressFile'
  | 'expectBody'
  | 'queryEncoded';

type ConnectionSwitch = 'insecure' | 'keepAlive' | 'closes' | 'http1' | 'http2' | 'http2Always';

/**
 * Purpose of an option without a value. `http2`: HTTP/2 if TLS negotiates it; `http2Always`: HTTP/2 even without TLS; `addressIsFile`: the
 * address is the name of a file of addresses.
 */
export type Switch =
  | ConnectionSwitch
  | 'nothing'
  | 'head'
  | 'compressed'
  | 'follow'
  | 'noFollow'
  | 'dataInQuery'
  | 'globOff'
  | 'parallel'
  | 'addressIsFile'
  | 'help';

export type Meaning =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'switch'; readonly does: Switch }
  /** An option with a value that changes only the output of the tool. */
  | { readonly kind: 'output' }
  /** An option that plans do not support. `what`: the meaning of the option; `instead`: what Holdfast does instead. */
  | { readonly kind: 'none'; readonly what: string; readonly instead: string | undefined; readonly hasValue: boolean };

export type Options = ReadonlyMap<string, Meaning>;

/** Spellings of options, separated by spaces; a long list is several texts. */
type Spellings = string | readonly string[];
type Rows<Name extends string> = Readonly<Partial<Record<Name, Spellings>>>;
type UnsupportedRow = readonly [spellings: Spellings, what: string, instead?: string | undefined, hasValue?: boolean];

/** Returns the options of a tool by their spellings. Unsupported options take a value unless their row says false. */
export function optionTable(fields: Rows<Field | 'output'>, switches: Rows<Switch>, ...unsupported: readonly UnsupportedRow[]): Options {
  const meanings: (readonly [Spellings, Meaning])[] = [];
  for (const [field, spellings] of Object.entries(fields) as [Field | 'output', Spellings][])
    meanings.push([spellings, field === 'output' ? { kind: 'output' } : { kind: 'field', field }]);
  for (const [does, spellings] of Object.entries(switches) as [Switch, Spellings][]) meanings.push([spellings, { kind: 'switch', does }]);
  for (const [spellings, what, instead, hasValue = true] of unsupported)
    meanings.push([spellings, { kind: 'none', what, instead, hasValue }]);
  return new Map(
    meanings.flatMap(([spellings, meaning]) =>
      [spellings].flat().flatMap((list) => list.split(' ').map((spelling) => [spelling, meaning] as const)),
    ),
  );
}

// Notes on options of several tools: what they mean, and what Holdfast does instead.

export const DIRECT_CONNECTION_NOTE = 'Holdfast connects to the server directly.';
export const PROXY_NOTE = [
  'The requests are sent through a proxy.',
  'Holdfast connects to the server directly, so the load does not include the proxy. To test the proxy, make it the target.',
] as const;
export const CERTIFICATE_NOTE = [
  'A certificate or its key is in a file.',
  'Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
] as const;
export const PROTOCOL_NOTE = [
  'It sets a version of HTTP, TLS or IP.',
  'Holdfast uses HTTP/1.1 and leaves the rest to the system.',
] as const;
export const CONNECT_TO_NOTE = [
  'It sets the address that the server name resolves to.',
  'Requests are sent to the address that this system resolves, which may be another machine. Add the address to /etc/hosts, or use it in the URL and the name as the Host header.',
] as const;
export const PIPELINING_NOTE = [
  'It pipelines several requests on one connection.',
  'The plan sends one at a time. For more, raise the number of connections.',
] as const;
export const DNS_SERVER_NOTE = [
  'It uses its own DNS server.',
  'Names are resolved by this system and may lead to another machine.',
] as const;
export const RETRIES_NOTE = ['It retries what fails.', 'The plan sends each request once and counts failures.'] as const;
export const WARM_UP_NOTE = ['A warm-up runs before the test.', 'Add a stage with counted: false before the load.'] as const;
export const ADDRESS_FILE_NOTE = ['Addresses are in a file.', 'The plan requests only the address of the command.'] as const;
