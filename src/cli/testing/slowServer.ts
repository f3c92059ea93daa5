import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * A server process that responds after the given delay in ms, prints its port, and exits when its standard input ends. After LOAD_REQUESTS
 * requests, which are more than the checks before a load send, it creates the given file.
 */
const delayMs = Number(process.argv[2] ?? 0);
const loadedFile = process.argv[3] ?? '';
const LOAD_REQUESTS = 20;
let requests = 0;
const server = createServer((_request, response) => {
  requests += 1;
  if (requests === LOAD_REQUESTS) writeFileSync(loadedFile, '');
  setTimeout(() => response.writeHead(200, { 'content-length': 5 }).end('hello'), delayMs);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
