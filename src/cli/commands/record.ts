import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Client } from '#contract/rpc/client.ts';
import type { RecordingState, RecordedAction, ThinkTimes } from '#contract/replies.ts';
import { MIN_DRAWN_LENGTH } from '#core/import/recording/drawnTexts.ts';
import { askKey, listAsks, recordingAsking } from '#core/review/asks/ask.ts';
import { optionError } from '../output/problems.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { requireNewFile } from '../output/jsonFile.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { insecureOption } from './loadOptions.ts';
import { ACCOUNTS_HELP, ACCOUNTS_ONCE, OUT_HELP } from './import.ts';
import { writeRecorded, walkText } from './writeRecorded.ts';

interface RecordFlags extends AllowFlags {
  readonly out?: string;
  readonly think: ThinkTimes;
  readonly keepRecording?: string;
  readonly accounts?: string;
  readonly accountsOnce?: boolean;
  readonly unique: readonly string[];
  readonly insecure?: boolean;
  readonly walk: boolean;
  readonly watch?: boolean;
}

export const addRecord: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('record')
    .description('open a browser window, record what you do in it, and make a plan from it')
    .argument('<address>', 'address of the first page, such as http://localhost:8080/')
    .option('-o, --out <file>', OUT_HELP)
    .option('--think <time>', 'think times of users: recorded, none, or a number of seconds', thinkTimes, 'recorded')
    .option('--keep-recording <file>', 'a new file for the recording itself (HAR): without passwords, but with the cookies of the session')
    .option('--accounts <file>', ACCOUNTS_HELP)
    .option('--accounts-once', ACCOUNTS_ONCE)
    .option(
      '--unique <text>',
      'a text that you enter and that must be different in each journey, such as a title (repeatable)',
      uniqueText,
      [],
    )
    .option('--no-walk', 'do not walk the journey again to find values that change in each session')
    .option('--watch', 'a real browser also walks the journey during the load, to measure how long a visitor waits')
    .addOption(insecureOption());
  addAllowOption(command).action(async (address: string, flags: RecordFlags) => exit(await record(address, flags, context)));
};

function uniqueText(text: string, before: readonly string[]): string[] {
  if (text.length < MIN_DRAWN_LENGTH) throw new InvalidArgumentError(`Enter at least ${MIN_DRAWN_LENGTH} characters.`);
  return [...before, text];
}

function thinkTimes(text: string): ThinkTimes {
  if (text === 'recorded' || text === 'none') return text;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0 && seconds <= 120)) throw new InvalidArgumentError('Enter recorded, none, or 0 to 120 seconds.');
  return seconds;
}

async function record(address: string, flags: RecordFlags, context: CliContext): Promise<ExitCode> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw optionError(`This is not a full address: ${address}`, 'Enter it with http:// or https://, for example http://localhost:8080/.');
  // The files are checked first, so that a recording is not lost because one of them cannot be written.
  for (const file of [flags.out, flags.keepRecording])
    if (file !== undefined) await requireNewFile(resolve(context.currentDirectory, file), 'PLAN_FILE');
  const accountsFile = flags.accounts === undefined ? undefined : resolve(context.currentDirectory, flags.accounts);
  const agreed = listAsks(recordingAsking({ url: address, verify: flags.insecure !== true, accountsFile }));
  await new Consent(flags.allow, context).agreeToAsks(agreed);
  const made = await withClient(context, async (client) => {
    const { recordingId } = await client.call('recordings.start', {
      url: address,
      verify: flags.insecure !== true,
      ...(accountsFile === undefined ? {} : { accountsFile, accountsOnce: flags.accountsOnce === true }),
      unique: [...flags.unique],
      agreed: agreed.map(askKey),
    });
    await context.err.write('Recording. Walk through your site in the window. Press Enter or close the window to end, Ctrl+C to cancel.\n');
    const { how, actions } = await followRecording(client, context);
    if (how === 'cancelled') {
      await client.call('recordings.discard', { recordingId });
      return null;
    }
    if (flags.walk) await context.err.write(walkText(actions.flatMap(({ requests }) => requests)));
    let isCancelled = false;
    const release = context.onInterrupt(() => {
      isCancelled = true;
      client.call('recordings.discard', { recordingId }).catch(() => {});
    });
    try {
      return await client.call('recordings.finish', {
        recordingId,
        thinkTimes: flags.think,
        walks: flags.walk,
        watches: flags.watch === true,
        withRecording: flags.keepRecording !== undefined,
      });
    } catch (thrown) {
      if (isCancelled) return null;
      throw thrown;
    } finally {
      release();
    }
  });
  if (made === null) {
    await context.err.write('Cancelled. Nothing was kept.\n');
    return EXIT.stoppedByUser;
  }
  await writeRecorded(made, flags, context);
  return EXIT.fine;
}

interface EndedRecording {
  readonly how: 'ended' | 'cancelled';
  readonly actions: readonly RecordedAction[];
}

/** Prints each action when the next one begins, until the user ends the recording. */
function followRecording(client: Client, context: CliContext): Promise<EndedRecording> {
  return new Promise((done, reject) => {
    let printed = 0;
    let latest: RecordingState | null = null;
    const printActionsUntil = (end: number): void => {
      for (const action of latest?.actions.slice(printed, end) ?? []) void context.err.write(actionText(action)).catch(() => {});
      printed = Math.max(printed, end);
    };
    const leave = client.open(
      'recordings.watch',
      {},
      {
        onItem({ recording }) {
          latest = recording;
          const count = recording?.actions.length ?? 0;
          printActionsUntil(count - 1);
          void context.err.redraw(lastLine(recording?.actions.at(-1)));
          if (recording?.state === 'ended') endWith('ended');
        },
        onEnd: (problem) => problem && reject(problem),
      },
    );
    const releases = [context.onInterrupt(() => endWith('cancelled')), context.onEnter(() => endWith('ended'))];
    const endWith = (way: 'ended' | 'cancelled'): void => {
      leave();
      for (const release of releases) release();
      void context.err.redraw('');
      if (way === 'ended') printActionsUntil(latest?.actions.length ?? 0);
      done({ how: way, actions: latest?.actions ?? [] });
    };
  });
}

const KINDS: Readonly<Record<RecordedAction['kind'], string>> = {
  open: 'Open',
  click: 'Click',
  submit: 'Submit',
  choose: 'Choose',
  mark: 'Mark',
  back: 'Back',
  reload: 'Reload',
  tab: 'New tab',
  upload: 'Choose a file',
  download: 'Download',
};
const MAX_PRINTED = 8;

function actionHeadline({ kind, text, title }: RecordedAction): string {
  const name = [KINDS[kind], text === '' ? '' : `“${text}”`].filter((part) => part !== '').join(' ');
  return title === '' || kind === 'mark' ? name : `${name} → ${title}`;
}

function actionText(action: RecordedAction): string {
  const lines = action.requests
    .slice(0, MAX_PRINTED)
    .map(({ method, url, status }) => `    ${status === 0 ? '---' : status} ${method} ${url}`);
  const more = action.requestCount - lines.length;
  return [actionHeadline(action), ...lines, ...(more > 0 ? [`    and ${more} more`] : [])].map((line) => `${line}\n`).join('');
}

function lastLine(action: RecordedAction | undefined): string {
  if (action === undefined) return '';
  return `${actionHeadline(action)} (${action.requestCount} ${action.requestCount === 1 ? 'request' : 'requests'})`;
}
