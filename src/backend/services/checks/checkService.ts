import type { CallHandlers } from '#contract/rpc/server.ts';
import type { CheckFinding, HostChange, Role, SettingChange } from '#core/machines/checks/finding.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';

import type { Plan } from '#core/plan/schema/plan.ts';
import type { Agreements } from '#backend/agreements/agreements.ts';
import type { Log } from '#backend/log.ts';
import { connectFrom } from '#backend/monitors/runMonitors.ts';
import { askPostgres } from '#backend/monitors/services/postgres.ts';
import type { Redaction } from '#backend/redaction.ts';
import { measurePath } from '#engine/path/measurePath.ts';
import { THIS_COMPUTER, type ClockOffset } from '#core/plan/schema/hosts.ts';
import { measureClock } from '#backend/remote/host/clock.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import type { Store } from '#backend/store/store.ts';
import type { HostService } from '../hosts/hostService.ts';
import { isAsked, type Secrets } from '../secrets.ts';
import type { LoadLock } from '../loadLock.ts';
import { askTarget, readOwnCertificate, type CheckedPath, checkPath, checkSshPath } from './askTarget.ts';
import { changeSetting, readSetting, ownShell, type Shell } from './shell.ts';
import type { AskDatabase } from './databaseRights.ts';
import { checkPlan } from './registry.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type CpuInfo, cpus, freemem, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { CPU_PROBE, type HostFacts, MEMORY_PROBE, NODE_PROBE, OPEN_FILES_PROBE } from '#core/machines/checks/host/hostCheck.ts';
import { planLoad, type SeenResponse } from '#core/machines/checks/host/planLoad.ts';
import { judgeHost, EMPTY_OUTPUT, probeScript } from '#core/machines/checks/host/registry.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE } from '#core/machines/checks/host/otherSystems.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { notPosix } from '#backend/remote/host/facts.ts';

export interface CheckServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly redaction: Pick<Redaction, 'add'>;
  readonly hosts: Pick<HostService, 'connect' | 'replies' | 'open'>;
  readonly agreements: Pick<Agreements, 'covers'>;
  readonly lock: LoadLock;
}

interface Checked {
  readonly host: string | null;
  readonly role: Role;
  readonly plan: Plan | null;
  readonly agreed: readonly string[];
}

/** Checks this computer and hosts, and changes settings to which the user has agreed. */
export class CheckService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `checks.${string}`>> = {
    'checks.machine': ({ asksTarget, ...checked }) => this.findings(checked, asksTarget),
    'checks.path': (checked) => this.pathOf(checked),
    'checks.apply': ({ id, change, ...checked }) => this.apply(checked, id, change),
    'checks.changes': () => this.parts.store.openHostChanges(),
    'checks.revert': ({ changeId }) => this.revert(changeId),
  };

  private readonly parts: CheckServiceParts;

  constructor(parts: CheckServiceParts) {
    this.parts = parts;
  }

  /** Runs work with a shell: the one of this computer, or that of a host over a new connection. */
  private async withShell<Result>(host: string | null, work: (shell: Shell) => Promise<Result>): Promise<Result> {
    return host === null ? work(ownShell) : this.withConnection(host, work);
  }

  private async withConnection<Result>(host: string, work: (connection: SshConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.parts.hosts.connect(host);
    try {
      return await work(connection);
    } finally {
      connection.close();
    }
  }

  /**
   * Measures the path from a load generator to the target, or, without a plan, between a host and this computer. Throws `NO_PATH`, errors
   * from connecting, and `RUN_GOING` or a similar error during a load.
   */
  private async pathOf({ host, role, plan }: Checked): Promise<CheckFinding> {
    const { lock, store } = this.parts;
    lock.claim('path');
    if (plan === null || role !== 'generator') {
      if (host === null) throw noPath();
      return this.withConnection(host, (connection) => lock.measure(() => checkSshPath(host, connection)));
    }
    const seenResponse = await askTarget(plan);
    const check = (shell: Shell, place: Pick<LoadGenerator, 'name' | 'measurePath'>): Promise<CheckedPath> =>
      checkPath(
        { name: place.name, shell, measurePath: (url) => lock.measure(() => place.measurePath(url)) },
        plan,
        seenResponse,
        new Date(),
      );
    const { finding, path } = await (host === null
      ? check(ownShell, { name: THIS_COMPUTER, measurePath })
      : this.fromHost(host, (place) => this.withConnection(host, (shell) => check(shell, place))));
    if (path !== null) store.keepPath(path);
    return finding;
  }

  private async fromHost<Result>(host: string, work: (place: LoadGenerator) => Promise<Result>): Promise<Result> {
    const place = await this.parts.hosts.open(host);
    try {
      return await work(place);
    } finally {
      place.close();
    }
  }

  /** Checks plan and target. Unless the user has agreed to what the plan asks for, nothing is read and no connection is opened. */
  private async checkPlanItself(plan: Plan, isAgreed: boolean): Promise<CheckFinding[]> {
    const { secrets, store } = this.parts;
    const askDatabase: AskDatabase = (monitor, sql) => this.askDatabase(monitor, sql);
    return checkPlan(plan, isAgreed ? await readOwnCertificate(plan.tls, secrets) : { kind: 'none' }, {
      isAgreed,
      askDatabase,
      used: store.usedRows,
    });
  }

  /**
   * Queries a database as its monitor does: from this computer, or through the host that the plan names. Does not ask the user for a
   * password.
   */
  private async askDatabase({ connection, host }: Parameters<AskDatabase>[0], sql: string): Promise<unknown> {
    const { secrets, redaction } = this.parts;
    if (typeof connection === 'object' && isAsked(connection.secret)) return null;
    const values = await secrets.resolve(typeof connection === 'object' ? [connection.secret] : []);
    const address = typeof connection === 'object' ? (values.get(connection.secret) ?? '') : connection;
    redaction.add(address);
    const ask = async (way: SshConnection | null) => (await askPostgres(address, { connect: (place) => connectFrom(way, place) }, sql))[0];
    return host === undefined ? ask(null) : this.withConnection(host, ask);
  }

  private async findings({ host, role, plan, agreed }: Checked, asksTarget: boolean): Promise<CheckFinding[]> {
    const isAgreed = plan !== null && this.parts.agreements.covers({ plan }, agreed);
    // Only a request shows which side closes connections first. It is sent only if that matters.
    const asks = isAgreed && role === 'generator' && (asksTarget || plan.connections.reuse === 'never');
    const wish: CheckRequest = { role, plan, seen: asks ? await askTarget(plan) : null };
    if (host !== null) {
      return this.withConnection(host, async (connection) => {
        const { offset } = await measureClock(connection);
        return checkRemote(connection, offset, wish);
      });
    }
    const [own, about] = await Promise.all([
      checkOwn(wish),
      plan === null || role !== 'generator' ? [] : this.checkPlanItself(plan, isAgreed),
    ]);
    return [...about.filter(({ id }) => id === 'feeds'), ...own, ...about.filter(({ id }) => id !== 'feeds')];
  }

  /** Makes the change that a finding advises now, if it equals the change to which the user has agreed. */
  private async apply(checked: Checked, id: string, agreed: SettingChange): Promise<{ change: HostChange; finding: CheckFinding }> {
    const { store, log, hosts } = this.parts;
    const advised = (await this.findings(checked, false)).find((finding) => finding.id === id)?.remedy?.change;
    if (advised === undefined || !isSameChange(advised, agreed)) throw changeNotAdvised(id);
    await this.withShell(checked.host, (shell) => changeSetting(shell, agreed, hosts.replies()));
    const change = store.addHostChange({ host: checked.host, check: id, ...agreed, appliedAt: new Date().toISOString() });
    log.info('setting changed', { host: checked.host ?? 'this computer', ...agreed });
    const finding = (await this.findings(checked, false)).find((one) => one.id === id);
    if (finding === undefined) throw changeNotAdvised(id);
    return { change, finding };
  }

  private async revert(changeId: number): Promise<HostChange> {
    const { store, log, hosts } = this.parts;
    const change = store.openHostChanges().find((one) => one.id === changeId);
    if (change === undefined)
      throw new HoldfastError({
        code: 'NO_SUCH_CHANGE',
        message: `There is no change ${changeId} to undo.`,
        hint: 'Reload the list. Probably it was undone meanwhile.',
      });
    const { setting, from, to } = change;
    await this.withShell(change.host, async (shell) => {
      // The setting may already have its old value, because a restart of the machine reverts a change.
      if ((await readSetting(shell, setting)) !== from) await changeSetting(shell, { setting, from: to, to: from }, hosts.replies());
    });
    store.revertHostChange(changeId, new Date().toISOString());
    log.info('setting taken back', { host: change.host ?? 'this computer', setting, to: from });
    return change;
  }
}

function noPath(): HoldfastError {
  return new HoldfastError({
    code: 'NO_PATH',
    message: 'There is no path to measure: only this computer was named.',
    hint: 'Name a plan to measure the path to its target, or a host to measure the path between it and this computer.',
  });
}

function isSameChange(one: SettingChange, other: SettingChange): boolean {
  return one.setting === other.setting && one.from === other.from && one.to === other.to;
}

function changeNotAdvised(id: string): HoldfastError {
  return new HoldfastError({
    code: 'NOT_ADVISED',
    message: `The check ${quote(id)} advises no such change now. Nothing was done.`,
    hint: 'Repeat the check. Either the machine was changed meanwhile, or the check has no command for it.',
  });
}

const WATCH_MS = 300;
const COMMAND_LIMIT_MS = 20_000;
/** Maximum size of the output, which may have a line for each possible socket. */
const MAX_OUTPUT_BYTES = 32_000_000;

/**
 * Returns readings that this process knows better than a shell, by the probe that they replace: its own limits and Node.js version, without
 * /proc also CPU and memory, and on Windows the ports.
 */
async function ownReadings(): Promise<ReadonlyMap<string, string>> {
  const own = new Map([[NODE_PROBE, `${process.version}\nlooked\n`]]);
  const limits = ownLimits();
  if (limits !== null) own.set(OPEN_FILES_PROBE, limits);
  if (process.platform === 'linux') return own;
  const before = cpus();
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  const after = cpus();
  own.set(CPU_PROBE, `${ticksLine(before)}\n${ticksLine(after)}\n${after.length}\n`);
  own.set(MEMORY_PROBE, `MemTotal: ${Math.floor(totalmem() / 1_024)} kB\nMemAvailable: ${Math.floor(freemem() / 1_024)} kB\n`);
  if (process.platform !== 'win32') return own;
  own.set(OTHER_PORTS_PROBE, await readOutput('netsh', ['int', 'ipv4', 'show', 'dynamicport', 'tcp']));
  own.set(OTHER_SOCKETS_PROBE, await readOutput('netstat', ['-an']));
  return own;
}

/** Returns the output of a system command, or '' if it cannot be run. */
async function readOutput(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    timeout: COMMAND_LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: childEnvironment(),
  }).catch(() => ({ stdout: '' }));
  return stdout;
}

/** Returns "Max open files" of /proc/self/limits in the format of `ulimit`, or null. See proc(5). */
function ownLimits(): string | null {
  try {
    const match = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? null : `${match[1]}\n${match[2]}\n`;
  } catch {
    return null;
  }
}

/** Formats CPU times like the first line of /proc/stat on Linux. */
function ticksLine(cores: readonly Pick<CpuInfo, 'times'>[]): string {
  const sum = (kind: keyof CpuInfo['times']): number => cores.reduce((total, { times }) => total + times[kind], 0);
  return `cpu  ${sum('user')} ${sum('nice')} ${sum('sys')} ${sum('idle')} 0 ${sum('irq')} 0 0 0 0`;
}

interface CheckRequest {
  readonly role: Role;
  /** The plan to check for; null to check without a plan. */
  readonly plan: Plan | null;
  /** What a response of the target showed; null if no request was sent. */
  readonly seen: SeenResponse | null;
}

/** Checks this computer. Without /bin/sh (Windows), only Node's own readings are used. */
export async function checkOwn(wish: CheckRequest): Promise<CheckFinding[]> {
  const facts = collectFacts(wish, { isRemote: false, clock: null });
  const own = await ownReadings();
  const out = await ownShell.run('sh', { input: probeScript(facts) }).then(
    (result) => result.out,
    () => '',
  );
  return judgeHost(out, facts, own) ?? judgeHost(EMPTY_OUTPUT, facts, own) ?? [];
}

/** Checks a host over a connection. Throws the connection's errors, and `HOST_NOT_POSIX`. */
async function checkRemote(shell: Shell, clock: ClockOffset | null, wish: CheckRequest): Promise<CheckFinding[]> {
  const facts = collectFacts(wish, { isRemote: true, clock });
  const { out, error } = await shell.run('sh', { input: probeScript(facts) });
  const findings = judgeHost(out, facts);
  if (findings === null) throw notPosix(shell.label, error, 'Checks are complete on Linux, partial on macOS');
  return findings.map(cleanFinding);
}

function collectFacts({ role, plan, seen }: CheckRequest, rest: Pick<HostFacts, 'isRemote' | 'clock'>): HostFacts {
  return { role, load: plan === null ? null : planLoad(plan, seen), ...rest };
}

/** Removes control characters from a host's texts. */
function cleanFinding({ title, evidence, ...finding }: CheckFinding): CheckFinding {
  return { ...finding, title: plainText(title), evidence: plainText(evidence) };
}
