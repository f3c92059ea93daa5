import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import type { Issue } from '../plan/issues.ts';
import { hindrance } from './exported.ts';
import { secretNames } from './secretNames.ts';

/** A text for the shell of Unix: parts of it as they stand, and environment variables. */
export type ShellPart = string | { readonly variable: string };

/** One word for a POSIX shell: nothing in it means anything but the variables. */
export function shellWord(parts: readonly ShellPart[]): string {
  const joined: ShellPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined.splice(-1, 1, last + part);
    else joined.push(part);
  }
  const written = joined
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? quotedForShell(part) : `"$${part.variable}"`));
  return written.length === 0 ? "''" : written.join('');
}

/** A text as one word of a POSIX shell. */
export function quotedForShell(text: string): string {
  // A word that begins with = is the path of a program for zsh.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** No word of a command can hold a NUL: the shell ends it there. */
export function nulHindrance(command: string): Issue[] {
  if (!command.includes('\0')) return [];
  return [
    hindrance(
      'journey',
      'A text of the plan contains a NUL character, which is impossible in a command.',
      'Export it for k6, or put the body into a file: body: {secret: file:PATH}.',
    ),
  ];
}

/** A text of a plan whose only values are secrets, for a shell. */
export class ShellTexts {
  private readonly names: ReadonlyMap<string, string>;
  private readonly plan: Plan;
  private readonly used = new Set<string>();

  constructor(plan: Plan) {
    this.plan = plan;
    this.names = secretNames(plan);
  }

  /** Names of the variables that were written so far: a file that is sent as it is needs none. */
  get environment(): string[] {
    return [...this.used];
  }

  private secret(reference: string): ShellPart {
    const variable = this.names.get(reference) ?? reference;
    this.used.add(variable);
    return { variable };
  }

  /** Of a target: meant as it stands. */
  constant(value: TextOrSecret): ShellPart[] {
    return [typeof value === 'string' ? value : this.secret(value.secret)];
  }

  /** Of a step: names in it stand for values. Those that are no secrets have been refused before. */
  text(value: TextOrSecret): ShellPart[] {
    if (typeof value !== 'string') return [this.secret(value.secret)];
    return parseTemplate(value).map((part) => (typeof part === 'string' ? part : this.secretVariable(part.name)));
  }

  /** The secret that a name stands for. */
  private secretVariable(name: string): ShellPart {
    const variable = getOwn(this.plan.variables, name);
    return variable?.kind === 'secret' ? this.secret(variable.secret) : '';
  }

  isSecret(name: string): boolean {
    return getOwn(this.plan.variables, name)?.kind === 'secret';
  }
}

/** A command on lines of its own, each option with its value on one. */
export function command(name: string, options: readonly (readonly string[])[]): string {
  const words = [[name], ...options].map((option) => option.join(' '));
  const line = words.join(' ');
  return line.length <= 120 ? line : words.join(' \\\n  ');
}
