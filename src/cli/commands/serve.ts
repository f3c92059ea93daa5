import { setTimeout } from 'node:timers/promises';
import { portProblem } from '#core/base/origins.ts';
import { startServer } from '#server/startServer.ts';
import { optionError } from '../output/problems.ts';
import { untilInterrupted } from '../running/progress.ts';
import { type AddCommand, withBackend } from '../context.ts';

/**
 * Maximum time for which the start of the backend waits for the first page request, for browsers that a program opens. People take longer,
 * so they find the backend started.
 */
const FIRST_VISIT_MS = 500;

export const addServe: AddCommand = (program, { context }) => {
  program
    .command('serve')
    .description('serve the app to your browser, on this computer only')
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)')
    .action(async (flags: { port?: string }) => {
      const port = flags.port === undefined ? 0 : readPort(flags.port);
      const server = await startServer({ uiDirectory: context.uiDirectory, port });
      const interrupted = untilInterrupted(context);
      try {
        await context.out.write(`Holdfast is at ${server.url}\nPress Ctrl-C to end it.\n`);
        // Early page requests are served before the backend is loaded, because loading it blocks the event loop.
        const isEnded = interrupted.then(() => true);
        if ((await Promise.race([server.firstVisit, setTimeout(FIRST_VISIT_MS), isEnded])) === true) return;
        await withBackend(context, async (backend) => {
          await server.serve(backend);
          await interrupted;
          await server.close();
        });
      } finally {
        await server.close();
      }
    });
};

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw optionError(portProblem(text), 'Enter a number from 1 to 65535, or leave out --port to get a free one.');
}
