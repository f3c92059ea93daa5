/** Why a piece of a command line cannot be carried over into a plan. */
export type Reason =
  | 'body'
  | 'proxy'
  | 'rate'
  | 'script'
  | 'redirects'
  | 'pipelining'
  | 'forever'
  | 'certificate'
  | 'unknown'
  | 'noValue'
  | 'number'
  | 'method'
  | 'login'
  | 'header'
  | 'cookieFile'
  | 'twoEnds'
  | 'addresses'
  | 'input'
  | 'nextCommand'
  | 'variable'
  | 'quote';

/** What the value of an option is for. */
export type Field =
  | 'connections'
  | 'requests'
  | 'duration'
  | 'timeout'
  /** Requests a second of all connections together, and of each one. */
  | 'rate'
  | 'ratePerConnection'
  | 'header'
  | 'cookie'
  | 'method'
  | 'login'
  | 'contentType'
  | 'accept'
  | 'userAgent'
  | 'referer'
  | 'host'
  | 'address';

export type Meaning =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'switch'; readonly does: 'nothing' | 'head' | 'insecure' | 'compressed' }
  /** It has a value, and changes only what is printed or kept of the answers. */
  | { readonly kind: 'output' }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly hasValue: boolean };

export interface Tool {
  readonly options: ReadonlyMap<string, Meaning>;
  /** `-host` is one option rather than `-h` with the value `ost`. */
  readonly singleDashWords: boolean;
  /** What the tool does when the command does not say; for curl, which sends one request, the load that is proposed. */
  readonly connections: number;
  readonly end: { readonly requests: number } | { readonly seconds: number };
  /** Which one counts when both a number of requests and a time are given. */
  readonly bothEnds: 'requests' | 'seconds' | 'refused';
}

const field = (name: Field): Meaning => ({ kind: 'field', field: name });
const refused = (reason: Reason, hasValue = true): Meaning => ({ kind: 'refused', reason, hasValue });
const nothing: Meaning = { kind: 'switch', does: 'nothing' };
const head: Meaning = { kind: 'switch', does: 'head' };
const insecure: Meaning = { kind: 'switch', does: 'insecure' };
const compressed: Meaning = { kind: 'switch', does: 'compressed' };
const output: Meaning = { kind: 'output' };

/** Rows of spellings, separated by blanks, and what they mean. */
function table(...rows: readonly (readonly [string, Meaning])[]): ReadonlyMap<string, Meaning> {
  return new Map(rows.flatMap(([spellings, meaning]) => spellings.split(' ').map((spelling) => [spelling, meaning] as const)));
}

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
  ['-i', head],
  ['-k -l -d -S -q -r -w', nothing],
  ['-v -e -g -x -y -z', output],
  ['-p -u', refused('body')],
  ['-X -P', refused('proxy')],
  ['-E', refused('certificate')],
  ['-b -B -f -Z', refused('unknown')],
);

const wrk = table(
  ['-c --connections', field('connections')],
  ['-d --duration', field('duration')],
  ['-T --timeout', field('timeout')],
  ['-H --header', field('header')],
  ['--latency', nothing],
  ['-t --threads', output],
  ['-s --script', refused('script')],
);
const wrk2 = new Map([...wrk, ...table(['-L -U --u_latency', nothing], ['-R --rate', field('rate')])]);

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
  ['-disable-redirects', nothing],
  ['-o -cpus', output],
  // Of each worker, as hey says; a worker that is late lets its turn pass.
  ['-q', field('ratePerConnection')],
  ['-d -D', refused('body')],
  ['-x', refused('proxy')],
);

const oha = table(
  ['-c --connections', field('connections')],
  ['-n', field('requests')],
  ['-z', field('duration')],
  // Of all workers together, unlike hey's.
  ['-q --query-per-second', field('rate')],
  ['-t --timeout', field('timeout')],
  ['-H', field('header')],
  ['-m --method', field('method')],
  ['-a', field('login')],
  ['-T', field('contentType')],
  ['-A', field('accept')],
  ['--host', field('host')],
  ['--insecure', insecure],
  ['--no-tui -j --json --disable-color --no-color --latency-correction --stats-success-breakdown --disable-compression', nothing],
  ['-w --wait-ongoing-requests-after-deadline', nothing],
  ['--fps --db-url --output-format -o --output', output],
  ['-d -D -F --form', refused('body')],
  ['-x --proxy --proxy-header', refused('proxy')],
  ['--proxy-http2', refused('proxy', false)],
  ['--cacert --cert --key', refused('certificate')],
  ['-r --redirect', refused('redirects')],
  ['-p', refused('pipelining')],
  ['--burst-delay --burst-rate --connect-to --http-version --unix-socket --vsock-addr --debug', refused('unknown')],
);

const autocannon = table(
  ['-c --connections', field('connections')],
  ['-a --amount', field('requests')],
  ['-d --duration', field('duration')],
  ['-t --timeout', field('timeout')],
  ['-H --headers', field('header')],
  ['-m --method', field('method')],
  ['-l --latency -n --no-progress -j --json --renderStatusCodes', nothing],
  ['-T --title -w --workers', output],
  ['-p --pipelining', refused('pipelining')],
  ['-b --body -F --form -i --input', refused('body')],
  // That of each connection takes precedence.
  ['-R --overallRate', field('rate')],
  ['-r --connectionRate', field('ratePerConnection')],
  ['-f --forever', refused('forever', false)],
  ['-S --socketPath -W --warmup -B --bailout -M --maxConnectionRequests -O --maxOverallRequests', refused('unknown')],
  ['-D --reconnectRate -s --servername -E --expectBody --har', refused('unknown')],
);

const curl = table(
  ['-X --request', field('method')],
  ['-I --head', head],
  ['-H --header', field('header')],
  ['-b --cookie', field('cookie')],
  ['-u --user', field('login')],
  ['-A --user-agent', field('userAgent')],
  ['-e --referer', field('referer')],
  ['-m --max-time', field('timeout')],
  ['--url', field('address')],
  ['-k --insecure', insecure],
  ['--compressed', compressed],
  ['-s --silent -S --show-error -i --include -v --verbose -f --fail -g --globoff -N --no-buffer', nothing],
  ['-# --progress-bar --no-progress-meter -O --remote-name --http1.1 --basic', nothing],
  ['-o --output -w --write-out -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr', output],
  ['-L --location --location-trusted', refused('redirects', false)],
  ['-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string', refused('body')],
  ['-T --upload-file', refused('body')],
  ['-x --proxy -U --proxy-user --socks5 --socks5-hostname --noproxy --preproxy', refused('proxy')],
  ['-E --cert --key --cacert --capath', refused('certificate')],
  ['--oauth2-bearer --aws-sigv4', refused('login')],
  ['--digest --ntlm --negotiate --anyauth -n --netrc', refused('login', false)],
  ['--limit-rate --rate', refused('rate')],
  ['--resolve --connect-to --connect-timeout --retry --retry-delay --interface -r --range -K --config --unix-socket', refused('unknown')],
);

/** The defaults are each tool's own, as its help says. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['ab', { options: ab, singleDashWords: false, connections: 1, end: { requests: 1 }, bothEnds: 'refused' }],
  ['wrk', { options: wrk, singleDashWords: false, connections: 10, end: { seconds: 10 }, bothEnds: 'seconds' }],
  ['wrk2', { options: wrk2, singleDashWords: false, connections: 10, end: { seconds: 10 }, bothEnds: 'seconds' }],
  ['hey', { options: hey, singleDashWords: true, connections: 50, end: { requests: 200 }, bothEnds: 'seconds' }],
  ['oha', { options: oha, singleDashWords: false, connections: 50, end: { requests: 200 }, bothEnds: 'seconds' }],
  ['autocannon', { options: autocannon, singleDashWords: false, connections: 10, end: { seconds: 10 }, bothEnds: 'requests' }],
  ['curl', { options: curl, singleDashWords: false, connections: 1, end: { seconds: 30 }, bothEnds: 'refused' }],
]);
