import type { ToolName } from '../shells/shellText.ts';
import type { Draft } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { curlOptions } from './curlOptions.ts';
import { curlSections, httpieWords, siegeWords, vegetaTargets } from './ownWords.ts';
import {
  certificate,
  connectTo,
  does,
  field,
  none,
  nothing,
  ofProxy,
  output,
  type Options,
  pipelining,
  protocol,
  proxy,
  retries,
  table,
} from './meaning.ts';
import { STOP_BY_ERROR_RATE } from '../notes.ts';

export interface Tool {
  /** Name of the command in a sentence. */
  readonly title: string;
  readonly options: Options;
  /** Whether `-host` is one option rather than `-h` with the value `ost`. */
  readonly singleDashWords: boolean;
  /** Whether an unambiguous beginning of a long option is accepted. */
  readonly shortens: boolean;
  /** Splits a command into its requests, each with words of the table. By default, a command is one request. */
  readonly split?: (draft: Draft, command: ToolCommand) => ToolCommand[];
  /** Whether the tool sends its request once. Then a load is proposed. */
  readonly sendsOnce: boolean;
  /** Default rate in requests per second of a tool that always sends at a rate. */
  readonly perSecond?: number;
  /** Whether the tool uses HTTP/2 by default, also without TLS. */
  readonly usesHttp2: boolean;
  /** Whether the tool runs until it is stopped if no end is given. */
  readonly isEndless: boolean;
  /** Defaults of the tool; for tools that send one request, the proposed load. */
  readonly connections: number;
  readonly end: { readonly requests: number } | { readonly seconds: number };
  /** Takes precedence if both a number of requests and a time are given. */
  readonly bothEnds: 'requests' | 'seconds';
  /** Number of redirects that the tool follows by default. */
  readonly follows: number;
  readonly verifies: boolean;
  readonly closes: boolean;
  /** Default Content-Type of a body. */
  readonly bodyType: string;
}

const script = none(
  'A script makes the requests. Holdfast never runs it.',
  'The plan requests only the address. Add what the script sends as steps.',
);

const warmUp = none('A warm-up runs before the test.', 'Add a stage with counted: false before the load.');
const addressesInFile = none('Addresses are in a file.', 'The plan requests only the address of the command.');

const ab = table(
  ['-c', field('connections')],
  ['-n', field('requests')],
  ['-t', field('duration')],
  ['-s', field('timeout')],
  ['-H', field('header')],
  ['-C', field('cookie')],
  ['-m', field('method')],
  ['-A', field('login')],
  ['-T', field('contentType')],
  ['-p', field('postFile')],
  ['-u', field('putFile')],
  ['-B', field('localAddress')],
  ['-k', does('keepAlive')],
  ['-i', does('head')],
  ['-h -V', does('help')],
  ['-l -d -S -q -r -w', nothing],
  ['-v -e -g -x -y -z', output],
  ['-X', proxy],
  ['-P', ofProxy('It logs in to a proxy.', true)],
  ['-E', certificate],
  ['-b', none('It sets the TCP window size.', 'The system chooses it.')],
  ['-f -Z', protocol(true)],
  ['-I', protocol(false)],
);

const wrk = table(
  ['-c --connections', field('connections')],
  ['-d --duration', field('duration')],
  ['-T --timeout', field('timeout')],
  ['-H --header', field('header')],
  ['-R --rate', field('rate')],
  ['-L -U --latency --u_latency', nothing],
  ['-t --threads -B --batch_latency', output],
  ['-v --version', does('help')],
  ['-s --script', script],
);

const hey = table(
  ['-c', field('connections')],
  ['-n', field('requests')],
  ['-z', field('duration')],
  ['-t', field('timeout')],
  ['-H', field('header')],
  ['-m', field('method')],
  ['-a', field('login')],
  ['-T', field('contentType')],
  ['-A', field('accept')],
  ['-U', field('userAgent')],
  ['-host', field('host')],
  ['-d', field('body')],
  ['-D', field('bodyFile')],
  ['-disable-redirects', does('noFollow')],
  ['-disable-keepalive', does('closes')],
  ['-disable-compression', nothing],
  ['-o -cpus', output],
  // Rate of each worker. A worker that is late skips its turn.
  ['-q', field('ratePerConnection')],
  ['-h2', does('http2')],
  ['-x', proxy],
);

const oha = table(
  ['-c --connections', field('connections')],
  ['-n', field('requests')],
  ['-z --duration', field('duration')],
  // Rate of all workers together, unlike in hey.
  ['-q --query-per-second', field('rate')],
  ['-t --timeout', field('timeout')],
  ['--connect-timeout', field('connectTimeout')],
  ['-H', field('header')],
  ['-m --method', field('method')],
  ['-a --basic-auth', field('login')],
  ['-T', field('contentType')],
  ['-A', field('accept')],
  ['--host', field('host')],
  ['-d', field('body')],
  ['-D', field('bodyFile')],
  ['-F --form', field('part')],
  ['-r --redirect', field('mostRedirects')],
  ['--unix-socket', field('unixSocket')],
  ['--insecure', does('insecure')],
  ['--disable-keepalive', does('closes')],
  ['-h --help -V --version', does('help')],
  ['--no-tui -j --json --disable-color --no-color --latency-correction --stats-success-breakdown --disable-compression', nothing],
  ['-w --wait-ongoing-requests-after-deadline --no-pre-lookup --debug', nothing],
  ['--fps --db-url --output-format -o --output -u --time-unit', output],
  ['-Z', none('Each request takes its body from another line of a file.', 'Make the file a feed of the plan.')],
  ['-x --proxy --proxy-header --proxy-http-version', proxy],
  ['--proxy-http2', ofProxy('It uses HTTP/2 with a proxy.', false)],
  ['--cacert --cert --key', certificate],
  ['-p', pipelining],
  ['--connect-to', connectTo],
  ['--http-version --vsock-addr', protocol(true)],
  ['--http2', does('http2Always')],
  ['--ipv4 --ipv6', protocol(false)],
  ['--burst-delay --burst-rate', none('Requests are sent in bursts.', 'The plan spaces them evenly. For bursts, add stages of arrivals.')],
  [
    '--rand-regex-url --urls-from-file',
    none('Addresses are generated or read from a file.', 'The plan requests the address as it is written.', false),
  ],
  ['--max-repeat --dump-urls', output],
);

const autocannon = table(
  ['-c --connections', field('connections')],
  ['-a --amount', field('requests')],
  ['-d --duration', field('duration')],
  ['-t --timeout', field('timeout')],
  ['-H --headers', field('header')],
  ['-m --method', field('method')],
  ['-b --body', field('body')],
  ['-i --input', field('bodyFile')],
  ['-F --form', field('partsJson')],
  ['-S --socketPath', field('unixSocket')],
  ['-D --reconnectRate', field('reconnect')],
  ['-E --expectBody', field('expectBody')],
  ['-h --help -v --version', does('help')],
  [
    '-l --latency -n --no-progress -j --json --renderStatusCodes -C --ignoreCoordinatedOmission -x --excludeErrorStats --debug --renderProgressBar --no-renderProgressBar',
    nothing,
  ],
  ['-T --title -w --workers -L --sampleInt --statusCodes', output],
  ['-p --pipelining', pipelining],
  // The rate of each connection takes precedence.
  ['-R --overallRate', field('rate')],
  ['-r --connectionRate', field('ratePerConnection')],
  ['-f --forever', none('The test runs again and again.', 'It runs once.', false)],
  ['-W --warmup', warmUp],
  ['-B --bailout', none('The test ends after a number of errors.', STOP_BY_ERROR_RATE)],
  ['-M --maxConnectionRequests -O --maxOverallRequests', none('It sets a maximum number of requests.')],
  ['-s --servername', protocol(true)],
  [
    '-I --idReplacement',
    none(
      '[<id>] in the body is a number for each request.',
      'The plan sends it unchanged. Use {{id}} and a variable of the kind uuid.',
      false,
    ),
  ],
  ['--har --on-port --cert --key --ca', none('It needs a file or a program.', 'A HAR file can be imported directly.')],
);

const siege = table(
  ['-c --concurrent', field('connections')],
  ['-r --reps', field('rounds')],
  ['-t --time', field('duration')],
  ['-d --delay', field('pause')],
  ['-H --header', field('header')],
  ['-A --user-agent', field('userAgent')],
  ['-T --content-type', field('contentType')],
  ['--method', field('method')],
  ['--body', field('body')],
  ['-b --benchmark', nothing],
  ['--no-follow', does('noFollow')],
  ['-C --config -h --help -V --version', does('help')],
  ['-v --verbose -q --quiet -g --get -p --print -N --no-parser -D --debug -j --json-output', nothing],
  ['-l --log -m --mark -R --rc', output],
  ['-P --parser', none('It also requests what the page links to.', 'Add resources to the step.', false)],
  ['-f --file', addressesInFile],
  ['-i --internet', none('It takes addresses at random.', undefined, false)],
);

const vegeta = table(
  ['-rate', field('rate')],
  ['-duration', field('duration')],
  ['-timeout', field('timeout')],
  ['-header', field('header')],
  ['-body', field('bodyFile')],
  ['-X', field('method')],
  ['-redirects', field('mostRedirects')],
  ['-unix-socket', field('unixSocket')],
  ['-laddr', field('localAddress')],
  ['-insecure', does('insecure')],
  ['-h2c', does('http2Always')],
  ['-http2', does('http2')],
  ['-max-workers', field('connections')],
  ['-keepalive', none('Connections are closed after each request with -keepalive=false.', 'For that, set connections: {reuse: never}.')],
  ['-lazy -chunked', nothing],
  ['-name -output -workers -connections -max-connections -max-body -format -dns-ttl -session-tickets', output],
  ['-targets', none('Its targets are in a file.', 'Paste them with the command: echo "GET http://localhost:8080/" | vegeta attack')],
  ['-root-certs -cert -key', certificate],
  ['-proxy-header', proxy],
  ['-connect-to -resolvers', connectTo],
);

const bombardier = table(
  ['-c --connections', field('connections')],
  ['-n --requests', field('requests')],
  ['-d --duration', field('duration')],
  ['-r --rate', field('rate')],
  ['-t --timeout', field('timeout')],
  ['-H --header', field('header')],
  ['-m --method', field('method')],
  ['-b --body', field('body')],
  ['-f --body-file', field('bodyFile')],
  ['-k --insecure', does('insecure')],
  ['-a --disableKeepAlives', does('closes')],
  ['--http2', does('http2')],
  ['-h --help --version', does('help')],
  ['-l --latencies -s --stream -q --no-print --fasthttp --http1', nothing],
  ['-p --print -o --format', output],
  ['--cert --key', certificate],
);

const h2load = table(
  ['-n --requests', field('requests')],
  ['-c --clients', field('connections')],
  ['-m --max-concurrent-streams', field('streams')],
  ['-D --duration', field('duration')],
  ['--rps', field('ratePerConnection')],
  ['-H --header', field('header')],
  ['-d --data', field('postFile')],
  ['--h1', does('http1')],
  ['-h --help --version', does('help')],
  ['-v --verbose', nothing],
  [
    '-t --threads -w --window-bits -W --connection-window-bits -f --max-frame-size --header-table-size --encoder-header-table-size --log-file',
    output,
  ],
  ['-r --rate --rate-period', none('New connections are opened at a rate.', 'The plan opens all of them at once.')],
  ['--warm-up-time', warmUp],
  ['-p --no-tls-proto --alpn-list --npn-list --ciphers --tls13-ciphers --groups --sni', protocol(true)],
  [
    '-T --connection-active-timeout -N --connection-inactivity-timeout',
    none('Connections are closed after a time.', 'The plan keeps them.'),
  ],
  ['-i --input-file -B --base-uri', addressesInFile],
  ['--connect-to', connectTo],
);

const followsLinks = none('It follows the links of the page.', 'The plan requests only the address.', false);

const wget = table(
  ['--method', field('method')],
  ['--header', field('header')],
  ['--post-data --body-data', field('dataRaw')],
  ['--post-file', field('postFile')],
  ['--body-file', field('bodyFile')],
  ['--user --http-user', field('userName')],
  ['--password --http-password', field('password')],
  ['-U --user-agent', field('userAgent')],
  ['--referer', field('referer')],
  ['-T --timeout --read-timeout', field('timeout')],
  ['--connect-timeout', field('connectTimeout')],
  ['--max-redirect', field('mostRedirects')],
  ['--bind-address', field('localAddress')],
  ['--spider', does('head')],
  ['--no-check-certificate', does('insecure')],
  ['--no-http-keep-alive', does('closes')],
  ['--help -h --version -V', does('help')],
  [
    '-q --quiet -v --verbose -nv --no-verbose -S --server-response -N --timestamping -c --continue -b --background -d --debug -x -nc --no-clobber',
    nothing,
  ],
  [
    '--show-progress --no-cache --no-cookies --no-proxy --content-disposition --content-on-error --trust-server-names --https-only --auth-no-challenge -nd -nH',
    nothing,
  ],
  ['-O --output-document -o --output-file -a --append-output -P --directory-prefix --progress --limit-rate', output],
  ['-r --recursive -m --mirror -p --page-requisites -k --convert-links -K -np --no-parent -H -E --adjust-extension -L', followsLinks],
  ['-l --level -A --accept -R --reject -D --domains -w --wait --waitretry', none('It is for links that are followed.')],
  ['-i --input-file', addressesInFile],
  ['-t --tries', retries],
  ['--load-cookies --save-cookies', none('It keeps cookies in a file.', 'Holdfast does not read it.')],
  ['--keep-session-cookies -4 -6 --inet4-only --inet6-only', nothing],
  ['--ca-certificate --ca-directory --certificate --private-key', certificate],
  ['-e --execute --secure-protocol', protocol(true)],
);

const httpie = table(
  ['-H', field('header')],
  ['--method', field('method')],
  ['--urlencoded', field('dataRaw')],
  ['--json-body --raw', field('json')],
  ['--data-binary', field('dataBinary')],
  ['--part', field('part')],
  ['--form-string', field('partText')],
  ['-a --auth', field('login')],
  ['--bearer', field('bearer')],
  ['--timeout', field('timeout')],
  ['--max-redirects', field('mostRedirects')],
  ['--interface', field('localAddress')],
  ['-F --follow', does('follow')],
  ['--help --version', does('help')],
  [
    '-j --json -v --verbose -h --headers -b --body --meta --all -S --stream -d --download -c --continue -I --ignore-stdin --check-status',
    nothing,
  ],
  ['-q --quiet --unsorted --sorted --traceback --debug --no-check-status --compress -x -m --no-stream --offline', nothing],
  ['-p --print --pretty -s --style -o --output --format-options --response-mime --response-charset --boundary --max-headers', output],
  ['-A --auth-type', none('It uses another login than HTTP Basic.')],
  ['--verify', does('insecure')],
  ['--session --session-read-only', none('Cookies and headers of a session are in a file.')],
  ['--default-scheme --ssl --ciphers --http-version', protocol(true)],
  ['--proxy', proxy],
  ['--cert --cert-key', certificate],
  ['--resolve', connectTo],
);

type Traits = Pick<Tool, 'title' | 'connections' | 'end'> & Partial<Tool>;

function tool(options: Options, traits: Traits): Tool {
  return {
    options,
    singleDashWords: false,
    shortens: false,
    sendsOnce: false,
    isEndless: false,
    usesHttp2: false,
    bothEnds: 'seconds',
    follows: 0,
    verifies: true,
    closes: false,
    bodyType: '',
    ...traits,
  };
}

/** Defaults come from the help of each tool; the Content-Type of hey from its source (`hey.go`, flag `T`). */
export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  ab: tool(ab, {
    title: 'an ab command (ApacheBench)',
    connections: 1,
    end: { requests: 1 },
    verifies: false,
    closes: true,
    bodyType: 'text/plain',
  }),
  wrk: tool(wrk, { title: 'a wrk command', connections: 10, end: { seconds: 10 }, verifies: false }),
  wrk2: tool(wrk, { title: 'a wrk2 command', connections: 10, end: { seconds: 10 }, verifies: false }),
  hey: tool(hey, {
    title: 'a hey command',
    connections: 50,
    end: { requests: 200 },
    singleDashWords: true,
    verifies: false,
    follows: 10,
    bodyType: 'text/html',
  }),
  oha: tool(oha, { title: 'an oha command', connections: 50, end: { requests: 200 }, follows: 10 }),
  autocannon: tool(autocannon, {
    title: 'an autocannon command',
    connections: 10,
    end: { seconds: 10 },
    bothEnds: 'requests',
    verifies: false,
  }),
  curl: tool(curlOptions, {
    title: 'a curl command',
    split: curlSections,
    sendsOnce: true,
    shortens: true,
    connections: 1,
    end: { seconds: 30 },
    bodyType: 'application/x-www-form-urlencoded',
  }),
  siege: tool(siege, {
    title: 'a siege command',
    split: siegeWords,
    connections: 25,
    end: { seconds: 60 },
    isEndless: true,
    verifies: false,
    closes: true,
    follows: 10,
    bodyType: 'application/x-www-form-urlencoded',
  }),
  vegeta: tool(vegeta, {
    title: 'a vegeta command',
    split: vegetaTargets,
    singleDashWords: true,
    perSecond: 50,
    connections: 10_000,
    end: { seconds: 60 },
    isEndless: true,
    follows: 10,
  }),
  bombardier: tool(bombardier, { title: 'a bombardier command', connections: 125, end: { seconds: 10 } }),
  h2load: tool(h2load, { title: 'an h2load command', connections: 1, end: { requests: 1 }, verifies: false, usesHttp2: true }),
  wget: tool(wget, {
    title: 'a wget command',
    sendsOnce: true,
    shortens: true,
    connections: 1,
    end: { seconds: 30 },
    follows: 20,
    bodyType: 'application/x-www-form-urlencoded',
  }),
  httpie: tool(httpie, {
    title: 'an HTTPie command (http, https or xh)',
    split: httpieWords,
    sendsOnce: true,
    connections: 1,
    end: { seconds: 30 },
    bodyType: 'application/x-www-form-urlencoded; charset=utf-8',
  }),
};
