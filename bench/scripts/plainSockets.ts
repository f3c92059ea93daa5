import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Reading } from '../subjects/subject.ts';

/**
 * What sockets of Node allow at most: requests are written and what comes is counted, a read for an answer, without looking at more of it than its status. Only for answers
 * that come in one read. Arguments: url, connections, seconds.
 */
const [url = '', connections = '', seconds = ''] = process.argv.slice(2);
const { protocol, hostname, port, host, pathname } = new URL(url);
const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
const status = Buffer.from('HTTP/1.1 2', 'latin1');
const buffer = Buffer.allocUnsafe(65_536);
let answers = 0;
let others = 0;
let due: Socket[] = [];

/** As the driver does: all that has come is read first, then everyone goes on. */
function goOn(): void {
  const now = due;
  due = [];
  for (const socket of now) socket.write(request);
}

function open(): Socket {
  const callback = (length: number): boolean => {
    if (buffer.compare(status, 0, status.length, 0, Math.min(length, status.length)) === 0) answers += 1;
    else others += 1;
    if (due.push(socket) === 1) setImmediate(goOn);
    return true;
  };
  const options = { host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } };
  const begin = (): void => void socket.write(request);
  const socket = protocol === 'https:' ? connectSecurely({ ...options, rejectUnauthorized: false }, begin) : connect(options, begin);
  return socket;
}

const started = process.hrtime.bigint();
const sockets = Array.from({ length: Number(connections) }, open);
setTimeout(
  () => {
    const reading: Reading = {
      answers,
      seconds: Number(process.hrtime.bigint() - started) / 1e9,
      p50Ms: null,
      p99Ms: null,
      note: others === 0 ? '' : `${others} reads without a status of 2xx`,
    };
    for (const socket of sockets) socket.destroy();
    console.log(JSON.stringify(reading));
  },
  Number(seconds) * 1_000,
);
