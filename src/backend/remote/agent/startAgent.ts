import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import type { ClockOffset, HostFacts } from '#core/plan/schema/hosts.ts';
import { askFacts, OLDEST_NODE } from '../host/facts.ts';
import { contentName, placeFile } from '../host/placeFile.ts';
import { shellQuoted } from '../host/clock.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { AgentProcess, type Greeting } from './agentProcess.ts';
import type { WayBack } from './wayBack.ts';

export interface StartedAgent {
  readonly agent: AgentProcess;
  readonly greeting: Greeting;
  /** Offset of the agent's monotonic clock to `performance.now()` here. */
  readonly clock: ClockOffset | null;
}

/**
 * Copies the agent to a host and starts it there. It opens no port, leaves no process behind, and lives as long as the connection, or as a
 * plan lets it wait for `connectAgain`. Closing it ends the connection. Throws `HOST_NO_NODE`, `AGENT_MISSING`, the errors of copying
 * files, `AGENT_VERSION`, or the cause of a loss.
 */
export async function startAgent(connection: SshConnection, agentFile: URL, connectAgain: WayBack['connect']): Promise<StartedAgent> {
  const facts = await askFacts(connection);
  const node = usableNode(connection.label, facts);
  const content = await readBundle(agentFile);
  const path = await placeFile(connection, { name: contentName('holdfast-agent', content, '.mjs'), content, isProgram: false });
  const command = `exec ${shellQuoted(node)} ${shellQuoted(path)}`;
  const agent = new AgentProcess(connection, await connection.start(command), {
    connect: connectAgain,
    join: (again, door) => again.start(`${command} resume ${shellQuoted(door)}`),
    tidy: (still, door) => still.run(`rm -f ${shellQuoted(door)}; rmdir ${shellQuoted(posix.dirname(door))}`),
  });
  try {
    const greeting = await agent.greet();
    return { agent, greeting, clock: await agent.measureClock() };
  } catch (thrown) {
    agent.close();
    throw thrown;
  }
}

function usableNode(label: string, { node, nodePackage }: HostFacts): string {
  if (node?.isEnough === true) return node.path;
  throw new HoldfastError({
    code: 'HOST_NO_NODE',
    message: `${label} has ${node === null ? 'no Node' : `only Node ${node.version}`}, and the load needs Node ${OLDEST_NODE} or newer there.`,
    hint:
      nodePackage === null
        ? 'Install it in the user’s PATH (command -v node), then try again.'
        : 'Holdfast can fetch it from npm and copy it to the home directory there (about 120 MB): holdfast hosts test NAME --install-node, or on the page Hosts. Or install it yourself.',
    data: { host: label, nodePackage },
  });
}

async function readBundle(agentFile: URL): Promise<Buffer> {
  try {
    return await readFile(agentFile);
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'AGENT_MISSING',
        message: `The agent to copy to the host is missing (${agentFile.pathname}).`,
        hint: 'In a checkout, run npm run build. Otherwise, reinstall Holdfast.',
      },
      { cause },
    );
  }
}
