import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { RunEvent } from '#core/result/schema.ts';
import type { EngineSink } from '#engine/engine.ts';
import { fromPerformance } from '#backend/monitors/source.ts';
import { beginRemoteRun } from '#backend/remote/agent/remoteRun.ts';
import { startAgent } from '#backend/remote/agent/startAgent.ts';
import type { WayBack } from '#backend/remote/agent/wayBack.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';

/**
 * Makes a host a load generator for one load. It owns the connection; if that is lost, `connectAgain` makes another. Throws the errors of
 * {@link startAgent}.
 */
export async function hostGenerator(connection: SshConnection, agentFile: URL, connectAgain: WayBack['connect']): Promise<LoadGenerator> {
  const { agent, greeting, clock } = await startAgent(connection, agentFile, connectAgain);
  return {
    name: connection.label,
    cores: greeting.cores,
    async prepare(job) {
      const begun = await beginRemoteRun(agent, job);
      const { threads, engine, engineVersion, sharesMachineWithTarget, keptAwake } = begun.started;
      return {
        attach: (sink) => begun.attach(withStart(sink, connection.label, clock)),
        measureClock: () => agent.measureClock(),
        facts: () => ({
          name: connection.label,
          hostname: plainText(greeting.hostname),
          platform: plainText(`${greeting.platform.replace('-', ` ${greeting.release} `)}`),
          cores: greeting.cores,
          memoryBytes: greeting.memoryBytes,
          nodeVersion: plainText(`v${greeting.nodeVersion}`, 40),
          threads,
          engine: plainText(engine, 40),
          engineVersion: plainText(engineVersion, 40),
          sharesMachineWithTarget,
          // Only known for this computer. A host that is also a target has a monitor, which reports it.
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

/** Records the start of the run on our clock, which aligns windows and logs of several machines. */
function withStart(sink: EngineSink, name: string, clock: ClockOffset | null): EngineSink {
  return {
    onReady: (leg) => sink.onReady?.(leg),
    onStage: (stage, second) => sink.onStage(stage, second),
    onDraining: (second) => sink.onDraining(second),
    onWindow: (window, reading) => sink.onWindow(window, reading),
    onEvent: (event) => sink.onEvent(event),
    onSample: (sample) => sink.onSample?.(sample),
    onAcknowledged: (count, markers) => sink.onAcknowledged?.(count, markers),
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
