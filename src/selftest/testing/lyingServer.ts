// The self-test's server, but its answers take a fifth longer than it logs.
import { serveCommands } from '../server/serveCommands.ts';

serveCommands({ hiddenDelayMs: (loggedUs) => (0.2 * loggedUs) / 1_000 });
