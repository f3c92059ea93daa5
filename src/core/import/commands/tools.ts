import type { ToolName } from '../shells/shellText.ts';
import type { Draft } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { curlOptions, httpieOptions, wgetOptions } from './clientOptions.ts';
import { splitCurl, translateHttpie, translateSiege, splitVegeta } from './ownWords.ts';
import {
  ADDRESS_FILE_NOTE,
  CERTIFICATE_NOTE,
  DNS_SERVER_NOTE,
  DIRECT_CONNECTION_NOTE,
  PIPELINING_NOTE,
  PROTOCOL_NOTE,
  PROXY_NOTE,
  WARM_UP_NOTE,
  type Options,
  optionTable,
} from './meaning.ts';
import { STOP_BY_ERROR_RATE_HINT } from '../notes.ts';

/** A program whose commands can be imported. An omitted member means no. */
export interface Tool {
  readonly title: string;
  readonly options: Options;
  /** Whether `-host` is one option rather than `-h` with the value `ost`. */
  readonly singleDashWords?: true;
  /** Whether the tool accepts an unambiguous beginning of a long option. */
  readonly shortens?: true;
  /** Splits a command into its requests, each in the words of the options table. Without it, a command is one request. */
  readonly split?: (draft: Draft, command: ToolCommand) => ToolCommand[];
  /** Whether the tool sends its request only once. Then Holdfast proposes a load. */
  readonly sendsOnce?: true;
  /** Default rate in requests per second of a tool that always sends at a rate. */
  readonly perSecond?: number;
  /** Whether the tool uses HTTP/2 by default, also without TLS. */
  readonly usesHttp2?: true;
  /** Whether the tool runs until it is stopped if no end is given. */
  readonly isEndless?: true;
  /** Default number of connections of the tool; for a tool that sends one request, that of the proposed load. */
  readonly connections: number;
  readonly end: { readonly requests: number } | { readonly seconds: number };
  /** Whether a number of requests takes precedence over a time. */
  readonly endsByRequests?: true;
  /** Number of redirects that the tool follows by default. */
  readonly follows?: number;
  readonly acceptsAnyCertificate?: true;
  readonly closes?: true;
  /** Default Content-Type of a body. */
  readonly bodyType?: string;
}

const ab = optionTable(
  {
    connections: '-c',
    requests: '-n',
    duration: '-t',
    timeout: '-s',
    header: '-H',
    cookie: '-C',
    method: '-m',
    login: '-A',
    contentType: '-T',
    postFile: '-p',
    putFile: '-u',
    localAddress: '-B',
    output: '-v -e -g -x -y -z',
  },
  { keepAlive: '-k', head: '-i', help: '-h -V', nothing: '-l -d -S -q -r -w' },
  ['-X', ...PROXY_NOTE],
  ['-P', 'It logs in to a proxy.', DIRECT_CONNECTION_NOTE],
  ['-E', ...CERTIFICATE_NOTE],
  ['-b', 'It sets the TCP window size.', 'The system chooses it.'],
  ['-f -Z', ...PROTOCOL_NOTE],
  ['-I', ...PROTOCOL_NOTE, false],
);

const wrk = optionTable(
  {
    connections: '-c --connections',
    duration: '-d --duration',
    timeout: '-T --timeout',
    header: '-H --header',
    rate: '-R --rate',
    output: '-t --threads -B --batch_latency',
  },
  { help: '-v --version', nothing: '-L -U --latency --u_latency' },
  [
    '-s --script',
    'A script makes the requests. Holdfast never runs it.',
    'The plan requests only the address. Add what the script sends as steps.',
  ],
);

const hey = optionTable(
  {
    connections: '-c',
    requests: '-n',
    duration: '-z',
    timeout: '-t',
    header: '-H',
    method: '-m',
    login: '-a',
    contentType: '-T',
    accept: '-A',
    userAgent: '-U',
    host: '-host',
    body: '-d',
    bodyFile: '-D',
    ratePerConnection: '-q',
    output: '-o -cpus',
  },
  { noFollow: '-disable-redirects', closes: '-disable-keepalive', http2: '-h2', nothing: '-disable-compression' },
  ['-x', ...PROXY_NOTE],
);

const oha = optionTable(
  {
    connections: '-c --connections',
    requests: '-n',
    duration: '-z --duration',
    rate: '-q --query-per-second',
    timeout: '-t --timeout',
    connectTimeout: '--connect-timeout',
    header: '-H',
    method: '-m --method',
    login: '-a --basic-auth',
    contentType: '-T',
    accept: '-A',
    host: '--host',
    body: '-d',
    bodyFile: '-D',
    part: '-F --form',
    mostRedirects: '-r --redirect',
    unixSocket: '--unix-socket',
    connectTo: '--connect-to',
    output: '--fps --db-url --output-format -o --output -u --time-unit --max-repeat --dump-urls',
  },
  {
    insecure: '--insecure',
    addressIsFile: '--urls-from-file',
    closes: '--disable-keepalive',
    help: '-h --help -V --version',
    http2Always: '--http2',
    nothing: [
      '--no-tui -j --json --disable-color --no-color --latency-correction --stats-success-breakdown --disable-compression -w',
      '--wait-ongoing-requests-after-deadline --no-pre-lookup --debug',
    ],
  },
  ['-Z', 'Each request takes its body from another line of a file.', 'Make the file a feed of the plan.'],
  ['-x --proxy --proxy-header --proxy-http-version', ...PROXY_NOTE],
  ['--proxy-http2', 'It uses HTTP/2 with a proxy.', DIRECT_CONNECTION_NOTE, false],
  ['--cacert --cert --key', ...CERTIFICATE_NOTE],
  ['-p', ...PIPELINING_NOTE],
  ['--http-version --vsock-addr', ...PROTOCOL_NOTE],
  ['--ipv4 --ipv6', ...PROTOCOL_NOTE, false],
  ['--burst-delay --burst-rate', 'Requests are sent in bursts.', 'The plan spaces them evenly. For bursts, add stages of arrivals.'],
  ['--rand-regex-url', 'Addresses are generated.', 'The plan requests the address as it is written.', false],
);

const autocannon = optionTable(
  {
    connections: '-c --connections',
    requests: '-a --amount',
    duration: '-d --duration',
    timeout: '-t --timeout',
    header: '-H --headers',
    method: '-m --method',
    body: '-b --body',
    bodyFile: '-i --input',
    partsJson: '-F --form',
    unixSocket: '-S --socketPath',
    reconnect: '-D --reconnectRate',
    expectBody: '-E --expectBody',
    rate: '-R --overallRate',
    ratePerConnection: '-r --connectionRate',
    output: '-T --title -w --workers -L --sampleInt --statusCodes',
  },
  {
    help: '-h --help -v --version',
    nothing: [
      '-l --latency -n --no-progress -j --json --renderStatusCodes -C --ignoreCoordinatedOmission -x --excludeErrorStats --debug',
      '--renderProgressBar --no-renderProgressBar',
    ],
  },
  ['-p --pipelining', ...PIPELINING_NOTE],
  ['-f --forever', 'The test runs again and again.', 'It runs once.', false],
  ['-W --warmup', ...WARM_UP_NOTE],
  ['-B --bailout', 'The test ends after a number of errors.', STOP_BY_ERROR_RATE_HINT],
  ['-M --maxConnectionRequests -O --maxOverallRequests', 'It sets a maximum number of requests.'],
  ['-s --servername', ...PROTOCOL_NOTE],
  [
    '-I --idReplacement',
    '[<id>] in the body is a number for each request.',
    'The plan sends it unchanged. Use {{id}} and a variable of the kind uuid.',
    false,
  ],
  ['--har --on-port --cert --key --ca', 'It needs a file or a program.', 'A HAR file can be imported directly.'],
);

const siege = optionTable(
  {
    connections: '-c --concurrent',
    rounds: '-r --reps',
    duration: '-t --time',
    pause: '-d --delay',
    header: '-H --header',
    userAgent: '-A --user-agent',
    contentType: '-T --content-type',
    method: '--method',
    body: '--body',
    addressFile: '-f --file',
    output: '-l --log -m --mark -R --rc',
  },
  {
    noFollow: '--no-follow',
    help: '-C --config -h --help -V --version',
    nothing: '-b --benchmark -v --verbose -q --quiet -g --get -p --print -N --no-parser -D --debug -j --json-output',
  },
  ['-P --parser', 'It also requests what the page links to.', 'Add resources to the step.', false],
  ['-i --internet', 'It takes addresses at random.', undefined, false],
);

const vegeta = optionTable(
  {
    rate: '-rate',
    duration: '-duration',
    timeout: '-timeout',
    header: '-header',
    bodyFile: '-body',
    addressFile: '-targets',
    method: '-X',
    mostRedirects: '-redirects',
    unixSocket: '-unix-socket',
    localAddress: '-laddr',
    connectTo: '-connect-to',
    connections: '-max-workers',
    output: '-name -output -workers -connections -max-connections -max-body -format -dns-ttl -session-tickets',
  },
  { insecure: '-insecure', http2Always: '-h2c', http2: '-http2', nothing: '-lazy -chunked' },
  ['-keepalive', 'Connections are closed after each request with -keepalive=false.', 'For that, set connections: {reuse: never}.'],
  ['-root-certs -cert -key', ...CERTIFICATE_NOTE],
  ['-proxy-header', ...PROXY_NOTE],
  ['-resolvers', ...DNS_SERVER_NOTE],
);

const bombardier = optionTable(
  {
    connections: '-c --connections',
    requests: '-n --requests',
    duration: '-d --duration',
    rate: '-r --rate',
    timeout: '-t --timeout',
    header: '-H --header',
    method: '-m --method',
    body: '-b --body',
    bodyFile: '-f --body-file',
    output: '-p --print -o --format',
  },
  {
    insecure: '-k --insecure',
    closes: '-a --disableKeepAlives',
    http2: '--http2',
    help: '-h --help --version',
    nothing: '-l --latencies -s --stream -q --no-print --fasthttp --http1',
  },
  ['--cert --key', ...CERTIFICATE_NOTE],
);

const h2load = optionTable(
  {
    requests: '-n --requests',
    connections: '-c --clients',
    streams: '-m --max-concurrent-streams',
    duration: '-D --duration',
    addressFile: '-i --input-file',
    ratePerConnection: '--rps',
    header: '-H --header',
    postFile: '-d --data',
    connectTo: '--connect-to',
    output: [
      '-t --threads -w --window-bits -W --connection-window-bits -f --max-frame-size --header-table-size --encoder-header-table-size',
      '--log-file',
    ],
  },
  { http1: '--h1', help: '-h --help --version', nothing: '-v --verbose' },
  ['-r --rate --rate-period', 'New connections are opened at a rate.', 'The plan opens all of them at once.'],
  ['--warm-up-time', ...WARM_UP_NOTE],
  ['-p --no-tls-proto --alpn-list --npn-list --ciphers --tls13-ciphers --groups --sni', ...PROTOCOL_NOTE],
  ['-T --connection-active-timeout -N --connection-inactivity-timeout', 'Connections are closed after a time.', 'The plan keeps them.'],
  ['-B --base-uri', ...ADDRESS_FILE_NOTE],
);

const SINGLE_REQUEST_DEFAULTS = { sendsOnce: true, connections: 1, end: { seconds: 30 } } as const;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Tools by name. The defaults come from the help of each tool; the Content-Type of hey comes from its source (`hey.go`, flag `T`). */
export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  ab: {
    options: ab,
    title: 'an ab command (ApacheBench)',
    connections: 1,
    end: { requests: 1 },
    acceptsAnyCertificate: true,
    closes: true,
    bodyType: 'text/plain',
  },
  wrk: { options: wrk, title: 'a wrk command', connections: 10, end: { seconds: 10 }, acceptsAnyCertificate: true },
  wrk2: { options: wrk, title: 'a wrk2 command', connections: 10, end: { seconds: 10 }, acceptsAnyCertificate: true },
  hey: {
    options: hey,
    title: 'a hey command',
    connections: 50,
    end: { requests: 200 },
    singleDashWords: true,
    acceptsAnyCertificate: true,
    follows: 10,
    bodyType: 'text/html',
  },
  oha: { options: oha, title: 'an oha command', connections: 50, end: { requests: 200 }, follows: 10 },
  autocannon: {
    options: autocannon,
    title: 'an autocannon command',
    connections: 10,
    end: { seconds: 10 },
    endsByRequests: true,
    acceptsAnyCertificate: true,
  },
  curl: {
    options: curlOptions,
    title: 'a curl command',
    split: splitCurl,
    ...SINGLE_REQUEST_DEFAULTS,
    shortens: true,
    bodyType: FORM_TYPE,
  },
  siege: {
    options: siege,
    title: 'a siege command',
    split: translateSiege,
    connections: 25,
    end: { seconds: 60 },
    isEndless: true,
    acceptsAnyCertificate: true,
    closes: true,
    follows: 10,
    bodyType: FORM_TYPE,
  },
  vegeta: {
    options: vegeta,
    title: 'a vegeta command',
    split: splitVegeta,
    singleDashWords: true,
    perSecond: 50,
    connections: 10_000,
    end: { seconds: 60 },
    isEndless: true,
    follows: 10,
  },
  bombardier: { options: bombardier, title: 'a bombardier command', connections: 125, end: { seconds: 10 } },
  h2load: {
    options: h2load,
    title: 'an h2load command',
    connections: 1,
    end: { requests: 1 },
    acceptsAnyCertificate: true,
    usesHttp2: true,
  },
  wget: { options: wgetOptions, title: 'a wget command', ...SINGLE_REQUEST_DEFAULTS, shortens: true, follows: 20, bodyType: FORM_TYPE },
  httpie: {
    options: httpieOptions,
    title: 'an HTTPie command (http, https or xh)',
    split: translateHttpie,
    ...SINGLE_REQUEST_DEFAULTS,
    bodyType: `${FORM_TYPE}; charset=utf-8`,
  },
};
