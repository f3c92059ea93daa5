// The self-test's server, but with responses that take 20 % longer than the server logs.
import { serveCommands } from '../server/behaviourServer.ts';

serveCommands({ hiddenDelayMs: (loggedUs) => (0.2 * loggedUs) / 1_000 });
