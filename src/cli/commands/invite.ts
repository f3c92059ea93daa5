import type { Client } from '#contract/rpc/client.ts';
import type { InvitationState, JoinedComputer } from '#contract/agent/invitation.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { countOf, UNKNOWN_TEXT } from '#core/base/units.ts';
import { MAX_LOAD_GENERATORS } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { AddCommand, CliContext } from '../context.ts';
import type { ExitCode } from '../exitCodes.ts';
import { collect } from '../input/optionReader.ts';
import { optionError } from '../output/problems.ts';
import { findPlanSource, readGivenSettings } from '../plans/source.ts';
import { measureRun } from '../running/perform.ts';
import { addLoadOptions, answersOption, type LoadFlags, PLAN_OR_PRESET } from './loadOptions.ts';
import { withPlan } from './run.ts';
import { addRunOptions, type RunFlags, runOutput } from './runOptions.ts';

interface InviteFlags extends RunFlags, LoadFlags {
  readonly set: readonly string[];
  readonly answers?: string;
  readonly computers: string;
  readonly address?: string;
  readonly port?: string;
}

/** Adds `hosts invite`, which runs a plan on the computers that accept an invitation. */
export const addInvite: AddCommand = (hosts, { context, exit }) => {
  const command = hosts
    .command('invite')
    .description('run a plan from computers without SSH: prints a line to paste there, and waits until a person there agrees')
    .argument('<preset or file>', PLAN_OR_PRESET)
    .option('--computers <n>', `number of computers that may join with the code (at most ${MAX_LOAD_GENERATORS})`, '1')
    .option('--address <address>', 'address of this computer in the line (default: the first that others can reach)')
    .option('--port <n>', 'port for the other computers (default: a free one); it is open until the run begins')
    .option('--set <key=value>', 'as for run', collect, [])
    .addOption(answersOption());
  addRunOptions(addLoadOptions(command)).action(async (name: string, flags: InviteFlags) => {
    const computers = readNumber('--computers', flags.computers, MAX_LOAD_GENERATORS);
    const port = flags.port === undefined ? 0 : readNumber('--port', flags.port, 65_535);
    const source = await findPlanSource(name, context);
    const set = await readGivenSettings(source, flags, context);
    const output = runOutput(flags);
    const run = async (plan: Plan, client: Client, on: readonly string[], consent: Parameters<typeof measureRun>[4]): Promise<ExitCode> =>
      (await measureRun(plan, { ...output, on: [...(output.on ?? []), ...on] }, context, client, consent)).code;
    exit(
      await withPlan(source, { ...flags, set }, output.quiet, context, async (plan, client, consent, series) => {
        if (series !== null) throw notForSeries();
        // The person here agrees before others are asked.
        await consent.agreeToPlan({ plan, on: output.on }, client);
        await client.call('invites.open', { plan, computers, host: flags.address ?? null, port });
        try {
          return await run(plan, client, await gather(client, context), consent);
        } finally {
          await client.call('invites.withdraw', {});
        }
      }),
    );
  });
};

function readNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw optionError(`${option} ${text}: not a number from 1 to ${most}.`, `Enter a number from 1 to ${most}.`);
  return number;
}

/**
 * Shows the invitation and who joins, until all computers are ready or the person starts the run with fewer. Returns the names of the ready
 * computers. Throws `CANCELLED` after Ctrl-C, and `NOBODY_JOINED` if the invitation ends before a computer is ready.
 */
async function gather(client: Client, context: CliContext): Promise<string[]> {
  const { err } = context;
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  let last: InvitationState | null = null;
  const show = (state: InvitationState): void => {
    const before = last;
    last = state;
    void err.write(before === null ? invitationText(state) : changesText(before, state)).catch(reject);
    const ready = readyNames(state);
    if (ready.length === state.computers) resolve(ready);
    else if (state.closed !== null && ready.length === 0) reject(nobodyJoined(state));
  };
  const endWatch = client.open(
    'invites.watch',
    {},
    {
      onItem: ({ invitation }) => {
        if (invitation !== null) show(invitation);
      },
      onEnd: (problem) => reject(problem),
    },
  );
  const releaseEnter = context.onEnter(() => {
    const ready = last === null ? [] : readyNames(last);
    if (ready.length > 0) resolve(ready);
  });
  const releaseInterrupt = context.onInterrupt(() =>
    reject(new HoldfastError({ code: 'CANCELLED', message: 'You withdrew the invitation. Nothing was sent.', hint: '' })),
  );
  try {
    return await promise;
  } finally {
    releaseEnter();
    releaseInterrupt();
    endWatch();
  }
}

function readyNames({ joined }: InvitationState): string[] {
  return joined.filter(({ state }) => state === 'ready').map(({ name }) => name);
}

function invitationText({ invitation, code, fingerprint, computers, otherHosts, endsAtMs }: InvitationState): string {
  const others = otherHosts.length === 0 ? '' : `Other addresses of this computer: ${otherHosts.join(', ')} (--address).\n`;
  return `Paste this line on ${countOf(computers, 'computer')}, in a shell or in PowerShell:

  npx holdfast join '${invitation}'

Without npm: node holdfast-agent.mjs join '${invitation}'
In the app: the page Join.
Code: ${code}
Fingerprint of the certificate (SHA-256): ${fingerprint}
${others}The code ends at ${new Date(endsAtMs).toLocaleTimeString('en-GB')}, and with the run. A person there agrees before anything is sent.
Enter starts the run with those that are ready. Ctrl-C withdraws the invitation.
`;
}

const STATES: Readonly<Record<JoinedComputer['state'], string>> = {
  asked: 'knows the code; its person is asked',
  ready: 'is ready',
  running: 'gets its part of the load',
  declined: 'declined',
  left: 'left',
};

/** Returns lines about what has changed. */
function changesText(before: InvitationState, state: InvitationState): string {
  const earlier = new Map(before.joined.map((computer) => [computer.name, computer.state]));
  const lines = state.joined
    .filter((computer) => earlier.get(computer.name) !== computer.state)
    .map(({ name, address, hostname, cores, state: now }) => {
      const what = now === 'ready' ? ` (${hostname ?? UNKNOWN_TEXT}, ${countOf(cores ?? 0, 'core')})` : '';
      return `${name} at ${address}${what} ${STATES[now]}.`;
    });
  if (state.wrongCodes > before.wrongCodes) lines.push('A computer gave a wrong code. It got nothing.');
  if (state.strangers > before.strangers) lines.push('A program that is not Holdfast connected. It got nothing.');
  if (state.closed !== before.closed && state.closed !== 'running' && state.closed !== null) lines.push(CLOSED[state.closed]);
  return lines.map((line) => `${line}\n`).join('');
}

const CLOSED: Readonly<Record<Exclude<NonNullable<InvitationState['closed']>, 'running'>, string>> = {
  withdrawn: 'The invitation was withdrawn.',
  ended: 'The invitation has ended with its run.',
  expired: 'The code has expired. Nobody can join any more.',
  wrongCodes: 'Too many wrong codes: nobody can join any more.',
};

function nobodyJoined({ closed }: InvitationState): HoldfastError {
  return new HoldfastError({
    code: 'NOBODY_JOINED',
    message: `No computer joined. Nothing was sent. ${closed === null || closed === 'running' ? '' : CLOSED[closed]}`.trim(),
    hint: 'Invite again for a new code. If the others could not connect, check the address in the line and the firewall of this computer.',
  });
}

function notForSeries(): HoldfastError {
  return new HoldfastError({
    code: 'INVITE_ONE_RUN',
    message: 'This preset is a series, and an invitation is for one run.',
    hint: 'Invite for a plan of one run. For a series, use hosts over SSH: --on NAME.',
  });
}
