// Runs the self-test's server as a child process: see protocol.ts.
import { serveCommands } from './server/behaviourServer.ts';

serveCommands();
