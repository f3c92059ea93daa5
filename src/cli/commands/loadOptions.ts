import { Option, type Command } from 'commander';
import type { Issue } from '#core/plan/issues.ts';
import { ENGINES } from '#core/plan/schema.ts';
import { readAuthority } from '../input/certificates.ts';
import { parseDurationSeconds } from '../input/duration.ts';

/** Options that say how requests are sent, whatever they are. */
export interface LoadFlags {
  readonly engine?: string;
  /** commander's name for `--no-keepalive`: true unless it was given. */
  readonly keepalive: boolean;
  readonly timeout?: string;
  readonly insecure?: boolean;
  readonly ca?: string;
}

export function addLoadOptions(command: Command): Command {
  return command
    .addOption(new Option('--engine <engine>', 'what sends the requests; auto takes native where autocannon cannot do it').choices(ENGINES))
    .option('--no-keepalive', 'open a connection of its own for every request')
    .option('--timeout <time>', 'longest time for a request, from connecting to the last byte, for example 30s')
    .option('--insecure', 'accept any certificate of an https server')
    .option('--ca <file>', 'trust the certificates in this PEM file instead of the public authorities');
}

/** The flags as fields of the plan, by path and written in YAML as `--set` takes them, or every problem with them. */
export async function readLoadFlags(
  flags: LoadFlags,
  currentDirectory: string,
): Promise<{ readonly fields: ReadonlyMap<string, string>; readonly issues: readonly Issue[] }> {
  const fields = new Map<string, string>();
  const issues: Issue[] = [];
  if (flags.engine !== undefined) fields.set('engine', flags.engine);
  if (!flags.keepalive) fields.set('connections.reuse', 'never');
  if (flags.timeout !== undefined) {
    const seconds = parseDurationSeconds(flags.timeout);
    if (seconds === null) issues.push(badOption('--timeout', flags.timeout, 'Write a time such as 30, 30s or 2m.'));
    else fields.set('timeoutSeconds', String(seconds));
  }
  if (flags.insecure) fields.set('tls.verify', 'false');
  if (flags.ca !== undefined) {
    if (flags.insecure) issues.push(badOption('--ca', flags.ca, 'Use either --ca or --insecure: what is not verified needs no authority.'));
    const { pem, issue } = await readAuthority(flags.ca, currentDirectory);
    if (issue) issues.push(issue);
    else fields.set('tls.verify', 'true').set('tls.ca', JSON.stringify(pem));
  }
  return { fields, issues };
}

export function badOption(option: string, text: string, hint: string): Issue {
  return { level: 'error', code: 'BAD_OPTION', path: option, message: `${option} ${text} cannot be used.`, hint };
}
