// Runs the self-test's server as a child process. Its protocol is in serverProcess.ts.
import { serveCommands } from './server/behaviourServer.ts';

serveCommands();
