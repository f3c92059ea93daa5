import type { ToolName } from '../shells/shellText.ts';
import { curlOptions } from './curlOptions.ts';
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
  table,
} from './meaning.ts';

export interface Tool {
  /** As a sentence names its command. */
  readonly title: string;
  readonly options: Options;
  /** `-host` is one option rather than `-h` with the value `ost`. */
  readonly singleDashWords: boolean;
  /** A long option may be written by a beginning that no other one has. */
  readonly shortens: boolean;
  /** What the tool does when the command does not say; for curl, which sends one request, the load that is proposed. */
  readonly connections: number;
  readonly end: { readonly requests: number } | { readonly seconds: number };
  /** Which one counts when both a number of requests and a time are given. */
  readonly bothEnds: 'requests' | 'seconds';
  /** Without being asked to. */
  readonly follows: number;
  readonly verifies: boolean;
  readonly closes: boolean;
  /** Of a body when the command does not say it. */
  readonly bodyType: string;
}

const script = none(
  'A script makes the requests. Holdfast never runs it.',
  'The plan requests only the address. Add what the script sends as steps.',
);

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
  // Of each worker, as hey says; a worker that is late lets its turn pass.
  ['-q', field('ratePerConnection')],
  ['-h2', does('http2')],
  ['-x', proxy],
);

const oha = table(
  ['-c --connections', field('connections')],
  ['-n', field('requests')],
  ['-z --duration', field('duration')],
  // Of all workers together, unlike hey's.
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
  // That of each connection takes precedence.
  ['-R --overallRate', field('rate')],
  ['-r --connectionRate', field('ratePerConnection')],
  ['-f --forever', none('The test runs again and again.', 'It runs once.', false)],
  ['-W --warmup', none('A warm-up runs before the test.', 'Add a stage with counted: false before the load.')],
  ['-B --bailout', none('The test ends after a number of errors.', 'To end a run by its error rate, set safety.stopAtErrorShare.')],
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

type Traits = Pick<Tool, 'title' | 'connections' | 'end'> & Partial<Tool>;

function tool(options: Options, traits: Traits): Tool {
  return {
    options,
    singleDashWords: false,
    shortens: false,
    bothEnds: 'seconds',
    follows: 0,
    verifies: true,
    closes: false,
    bodyType: '',
    ...traits,
  };
}

/** The defaults are each tool's own, as its help says; the type of hey's bodies as its source does (`hey.go`, the flag `T`). */
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
    shortens: true,
    connections: 1,
    end: { seconds: 30 },
    bodyType: 'application/x-www-form-urlencoded',
  }),
};
