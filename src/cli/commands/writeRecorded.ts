import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { RecordedPlan } from '#contract/replies.ts';
import { formatWatched, explainCapture, explainDifference, WRITES_HEADING, formatRequests } from '#core/import/recording/notes.ts';
import type { CliContext } from '../context.ts';
import { writeNewFile } from '../output/jsonFile.ts';
import { notesText } from '../output/problems.ts';

const WIDTH = 140;
/** File mode that lets only the user read the file, which contains session cookies. */
const PRIVATE_MODE = 0o600;

/** Maximum number of listed requests. */
const MAX_LISTED_WRITES = 8;

/** Formats the list of requests that change data. Each replay sends them, so they are listed before the first replay. */
export function walkText(requests: Parameters<typeof formatRequests>[0]): string {
  const requestTexts = formatRequests(requests);
  const heading = 'Sending the journey again, to find values that change in each session.';
  if (requestTexts.length === 0) return `${heading}\n`;
  const lines = requestTexts.slice(0, MAX_LISTED_WRITES).map((line) => `  ${line}`);
  const more = requestTexts.length - lines.length;
  return [heading, WRITES_HEADING, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].map((line) => `${line}\n`).join('');
}

interface WriteFlags {
  readonly out?: string;
  readonly keepRecording?: string;
  readonly watch?: boolean;
}

function replayText({ rounds, captured, steps }: NonNullable<RecordedPlan['walked']>): string {
  const found = captured.map((value) => `captured: {{${value.name}}}: ${explainCapture(value)}`);
  const other = steps.flatMap((step) => {
    const explanation = explainDifference(step);
    return explanation === null ? [] : [`different: “${step.step}”: ${explanation}`];
  });
  const sum =
    other.length === 0
      ? `Holdfast walked the journey ${rounds} times. At the end, each step did what was recorded.`
      : `Holdfast walked the journey ${rounds} times. ${other.length} of ${steps.length} steps did not do what was recorded.`;
  return [...found, ...other, sum].map((line) => `${line}\n`).join('');
}

export async function writeRecorded(
  { written, notes, variables, walked, problem, watched, recording }: RecordedPlan,
  flags: WriteFlags,
  context: CliContext,
): Promise<void> {
  const text = stringify(written, { lineWidth: WIDTH });
  const resolveFile = (file: string): string => resolve(context.currentDirectory, file);
  if (flags.out === undefined) await context.out.writeFile(text);
  else await writeNewFile(resolveFile(flags.out), text, { code: 'PLAN_FILE' });
  if (flags.keepRecording !== undefined && recording !== null)
    await writeNewFile(resolveFile(flags.keepRecording), recording, { code: 'PLAN_FILE', mode: PRIVATE_MODE });
  await context.err.write(notesText(notes));
  if (problem !== null) await context.err.write(`${problem.message} ${problem.hint}\n`);
  if (walked !== null) await context.err.write(replayText(walked));
  if (flags.watch === true) await context.err.write(`${formatWatched(watched)}\n`);
  if (variables.length > 0) await context.err.write(`Before a run, set ${variables.join(', ')} to what you entered there.\n`);
  if (flags.keepRecording !== undefined)
    await context.err.write(`${flags.keepRecording} holds the cookies of your session. Log out there, or keep the file to yourself.\n`);
}
