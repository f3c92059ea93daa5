import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '#contract/rpc/client.ts';
import { listConsentsInFile, type Ask, askKey, listAllAsks, listAsks, openAsks, readAskKey } from '#core/review/asks/ask.ts';
import { ASK_KINDS } from '#core/review/asks/fields.ts';
import { askLine, groupAsks, KIND_WORDS, visibleKey } from '#core/review/asks/labels.ts';
import { quote } from '#core/base/text.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { quoteForShell } from '#core/export/shellWords.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { collect } from './optionReader.ts';
import { optionError } from '../output/problems.ts';
import type { CliContext } from '../context.ts';

export interface AllowFlags {
  readonly allow: string[];
}

export function addAllowOption(command: Command): Command {
  return command.option(
    '--allow <kind:name>',
    `allow something that the plan asks for: host:example.org, file:users.csv, env:PASSWORD (repeatable; kinds: ${ASK_KINDS.join(', ')})`,
    collect,
    [],
  );
}

type AskName = Pick<Ask, 'kind' | 'name'>;
/**
 * Origin of a plan: a preset of Holdfast, a plan file that another person may have written, or the keys of the permissions that a stored
 * plan needs.
 */
type PlanOrigin =
  | ReadonlySet<string>
  | { readonly kind: 'preset' }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };
type PromptContext = Pick<CliContext, 'hiddenInput' | 'err' | 'currentDirectory' | 'isAssistant'>;

/** The user's consent, given by `--allow`, by typing a value (except public hosts), or at a prompt. */
export class Consent {
  /** Keys given with `--allow`, in printable form. */
  private readonly allowed: ReadonlySet<string>;
  /** Keys of permissions in the plan file, which another person may have written. The user typed all others. */
  private readonly foreign: ReadonlySet<string>;
  private readonly given = new Set<string>();
  private readonly context: PromptContext;

  /** `from` is the origin of the plan, or the keys of its permissions; undefined if the user typed the whole plan. Throws `BAD_OPTION`. */
  constructor(allow: readonly string[], context: PromptContext, from: PlanOrigin = new Set()) {
    this.allowed = new Set(allow.map((text) => allowedKey(text, context.currentDirectory)));
    this.foreign = 'kind' in from ? foreignKeys(from, context.currentDirectory) : from;
    this.context = context;
  }

  /**
   * Returns the keys of all permissions that a plan needs, for calls to the backend. Prompts for missing consent; without a terminal,
   * throws `AGREEMENT_NEEDED` with the options that give consent.
   */
  async agreeToPlan(asking: { plan: Plan; series?: Series; on?: readonly string[] | undefined }, client: Client): Promise<string[]> {
    const { on, ...document } = asking;
    const { open } = await client.call('plans.asks', { ...document, ...(on === undefined ? {} : { on: [...on] }) });
    await this.agreeToAsks(open);
    return openAsks(listAsks(asking), []).map(askKey);
  }

  /** Works like {@link agreeToPlan}, for permissions that the backend has not reviewed. */
  async agreeToAsks(asks: readonly Ask[]): Promise<string[]> {
    const missing = openAsks(asks, []).filter((ask) => !this.isAllowed(ask));
    if (missing.length > 0) await askPerson(missing, this.context);
    for (const ask of missing) this.given.add(askKey(ask));
    return asks.map(askKey);
  }

  private isAllowed(ask: Ask): boolean {
    const key = askKey(ask);
    // What an assistant types counts as consent only for hosts that are not public.
    const isPerson = this.context.isAssistant !== true || ask.kind === 'host';
    const isTyped = isPerson && listConsentsInFile([ask]).length > 0 && !this.foreign.has(key);
    return isTyped || this.given.has(key) || this.allowed.has(visibleKey(withWholePath(ask, this.context.currentDirectory)));
  }
}

/**
 * Returns the keys of the permissions that a plan file needs, even if the file is invalid. Permissions for files are also listed with
 * absolute paths.
 */
function foreignKeys(from: Exclude<PlanOrigin, ReadonlySet<string>>, currentDirectory: string): ReadonlySet<string> {
  if (from.kind === 'preset') return new Set();
  const asks = listAllAsks(readYaml(from.text).value);
  const folder = dirname(resolve(currentDirectory, from.path));
  return new Set([...asks, ...asks.map((ask) => withWholePath(ask, folder))].map(askKey));
}

function allowedKey(text: string, currentDirectory: string): string {
  const asked = readAskKey(text);
  if (asked !== null) {
    const name = asked.kind === 'host' ? asked.name.toLowerCase() : asked.name;
    return visibleKey(withWholePath({ ...asked, name }, currentDirectory));
  }
  throw optionError(
    `--allow ${quote(text)} does not say what is allowed.`,
    `Use a kind and a name, such as host:example.org. The kinds are: ${ASK_KINDS.join(', ')}.`,
  );
}

/** Resolves the path in a file permission against `folder`. */
function withWholePath({ kind, name }: AskName, folder: string): AskName {
  if (kind !== 'file') return { kind, name };
  return { kind, name: name === '~' || name.startsWith('~/') ? join(homedir(), name.slice(1)) : resolve(folder, name) };
}

async function askPerson(asks: readonly Ask[], { err, hiddenInput }: PromptContext): Promise<void> {
  const groups = groupAsks(asks).map(({ kind, asks: all }) => `${KIND_WORDS[kind]}\n${all.map((ask) => `  ${askLine(ask)}\n`).join('')}`);
  await err.write(`This plan needs your permission for:\n\n${groups.join('')}\n${OWNERS}\n`);
  const answer = await hiddenInput('Agree to all of it? y/N (what you type is not shown)').catch((thrown: unknown) => {
    if (!(thrown instanceof HoldfastError) || thrown.code !== 'NO_TERMINAL') throw thrown;
    throw needsAgreement(asks);
  });
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new HoldfastError({ code: 'CANCELLED', message: 'You did not agree. Nothing was sent or opened.', hint: '' });
}

const OWNERS = 'Allow only what you know. Load only servers that are yours, or whose owner has agreed.';

/** Returns the error for missing consent. The list of permissions is printed before it. */
function needsAgreement(asks: readonly Ask[]): HoldfastError {
  return new HoldfastError({
    code: 'AGREEMENT_NEEDED',
    message: `Nothing was sent or opened: ${asks.length === 1 ? 'this needs' : `these ${asks.length} things need`} permission.`,
    hint: `To allow ${asks.length === 1 ? 'it' : 'them'}, add ${asks.map((ask) => `--allow ${quoteForShell(visibleKey(ask))}`).join(' ')}`,
    data: { asks },
  });
}
