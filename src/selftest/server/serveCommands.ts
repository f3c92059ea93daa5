import { createInterface } from 'node:readline';
import { problemOf } from '#core/base/errors.ts';
import { findBehaviour } from '../behaviours/registry.ts';
import { commandSchema, type Command, type Reply } from '../protocol.ts';
import { BehaviourServer, type ServerFaults } from './behaviourServer.ts';

/** Executes commands from standard input, one line of JSON each. The process ends with its input, so it never outlives its parent. */
export function serveCommands(faults: ServerFaults = {}): void {
  const open = new Map<number, BehaviourServer>();

  async function obey(command: Command): Promise<Reply> {
    switch (command.command) {
      case 'open': {
        const server = new BehaviourServer(findBehaviour(command.behaviour), faults);
        const port = await server.listen();
        open.set(port, server);
        return { id: command.id, port };
      }
      case 'close': {
        const server = open.get(command.port);
        if (!server) throw new Error(`Nothing listens on port ${command.port}.`);
        open.delete(command.port);
        return { id: command.id, truth: await server.close() };
      }
      default:
        return command satisfies never;
    }
  }
  const say = (reply: Reply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`);
  const take = (line: string): void => {
    const command = commandSchema.parse(JSON.parse(line));
    obey(command).then(say, (thrown: unknown) => say({ id: command.id, problem: problemOf(thrown) }));
  };

  process.stdout.on('error', () => process.exit(1));
  createInterface({ input: process.stdin })
    .on('line', take)
    .once('close', () => process.exit(0));
}
