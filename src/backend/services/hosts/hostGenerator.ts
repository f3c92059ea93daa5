import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { ClockOffset, HostFacts } from '#core/plan/schema/hosts.ts';
import type { RunEvent } from '#core/result/schema.ts';
import type { EngineSink } from '#engine/engine.ts';
import { fromPerformance } from '#backend/monitors/source.ts';
import { beginRemoteRun } from '#backend/remote/agent/remoteRun.ts';
import type { ReconnectWay } from '#backend/remote/agent/wayBack.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { askFacts, OLDEST_NODE } from '#backend/remote/host/facts.ts';
import { contentName, placeFile } from '#backend/remote/host/placeFile.ts';
import { shellQuoted } from '#backend/remote/host/clock.ts';
import { AgentProcess, type Greeting } from '#backend/remote/agent/agentProcess.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';

/**
 * Makes a host a load generator for one load, and takes ownership of the connection. If the connection is lost, `connectAgain` opens
 * another. Throws the errors of {@link startAgent}.
 */
export async function hostGenerator(
  connection: SshConnection,
  agentFile: URL,
  connectAgain: ReconnectWay['connect'],
): Promise<LoadGenerator> {
  return agentGenerator(await startAgent(connection, agentFile, connectAgain));
}

/** Returns the load generator behind a greeted agent, and takes ownership of the agent. */
export function agentGenerator({ agent, greeting, clock }: StartedAgent): LoadGenerator {
  const { label } = agent;
  return {
    name: label,
    cores: greeting.cores,
    async prepare(job) {
      const startedPendingRun = await beginRemoteRun(agent, job);
      const { threads, engine, engineVersion, sharesMachineWithTarget, keptAwake } = startedPendingRun.started;
      return {
        attach: (sink) => startedPendingRun.attach(recordStart(sink, label, clock)),
        measureClock: () => agent.measureClock(),
        facts: () => ({
          name: label,
          hostname: plainText(greeting.hostname),
          platform: plainText(`${greeting.platform.replace('-', ` ${greeting.release} `)}`),
          cores: greeting.cores,
          memoryBytes: greeting.memoryBytes,
          nodeVersion: plainText(`v${greeting.nodeVersion}`, 40),
          threads,
          engine: plainText(engine, 40),
          engineVersion: plainText(engineVersion, 40),
          sharesMachineWithTarget,
          // Known only for this computer. A host that is also a target has a monitor, which reports its ports.
          outgoingPorts: null,
          keptAwake,
          selfTest: null,
          lost: null,
        }),
      };
    },
    measurePath: (url) => agent.measurePath(url),
    close: () => agent.close(),
  };
}

/** Records the start of the run on this computer's clock, so that windows and logs of several machines can be aligned. */
function recordStart(sink: EngineSink, name: string, clock: ClockOffset | null): EngineSink {
  return {
    onReady: (leg) => sink.onReady?.(leg),
    onStage: (stage, second) => sink.onStage(stage, second),
    onDraining: (second) => sink.onDraining(second),
    onWindow: (window, reading) => sink.onWindow(window, reading),
    onEvent: (event) => sink.onEvent(event),
    onSample: (sample) => sink.onSample?.(sample),
    onItems: (count, items) => sink.onItems?.(count, items),
    onRows: (report) => sink.onRows?.(report),
    onBegin(atMs) {
      if (clock === null) return;
      sink.onBegin?.(fromPerformance(atMs - clock.aheadMs));
      sink.onEvent(startEvent(name, atMs, clock));
    },
  };
}

function startEvent(name: string, atMs: number, { aheadMs, errorMs, roundTripMs }: ClockOffset): RunEvent {
  const startedAt = new Date(performance.timeOrigin + atMs - aheadMs).toISOString();
  return {
    second: 0,
    kind: 'clock',
    text: `Second 0 on ${name} was at ${startedAt} by the clock of this computer, ± ${errorMs.toFixed(2)} ms.`,
    data: { generator: name, startedAt, errorMs, roundTripMs },
  };
}

/** An agent that has replied to its greeting. */
export interface StartedAgent {
  readonly agent: AgentProcess;
  readonly greeting: Greeting;
  /** Offset between the agent's monotonic clock and `performance.now()` here. */
  readonly clock: ClockOffset | null;
}

/**
 * Copies the agent to a host and starts it there. The agent opens no port and leaves no process behind. It runs as long as its connection
 * or, if the plan allows reconnecting, until the wait for `connectAgain` ends. Closing the agent closes the connection. Throws
 * `HOST_NO_NODE`, `AGENT_MISSING`, the errors from copying files, `AGENT_VERSION`, or the reason why the connection was lost.
 */
async function startAgent(connection: SshConnection, agentFile: URL, connectAgain: ReconnectWay['connect']): Promise<StartedAgent> {
  const facts = await askFacts(connection);
  const node = usableNode(connection.label, facts);
  const content = await readBundle(agentFile);
  const path = await placeFile(connection, { name: contentName('holdfast-agent', content, '.mjs'), content, isProgram: false });
  const command = `exec ${shellQuoted(node)} ${shellQuoted(path)}`;
  const agent = new AgentProcess(connection, await connection.start(command), {
    connect: connectAgain,
    join: (again, socketPath) => again.start(`${command} resume ${shellQuoted(socketPath)}`),
    tidy: (socketPath) => connection.run(`rm -f ${shellQuoted(socketPath)}; rmdir ${shellQuoted(posix.dirname(socketPath))}`),
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
