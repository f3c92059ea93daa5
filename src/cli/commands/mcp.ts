import { InvalidArgumentError } from 'commander';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { addAllowOption, type AllowFlags } from '../input/consent.ts';
import { buildAssistantServer } from '../mcp/assistantServer.ts';
import { type AddCommand, withClient } from '../context.ts';

interface McpFlags extends AllowFlags {
  readonly maxRate: number;
  readonly maxSeconds: number;
}

export const addMcp: AddCommand = (program, { context }) => {
  const command = program
    .command('mcp')
    .description('let an AI assistant use Holdfast over the Model Context Protocol, on standard input and output')
    .option('--max-rate <n>', 'maximum requests a second of an assistant', readCap, 50)
    .option('--max-seconds <n>', 'maximum duration of an assistant’s load, in seconds', readCap, 60);
  addAllowOption(command).action(async ({ allow, maxRate, maxSeconds }: McpFlags) => {
    await withClient(context, async (client) => {
      const presets = await client.call('presets.list', {});
      const ended = new Promise<void>((resolve) => {
        process.stdin.once('end', resolve).once('close', resolve);
        context.onInterrupt(resolve);
      });
      const handle = serveStdio(() =>
        buildAssistantServer(context, client, presets, { caps: { maxPerSecond: maxRate, maxSeconds }, allow }),
      );
      await ended;
      await handle.close();
    });
  });
};

function readCap(text: string): number {
  const cap = Number(text);
  if (text.trim() === '' || !Number.isFinite(cap) || cap <= 0 || cap > 1_000_000)
    throw new InvalidArgumentError('Enter a positive number.');
  return cap;
}
