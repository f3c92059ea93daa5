import { Option } from 'commander';
import { type CheckFinding, type HostChange, type Role, ROLES } from '#core/machines/checks/finding.ts';
import type { Client } from '#contract/rpc/client.ts';
import { PATH_LIMITS } from '#core/machines/checks/path/schema.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatBytes } from '#core/base/units.ts';
import { quote } from '#core/base/text.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { withHostKey } from '../hosts/withHostKey.ts';
import { jsonText } from '../output/jsonFile.ts';
import { draftFrom, requirePlan } from '../plans/fromPreset.ts';
import { readSettings } from '../plans/settings.ts';
import { findPlanSource, listQuestions } from '../plans/source.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { collect } from '../input/optionReader.ts';

const ORDER: readonly CheckFinding['level'][] = ['problem', 'warning', 'info', 'unknown', 'ok'];
const WIDTH = 9;

/** Formats findings by severity; passed checks are only counted unless `showsAll`. */
function checkText(title: string, findings: readonly CheckFinding[], showsAll: boolean): string {
  const fine = findings.filter(({ level }) => level === 'ok');
  const visibleFindings = showsAll ? findings : findings.filter(({ level }) => level !== 'ok');
  const sorted = [...visibleFindings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  const rest =
    showsAll || fine.length === 0 ? '' : `${fine.length === 1 ? '1 check passed' : `${fine.length} checks passed`}; --all lists them.\n`;
  return `${title}\n${sorted.map(findingText).join('')}${rest}`;
}

function findingText({ id, level, title, evidence, matters, remedy }: CheckFinding): string {
  const lines = [evidence, matters, ...(remedy === null ? [] : remedyLines(remedy))].filter((line) => line !== '');
  return `${level.padEnd(WIDTH)}${title} [${id}]\n${lines.map((line) => `${' '.repeat(WIDTH)}${line}\n`).join('')}`;
}

function remedyLines({ text, command, undo, risk, change }: NonNullable<CheckFinding['remedy']>): string[] {
  return [
    `To do: ${text}`,
    command === null ? '' : `  ${command}`,
    undo === null ? '' : `To undo it: ${undo}`,
    risk === '' ? '' : `Risk: ${risk}`,
    change === undefined ? '' : 'To let Holdfast do it after you agree: --apply with the name in brackets.',
  ];
}

interface CheckFlags extends AllowFlags {
  readonly plan?: string;
  readonly set: string[];
  readonly role?: Role;
  readonly apply?: string;
  readonly revert?: boolean;
  readonly yes?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly path?: boolean;
  readonly trust?: string;
}

/** Parameters of all calls about one machine. */
interface CheckedMachine {
  readonly host: string | null;
  readonly role: Role;
  readonly plan: Plan | null;
  readonly agreed: string[];
}

export const addCheck: AddCommand = (program, { context }) => {
  const command = program
    .command('check')
    .description(
      'check whether a machine is ready for a test: ports, open files, kernel settings, processor, network; changes nothing without your consent',
    )
    .argument('[host]', 'a host of the list (default: this computer)')
    .option(
      '--plan <preset or file>',
      'check for this plan; sends one request to the target, for the size and for which end closes the connection',
    )
    .option('--set <key=value>', 'as for run', collect, [])
    .addOption(new Option('--role <role>', 'role of the machine in the load').choices(ROLES).default('generator'))
    .option('--apply <check>', 'make the change that this check advises, after you agree; with sudo if needed')
    .option('--revert', 'undo what Holdfast changed on this machine, after you agree')
    .option('--yes', 'agree without being asked')
    .option('--all', 'also list passed checks')
    .option(
      '--path',
      `also measure the bandwidth: with --plan from a generator to its target, otherwise between the host and this computer; at most ${PATH_LIMITS.seconds} s and ${formatBytes(PATH_LIMITS.bytes)} in each direction`,
    )
    .option('--json', 'print the findings as JSON')
    .option('--trust <fingerprint>', 'trust the key of the host if it has this fingerprint (SHA256:…)');
  addAllowOption(command).action(async (host: string | undefined, flags: CheckFlags) => {
    const { plan, consent } = await getPlan(flags, context);
    await withClient(context, async (client) => {
      const checkedMachine: CheckedMachine = {
        host: host === undefined || isHere(host) ? null : host,
        role: flags.role ?? 'generator',
        plan,
        agreed: plan === null ? [] : await consent.agreeToPlan({ plan }, client),
      };
      const withKnownKey = <Result>(work: () => Promise<Result>): Promise<Result> => withHostKey(work, client, context, flags.trust);
      if (flags.revert === true) return revertChanges(client, checkedMachine, flags, context, withKnownKey);
      const path = flags.path === true ? [await withKnownKey(() => client.call('checks.path', checkedMachine))] : [];
      const findings = [
        ...(await withKnownKey(() => client.call('checks.machine', { ...checkedMachine, asksTarget: plan !== null }))),
        ...path,
      ];
      if (flags.apply !== undefined) return applyRemedy(client, checkedMachine, findings, flags.apply, flags, context, withKnownKey);
      await context.out.write(
        flags.json === true
          ? jsonText({ host: checkedMachine.host, role: checkedMachine.role, findings })
          : checkText(`${capitalizeStart(nameOf(checkedMachine.host))} as ${checkedMachine.role}`, findings, flags.all === true),
      );
    });
  });
};

type WithKnownKey = <Result>(work: () => Promise<Result>) => Promise<Result>;

async function applyRemedy(
  client: Client,
  checkedMachine: CheckedMachine,
  findings: readonly CheckFinding[],
  id: string,
  flags: CheckFlags,
  context: CliContext,
  known: WithKnownKey,
): Promise<void> {
  const remedy = findings.find((finding) => finding.id === id)?.remedy;
  if (remedy?.change === undefined)
    throw new HoldfastError({
      code: 'NOT_ADVISED',
      message: `The check ${quote(id)} advises no change that Holdfast can make.`,
      hint: `Those that do: ${
        findings.flatMap((finding) => (finding.remedy?.change === undefined ? [] : [finding.id])).join(', ') || 'none, at the moment'
      }.`,
    });
  const { change, command, undo, risk } = remedy;
  await requireConsent(`On ${nameOf(checkedMachine.host)}: ${command}\nRisk: ${risk}\nTo undo it: ${undo}`, flags, context);
  const { finding } = await known(() => client.call('checks.apply', { ...checkedMachine, id, change }));
  const undoing = `holdfast check${checkedMachine.host === null ? '' : ` ${checkedMachine.host}`} --revert`;
  await context.out.write(
    `${change.setting} of ${nameOf(checkedMachine.host)} is now ${change.to}, verified. The check says: ${finding.level}, ${finding.title}.\nTo undo it: ${undoing}\n`,
  );
}

async function revertChanges(
  client: Client,
  { host }: CheckedMachine,
  flags: CheckFlags,
  context: CliContext,
  known: WithKnownKey,
): Promise<void> {
  const changes = (await client.call('checks.changes', {})).filter((change) => isOfHost(change, host)).toReversed();
  if (changes.length === 0) return context.out.write(`Nothing to undo on ${nameOf(host)}.\n`);
  const lines = changes.map(({ setting, from, to }) => `${setting}: from ${to} back to ${from}`);
  await requireConsent(`On ${nameOf(host)}:\n${lines.join('\n')}`, flags, context);
  for (const { id, setting, from } of changes) {
    await known(() => client.call('checks.revert', { changeId: id }));
    await context.out.write(`${setting} of ${nameOf(host)} is ${from} again.\n`);
  }
}

async function requireConsent(what: string, { yes }: CheckFlags, { hiddenInput, err }: CliContext): Promise<void> {
  await err.write(`${what}\n`);
  if (yes === true) return;
  const answer = await hiddenInput('Do it? Type yes (what you type is not shown)').catch((thrown: unknown) => {
    if (!(thrown instanceof HoldfastError) || thrown.code !== 'NO_TERMINAL') throw thrown;
    throw new HoldfastError({
      code: 'CANCELLED',
      message: 'No terminal to ask on. Nothing was changed.',
      hint: 'Add --yes to agree to what is shown above.',
    });
  });
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new HoldfastError({ code: 'CANCELLED', message: 'Nothing was changed.', hint: '' });
}

/** Reads the plan from --plan; null without the option. Throws the issues of the plan. */
async function getPlan(flags: CheckFlags, context: CliContext): Promise<{ plan: Plan | null; consent: Consent }> {
  if (flags.plan === undefined) return { plan: null, consent: new Consent(flags.allow, context) };
  const source = await findPlanSource(flags.plan, context);
  const { settings, issues } = readSettings(flags.set, listQuestions(source));
  const draft = draftFrom(source, settings);
  return { plan: requirePlan(draft.plan, [...issues, ...draft.issues]), consent: new Consent(flags.allow, context, source) };
}

function isOfHost({ host }: HostChange, other: string | null): boolean {
  return host?.toLowerCase() === other?.toLowerCase();
}

function nameOf(host: string | null): string {
  return host ?? 'this computer';
}
