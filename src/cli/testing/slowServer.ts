import { createServer } from 'node:http';

/** A server process that answers after the given milliseconds; prints its port. Ends with its standard input. */
const delayMs = Number(process.argv[2] ?? 0);
const server = createServer((_request, response) => {
  setTimeout(() => response.writeHead(200, { 'content-length': 5 }).end('hello'), delayMs);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
