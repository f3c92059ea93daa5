import { optionError } from '../optionError.ts';
import { startServer } from '#server/startServer.ts';
import { untilInterrupted } from '../running/interrupt.ts';
import { withBackend, type AddCommand } from './command.ts';
import { noPort } from '#core/base/origins.ts';

export const addServe: AddCommand = (program, { context }) => {
  program
    .command('serve')
    .description('serve the app to your browser, on this computer only')
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)')
    .action(async (flags: { port?: string }) => {
      const port = flags.port === undefined ? 0 : readPort(flags.port);
      await withBackend(context, async (backend) => {
        const server = await startServer({ backend, uiDirectory: context.uiDirectory, port });
        try {
          await context.out.write(`Holdfast is at ${server.url}\nPress Ctrl-C to end it.\n`);
          await untilInterrupted(context);
        } finally {
          await server.close();
        }
      });
    });
};

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw optionError(noPort(text), 'Enter a number from 1 to 65535, or leave out --port to get a free one.');
}
