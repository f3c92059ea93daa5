import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasSshServer, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Trial, Victim } from '../trial.ts';
import { ENDS_WITHIN_MS, killAtRandom, killPoint, NO_GRACE_MS } from './commandLine.ts';
import { lacksNothing, type KillResult, type CrashPoint } from './place.ts';

const OWNER = new URL('../scripts/owner.ts', import.meta.url);
const MAX_AGENT_SECONDS = 20;
const LOAD: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 300, seconds: 6 }] };

/** The crash point “backend”: the backend of web mode is killed while it serves the app and runs a load. */
export const backend: CrashPoint = {
  name: 'backend',
  weight: 6,
  missing: lacksNothing,
  async strike(trial): Promise<KillResult> {
    const settings = { plan: trial.plan(), host: null };
    if (trial.dice.between(0, 1) < 0.5) {
      const isOver = await killAtRandom(trial, trial.script(OWNER, settings));
      return { where: 'at any instant', graceMs: NO_GRACE_MS, problems: isOver ? [] : ['the victim hangs'] };
    }
    const kill = killPoint(trial);
    const isOver = await trial.script(OWNER, settings, { kill }).ended(ENDS_WITHIN_MS);
    return { where: `${kill.step}, ${kill.moment}`, graceMs: NO_GRACE_MS, problems: isOver ? [] : ['the victim hangs'] };
  },
};

async function startOwner(trial: Trial, server: SshServer, graceSeconds: number): Promise<Victim> {
  const knownHosts = join(trial.folder, 'known_hosts');
  await writeFile(knownHosts, server.knownHosts);
  const host = { port: server.port, keyPath: server.clientKey, home: trial.folder, knownHosts };
  const owner = trial.script(OWNER, { plan: trial.plan({ load: LOAD, graceSeconds }), host });
  if (!(await trial.target.waitForRequest(trial.name, ENDS_WITHIN_MS / 2)))
    throw new Error(`The load did not begin: ${owner.getOutput().slice(-400)}`);
  return owner;
}

/** Waits until the run of a process has ended, and then ends the process. */
export async function waitForRunEnd(owner: Victim, states: RegExp): Promise<string[]> {
  const until = performance.now() + ENDS_WITHIN_MS;
  while (!owner.getOutput().includes('ended ') && owner.child.exitCode === null && performance.now() < until) await sleep(50);
  const problems = states.test(owner.getOutput()) ? [] : [`its run did not end as it should: ${owner.getOutput().slice(-400)}`];
  owner.child.stdin?.end();
  return (await owner.ended(ENDS_WITHIN_MS)) ? problems : [...problems, 'the owner hangs'];
}

/** Checks that no agent is left on the host. */
async function findAgentsLeft(server: SshServer, withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  while (server.pidsOf('holdfast-agent').length > 0 && performance.now() < until) await sleep(100);
  const left = server.pidsOf('holdfast-agent');
  return left.length === 0 ? [] : [`agents are left on the host: ${left.join(', ')}`];
}

/**
 * The crash point “agent over SSH”: while a host generates a load, its agent or the process that owns the run is killed, or the connection
 * is cut every second.
 */
export const agent: CrashPoint = {
  name: 'agent over SSH',
  weight: 7,
  missing: () => (hasSshServer ? null : 'It takes sshd and the rights of root.'),
  async strike(trial): Promise<KillResult> {
    const where = trial.dice.pick(['agent killed', 'owner killed', 'cut every second']);
    const server = await startSshServer();
    let diedMs = 0;
    try {
      const owner = await startOwner(trial, server, where === 'owner killed' ? 1 : MAX_AGENT_SECONDS);
      if (where === 'cut every second') {
        while (!owner.getOutput().includes('ended ') && owner.child.exitCode === null) {
          await sleep(1_000);
          server.cut();
        }
      } else {
        await sleep(trial.dice.between(0, 4_000));
        diedMs = performance.now();
        if (where === 'owner killed') owner.child.kill('SIGKILL');
        else for (const pid of server.pidsOf('holdfast-agent')) process.kill(pid, 'SIGKILL');
      }
      const states = where === 'agent killed' ? /ended (failed|finished)/ : /ended finished/;
      const problems = where === 'owner killed' ? [] : await waitForRunEnd(owner, states);
      if (where === 'owner killed' && !(await owner.ended(ENDS_WITHIN_MS))) problems.push('the owner hangs');
      problems.push(...(await findAgentsLeft(server, 10_000)));
      return { where, graceMs: NO_GRACE_MS, problems, ...(where === 'owner killed' ? { diedMs } : {}) };
    } finally {
      await server.stop();
    }
  },
};

async function waitUntilServing({ child, getOutput }: Victim): Promise<void> {
  const until = performance.now() + ENDS_WITHIN_MS;
  while (!getOutput().includes(' runs at') && child.exitCode === null && performance.now() < until) await sleep(50);
}

/** The crash point “practice server”: the supervisor of a practice server, one of its parts, or its parent is killed. */
export const practiceServer: CrashPoint = {
  name: 'practice server',
  weight: 4,
  missing: lacksNothing,
  async strike(trial): Promise<KillResult> {
    const { dice } = trial;
    // These practice servers download nothing when they are started for the first time.
    const victim = trial.cli(['lab', dice.pick(['contest', 'school-site'])]);
    if (dice.between(0, 1) < 0.5) await sleep(dice.between(300, 3_000));
    else await waitUntilServing(victim);
    const processes = (await trial.processes()).filter(({ pid }) => pid !== victim.child.pid);
    const [part] = processes.length === 0 ? [] : [processes[dice.integer(0, processes.length - 1)]];
    const isPart = part !== undefined && dice.between(0, 1) < 0.5;
    if (isPart) process.kill(part.pid, 'SIGKILL');
    else victim.child.kill('SIGKILL');
    // The practice server either continues without the part, or reports what broke and ends.
    if (isPart && !(await Promise.race([once(victim.child, 'close').then(() => true), sleep(2_000, false)]))) victim.child.kill('SIGINT');
    const isOver = await victim.ended(ENDS_WITHIN_MS);
    return { where: isPart ? 'a part' : 'its owner', graceMs: 10_000, problems: isOver ? [] : ['the victim hangs'] };
  },
};
