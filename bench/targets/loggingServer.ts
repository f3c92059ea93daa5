import { createServer, type Socket } from 'node:net';
import { delaySampler, parseDelay } from './delays.ts';

/*
 * A target that logs the arrival and the duration of each request in memory, on the monotonic clock. The argument is the delay. The target
 * reads from TCP itself, because the time between the socket and an HTTP library would be missing in the log. Everything that ends with an
 * empty line is a request (there are no bodies and no pipelining). IPC commands: `start` empties the log, `take` returns it.
 */

const delay = parseDelay(process.argv[2] ?? '');
if (delay === null) throw new Error('Give the delay: fixed:MS, exponential:MS or bimodal:MS:SLOW_MS:SHARE.');

const RESPONSE = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\nConnection: keep-alive\r\n\r\nhello world',
  'latin1',
);
const HEAD_END = '\r\n\r\n';
const SEED = 20_260_101;
/** Maximum number of requests in the log. The parent process recognizes a full log by its count. */
const LIMIT = 5_000_000;

let nextDelay = delaySampler(delay, SEED);
let arrivedMs: number[] = [];
let tookMs: number[] = [];
let generation = 0;

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function response(socket: Socket, arrived: number): void {
  if (arrivedMs.length < LIMIT) arrivedMs.push(arrived);
  const [own, delayMs] = [generation, nextDelay()];
  const finish = (): void => {
    // The generator has ended its test, and does not count this request.
    if (socket.destroyed || !socket.writable) return;
    socket.write(RESPONSE);
    if (own === generation && tookMs.length < LIMIT) tookMs.push(nowMs() - arrived);
  };
  if (delayMs === 0) finish();
  else setTimeout(finish, delayMs);
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  socket.on('data', (chunk) => {
    const arrived = nowMs();
    const text = rest + chunk.toString('latin1');
    let from = 0;
    for (let end = text.indexOf(HEAD_END); end >= 0; end = text.indexOf(HEAD_END, from)) {
      from = end + HEAD_END.length;
      response(socket, arrived);
    }
    rest = text.slice(from);
    if (rest.length > 65_536) socket.destroy();
  });
  // An error is expected, because generators reset their connections at the end.
  socket.on('error', () => socket.destroy());
});

process.on('message', (message) => {
  if (message === 'start') {
    [arrivedMs, tookMs, generation, nextDelay] = [[], [], generation + 1, delaySampler(delay, SEED)];
    process.send?.({ kind: 'started' });
  } else if (message === 'take') {
    process.send?.({ kind: 'log', arrivedMs: Float64Array.from(arrivedMs), tookMs: Float64Array.from(tookMs) });
  }
});
process.on('disconnect', () => process.exit(0));
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ kind: 'ready', url: `http://127.0.0.1:${address.port}/` });
});
