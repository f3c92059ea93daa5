import { createServer } from 'node:http';

/** A target that takes about 20 ms. Prints its URL. */
const server = createServer((_, response) => {
  setTimeout(() => response.end('hello world'), 20);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}/`);
});
