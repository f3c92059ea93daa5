import type { Plan } from '#core/plan/schema/plan.ts';
import type { PopulatePreview, PopulateState } from '#core/work/populate/state.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import type { HoldfastError } from '#core/base/errors.ts';
import { findRowWork } from '#core/work/populate/plan.ts';
import type { PopulateMode } from '#core/plan/schema/populate.ts';
import type { Client } from '#contract/rpc/client.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import type { CliContext, AddCommand } from '../context.ts';
import { jsonText } from '../output/jsonFile.ts';
import { findPlanSource } from '../plans/source.ts';
import { addAllowOption, type AllowFlags, type Consent } from '../input/consent.ts';
import { startLine } from '../running/progress.ts';
import { collect } from '../input/optionReader.ts';
import { addLoadOptions, type LoadFlags } from './loadOptions.ts';
import { type UsePlan, withPlan } from './run.ts';
import { quietOption } from './runOptions.ts';

function formatProgress({ mode, done, failed, left }: PopulateState): string {
  const parts = [
    `${formatCount(done)} ${mode === 'create' ? 'created' : 'removed'}`,
    `${formatCount(failed)} failed`,
    `${formatCount(left)} to go`,
  ];
  return parts.join(' · ');
}

const MAX_SHOWN_FAILURES = 20;

/** Formats the result: created or removed rows, failed rows with reasons, remaining rows, and how to remove the created ones. */
function populateText(plan: Plan, state: PopulateState): string {
  const { mode, done, failed, left, before, total, failures, because, record } = state;
  const verb = mode === 'create' ? 'created' : 'removed';
  const shownNames = failures.slice(0, MAX_SHOWN_FAILURES).map(({ row, key, reason }) => `  row ${row} (${key}): ${reason}\n`);
  const more = failed > shownNames.length ? `  and ${formatCount(failed - shownNames.length)} more, see ${record}\n` : '';
  const there = mode === 'create' ? `, ${formatCount(before)} existed before` : '';
  return [
    `${formatCount(done)} of ${formatCount(total)} rows ${verb}${there}, ${formatCount(failed)} failed, ${formatCount(left)} not tried.\n`,
    because === null ? '' : `It ended early: ${because}\n`,
    failed === 0 ? '' : `Failed:\n${shownNames.join('')}${more}`,
    failed + left === 0 ? '' : 'Call it again to continue with the rest.\n',
    ...(mode === 'create' ? plan.leavesBehind.map((text) => `Left in place: ${text}\n`) : []),
    mode === 'create' && plan.populate?.remove !== undefined ? 'To remove them: holdfast populate … --undo\n' : '',
    `Record: ${record}\n`,
  ].join('');
}

interface PopulateFlags extends LoadFlags, AllowFlags {
  readonly set: string[];
  readonly undo?: boolean;
  readonly show?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export const addPopulate: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('populate')
    .description('create accounts and data on the target before a test, row by row, as the block “populate” of the plan says')
    .argument('<preset or file>', 'a plan in YAML or JSON with a block “populate:”, or a preset')
    .option('--undo', 'remove what was created, with the journey “remove” of the plan')
    .option('--show', 'only show what would be created')
    .option('--set <key=value>', 'as for run', collect, [])
    .option('--json', 'print what was created as JSON')
    .addOption(quietOption());
  addAllowOption(addLoadOptions(command)).action(async (name: string, flags: PopulateFlags) => {
    const source = await findPlanSource(name, context);
    const isQuiet = flags.quiet === true || flags.json === true;
    const populatePlan: UsePlan = (plan, client, consent) => populate(plan, flags, context, client, consent);
    exit(await withPlan(source, flags, isQuiet, context, populatePlan, { runsCommands: true }));
  });
};

async function populate(plan: Plan, flags: PopulateFlags, context: CliContext, client: Client, consent: Consent): Promise<ExitCode> {
  const mode: PopulateMode = flags.undo === true ? 'remove' : 'create';
  const isQuiet = flags.quiet === true || flags.json === true;
  const agreedKeys = await consent.agreeToPlan({ plan }, client);
  const preview = await client.call('populate.preview', { plan, agreed: agreedKeys });
  if (!isQuiet) await context.err.write(describeIntention(plan, mode, preview));
  if (flags.show === true) return EXIT.fine;
  const { id } = await client.call('populate.start', { plan, mode, agreed: agreedKeys });
  const state = await followPopulate(id, isQuiet, context, client);
  if (flags.json === true) await context.out.write(jsonText(state));
  else if (!isQuiet || state.failed > 0 || state.because !== null)
    await (isQuiet ? context.err : context.out).write(populateText(plan, state));
  if (state.stoppedBy === 'user') return EXIT.stoppedByUser;
  return state.state === 'finished' && state.failed === 0 ? EXIT.fine : EXIT.failed;
}

/** Shows progress until the work ends. Ctrl-C stops the work; the record still lists what was created. */
async function followPopulate(id: string, isQuiet: boolean, context: CliContext, client: Client): Promise<PopulateState> {
  const line = startLine(context.err, !isQuiet);
  let interrupts = 0;
  const release = context.onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) return context.quit(EXIT.stoppedByUser);
    client.call('populate.stop', { id }).catch(() => {});
  });
  try {
    return await new Promise((resolve, reject) => {
      let last: PopulateState | null = null;
      client.open(
        'populate.watch',
        { id },
        {
          onItem(state: PopulateState) {
            last = state;
            line.show(formatProgress(state));
          },
          onEnd(problem?: HoldfastError) {
            if (problem !== undefined || last === null) reject(problem ?? new Error('No details.'));
            else resolve(last);
          },
        },
      );
    });
  } finally {
    release();
    await line.end();
  }
}

/** Describes what will be created or removed. Printed before the work starts. */
function describeIntention(plan: Plan, mode: PopulateMode, { populate: preview, problems }: PopulatePreview): string {
  const short = problems.map(({ message }) => `${message}\n`).join('');
  if (preview === null || plan.populate === undefined || preview.problem !== null) return short;
  const { total, made, target, record, perSecond } = preview;
  const rows = mode === 'create' ? total - made : made;
  const what = `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} of “${preview.feed}”`;
  const work = findRowWork(plan.populate, mode);
  const how = work?.kind === 'command' ? `by this command on this computer:\n  $ ${work.command.run}\n` : 'through its own pages.\n';
  const done = mode === 'create' && made > 0 ? ` ${formatCount(made)} exist from before and are left alone.` : '';
  return `${short}${mode === 'create' ? 'Creating' : 'Removing'} ${what} at ${target}, at most ${formatNumber(perSecond)} a second, ${how}${done === '' ? '' : `${done.trim()}\n`}Record of what was created: ${record}\n`;
}
