import { performance } from 'node:perf_hooks';
import { commonName } from '#core/work/accounts/columns.ts';
import { redactValue } from '#core/base/redact.ts';
import type { PlanCommand } from '#core/plan/schema/command.ts';
import type { WalkOutcome } from '#core/work/populate/walks.ts';
import { pause } from '../series/pauses.ts';
import { runCommand } from '../series/runCommand.ts';
import type { Row, Rows } from './rows.ts';

/** Of what a failed command wrote, so much of the end is told. */
const TOLD_CHARACTERS = 300;

/** Runs the command once for each row, with the row in its environment: there no list of processes shows a password. */
export async function commandRows(
  command: PlanCommand,
  { populate, columns, todo, target, secrets }: Rows,
  { settled, signal }: { readonly settled: (row: Row, outcome: WalkOutcome) => void; readonly signal: AbortSignal },
  clean: (text: string) => string,
): Promise<void> {
  const beginsMs = performance.now();
  let next = 0;
  const hide = (text: string): string => clean(redactValue(text, secrets));
  const work = async (): Promise<void> => {
    for (let index = next++; index < todo.length && !signal.aborted; index = next++) {
      const row = todo[index];
      if (row === undefined) return;
      await pause(beginsMs + (index * 1_000) / populate.perSecond - performance.now(), signal);
      if (signal.aborted) return;
      const environment = {
        ...environmentOf(columns, row),
        HOLDFAST_TARGET: target,
      };
      const { problem, output } = await runCommand(command, { when: 'before', environment, signal, clean: hide });
      const said = output.trim().slice(-TOLD_CHARACTERS);
      settled(row, problem === null ? { isGood: true, captured: {} } : { isGood: false, reason: `${problem} ${said}`.trim() });
    }
  };
  await Promise.all(Array.from({ length: populate.atOnce }, work));
}

/** Each value under the name of its column, and under the name that is common for it. */
function environmentOf(columns: readonly string[], row: Row): Record<string, string> {
  const under = (nameOf: (column: string) => string | null): [string, string][] =>
    columns.flatMap((column, at): [string, string][] => {
      const name = nameOf(column);
      return name === null ? [] : [[variableOf(name), row.values[at] ?? '']];
    });
  return Object.fromEntries([...under(commonName), ...under((column) => column)]);
}

/** `first_name` is HOLDFAST_ROW_FIRST_NAME. */
export function variableOf(column: string): string {
  return `HOLDFAST_ROW_${column.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}
