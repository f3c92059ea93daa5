import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '#contract/rpc/client.ts';
import { agreedByWriting, type Ask, askKey, asksIn, asksOf, openAsks, readAskKey } from '#core/review/asks/ask.ts';
import { ASK_KINDS } from '#core/review/asks/readers.ts';
import { askLine, groupedAsks, KIND_WORDS, visibleKey } from '#core/review/asks/words.ts';
import { quoted } from '#core/base/text.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { quotedForShell } from '#core/export/shellWords.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { optionError } from '../optionError.ts';
import type { CliContext } from '../context.ts';
import { collect } from './optionReader.ts';

export interface AllowFlags {
  readonly allow: string[];
}

export function addAllowOption(command: Command): Command {
  return command.option(
    '--allow <kind:name>',
    `allow something that the plan asks for: host:example.org, file:users.csv, env:PASSWORD (repeat it; kinds: ${ASK_KINDS.join(', ')})`,
    collect,
    [],
  );
}

type Named = Pick<Ask, 'kind' | 'name'>;
type Asker = Pick<CliContext, 'hiddenInput' | 'err' | 'currentDirectory'>;

/** What the person at this command line has agreed to: by `--allow`, by having typed it (but for public hosts), and by the answer to a question. */
export class Consent {
  /** Keys that `--allow` names, as they may be shown. */
  private readonly allowed: ReadonlySet<string>;
  /** What stands in a file that somebody else may have written; everything beside it was typed. */
  private readonly foreign: ReadonlySet<string>;
  private readonly given = new Set<string>();
  private readonly context: Asker;

  /** `foreign`: see {@link foreignIn}; empty where all of the plan was typed. Throws `BAD_OPTION`. */
  constructor(allow: readonly string[], context: Asker, foreign: ReadonlySet<string> = new Set()) {
    this.allowed = new Set(allow.map((text) => allowedKey(text, context.currentDirectory)));
    this.foreign = foreign;
    this.context = context;
  }

  /**
   * Returns everything that a plan asks for, as calls of the backend take it, once it is agreed to. What is not is asked at the terminal; without one it throws
   * `AGREEMENT_NEEDED`, with the options that say it.
   */
  async agree(asking: { plan: Plan; series?: Series; on?: readonly string[] | undefined }, client: Client): Promise<string[]> {
    const { on, ...document } = asking;
    const { open } = await client.call('plans.asks', { ...document, ...(on === undefined ? {} : { on: [...on] }) });
    await this.settle(open);
    return openAsks(asksOf(asking), []).map(askKey);
  }

  /** As {@link agree}, of things that no backend has looked at. */
  async settle(asks: readonly Ask[]): Promise<string[]> {
    const missing = openAsks(asks, []).filter((ask) => !this.has(ask));
    if (missing.length > 0) await askPerson(missing, this.context);
    for (const ask of missing) this.given.add(askKey(ask));
    return asks.map(askKey);
  }

  private has(ask: Ask): boolean {
    const key = askKey(ask);
    const isTyped = agreedByWriting([ask]).length > 0 && !this.foreign.has(key);
    return isTyped || this.given.has(key) || this.allowed.has(visibleKey(wholly(ask, this.context.currentDirectory)));
  }
}

/** Keys of what a plan file asks for, however wrong it is otherwise; files also by their whole paths, as they lie beside it. */
export function foreignIn(text: string, planFile: string): ReadonlySet<string> {
  const asks = asksIn(readYaml(text).value);
  return new Set([...asks, ...asks.map((ask) => wholly(ask, dirname(planFile)))].map(askKey));
}

function allowedKey(text: string, currentDirectory: string): string {
  const asked = readAskKey(text);
  if (asked !== null) {
    const name = asked.kind === 'host' ? asked.name.toLowerCase() : asked.name;
    return visibleKey(wholly({ ...asked, name }, currentDirectory));
  }
  throw optionError(
    `--allow ${quoted(text)} does not say what is allowed.`,
    `Use a kind and a name, such as host:example.org. The kinds are: ${ASK_KINDS.join(', ')}.`,
  );
}

/** A file by its whole path, whatever folder it is meant from. */
function wholly({ kind, name }: Named, folder: string): Named {
  if (kind !== 'file') return { kind, name };
  return { kind, name: name === '~' || name.startsWith('~/') ? join(homedir(), name.slice(1)) : resolve(folder, name) };
}

async function askPerson(asks: readonly Ask[], { err, hiddenInput }: Asker): Promise<void> {
  const groups = groupedAsks(asks).map(({ kind, asks: all }) => `${KIND_WORDS[kind]}\n${all.map((ask) => `  ${askLine(ask)}\n`).join('')}`);
  await err.write(`This plan needs your permission for:\n\n${groups.join('')}\n${OWNERS}\n`);
  const answer = await hiddenInput('Agree to all of it? y/N (what you type is not shown)').catch((thrown: unknown) => {
    if (!(thrown instanceof HoldfastError) || thrown.code !== 'NO_TERMINAL') throw thrown;
    throw needsAgreement(asks);
  });
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new HoldfastError({ code: 'CANCELLED', message: 'You did not agree. Nothing was sent or opened.', hint: '' });
}

const OWNERS = 'Allow only what you know. Load only servers that are yours, or whose owner has agreed.';

/** What stands above it was just shown. */
function needsAgreement(asks: readonly Ask[]): HoldfastError {
  return new HoldfastError({
    code: 'AGREEMENT_NEEDED',
    message: `Nothing was sent or opened: ${asks.length === 1 ? 'this needs' : `these ${asks.length} things need`} permission.`,
    hint: `To allow ${asks.length === 1 ? 'it' : 'them'}, add ${asks.map((ask) => `--allow ${quotedForShell(visibleKey(ask))}`).join(' ')}`,
    data: { asks },
  });
}
