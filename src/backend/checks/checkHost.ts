import type { CheckFinding, Role } from '#core/machines/checks/finding.ts';
import type { HostFacts } from '#core/machines/checks/host/hostCheck.ts';
import { planLoad, type SeenAnswer } from '#core/machines/checks/host/planLoad.ts';
import { judgeHost, NOTHING_SAID, probeScript } from '#core/machines/checks/host/registry.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { plainText } from '../remote/ssh/plainText.ts';
import { ownReadings } from './ownReadings.ts';
import { ownShell, type Shell } from './shell.ts';

/** What a machine is checked for. */
export interface CheckWish {
  readonly role: Role;
  /** null: by itself, for no plan. */
  readonly plan: Plan | null;
  /** What one answer of the target told; null when none was asked for. */
  readonly seen: SeenAnswer | null;
}

/** Checks this computer. One without /bin/sh (Windows) is asked what Node knows of it. */
export async function checkOwn(wish: CheckWish): Promise<CheckFinding[]> {
  const facts = factsOf(wish, { isRemote: false, clock: null });
  const own = await ownReadings();
  const out = await ownShell.run('sh', { input: probeScript(facts) }).then(
    (result) => result.out,
    () => '',
  );
  return judgeHost(out, facts, own) ?? judgeHost(NOTHING_SAID, facts, own) ?? [];
}

/** Checks a host over a connection. Throws what the connection does, and `HOST_NOT_POSIX`. */
export async function checkRemote(shell: Shell, clock: ClockOffset | null, wish: CheckWish): Promise<CheckFinding[]> {
  const facts = factsOf(wish, { isRemote: true, clock });
  const { out, error } = await shell.run('sh', { input: probeScript(facts) });
  const findings = judgeHost(out, facts);
  if (findings === null)
    throw new HoldfastError({
      code: 'HOST_NOT_POSIX',
      message: `${shell.label} lets us in, but its shell does not do what was asked${error === '' ? '' : `: ${plainText(error)}`}.`,
      hint: 'Linux is checked best, macOS in part: the user needs a login shell with sh, and nothing that forces another command.',
    });
  return findings.map(clean);
}

function factsOf({ role, plan, seen }: CheckWish, rest: Pick<HostFacts, 'isRemote' | 'clock'>): HostFacts {
  return { role, load: plan === null ? null : planLoad(plan, seen), ...rest };
}

/** What a host says is shown without control characters. */
function clean({ title, evidence, ...finding }: CheckFinding): CheckFinding {
  return { ...finding, title: plainText(title), evidence: plainText(evidence) };
}
