import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step, TextOrSecret } from '#core/plan/schema/plan.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import type { Issue } from '../plan/issues.ts';
import { authOfStep, hindrance } from './exported.ts';
import { secretNames } from './secretNames.ts';

/** Part of a text for a Unix shell: literal text or an environment variable. */
export type ShellPart = string | { readonly variable: string };

/** Quotes a value for a POSIX shell; only variables are expanded. */
export function formatShellWord(parts: readonly ShellPart[]): string {
  const joined: ShellPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined.splice(-1, 1, last + part);
    else joined.push(part);
  }
  const written = joined
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? quoteForShell(part) : `"$${part.variable}"`));
  return written.length === 0 ? "''" : written.join('');
}

/** Quotes a text as one word for a POSIX shell. */
export function quoteForShell(text: string): string {
  // zsh replaces a word that starts with = by the path of a program, so such a word is quoted.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns an issue for a command with NUL, which ends a word in a shell; empty without NUL. */
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

/** Converts texts of a plan for a shell. The only values that they may contain are secrets. */
export class ShellTexts {
  private readonly names: ReadonlyMap<string, string>;
  private readonly plan: Plan;
  private readonly used = new Set<string>();

  constructor(plan: Plan) {
    this.plan = plan;
    this.names = secretNames(plan);
  }

  /** Names of the variables used so far. A file that is sent unchanged needs no variable. */
  get environment(): string[] {
    return [...this.used];
  }

  private secret(reference: string): ShellPart {
    const variable = this.names.get(reference) ?? reference;
    this.used.add(variable);
    return { variable };
  }

  /** Returns a text of a target, or the variable of a secret. */
  constant(value: TextOrSecret): ShellPart[] {
    return [typeof value === 'string' ? value : this.secret(value.secret)];
  }

  /** Returns a text of a step with its secrets; other placeholders were refused before. */
  text(value: TextOrSecret): ShellPart[] {
    if (typeof value !== 'string') return [this.secret(value.secret)];
    return parseTemplate(value).map((part) => (typeof part === 'string' ? part : this.secretVariable(part.name)));
  }

  private secretVariable(name: string): ShellPart {
    const variable = getOwn(this.plan.variables, name);
    return variable?.kind === 'secret' ? this.secret(variable.secret) : '';
  }

  isSecret(name: string): boolean {
    return getOwn(this.plan.variables, name)?.kind === 'secret';
  }
}

/** Returns the option with `name:password` of HTTP Basic; none if the step sends no `auth`. */
export function authOption(option: string, plan: Plan, step: Step, texts: ShellTexts): string[][] {
  const auth = authOfStep(plan, step);
  if (auth === null) return [];
  const writeCredential = (value: TextOrSecret): ShellPart[] => (auth.isOfStep ? texts.text(value) : texts.constant(value));
  return [[option, formatShellWord([...writeCredential(auth.user), ':', ...writeCredential(auth.password)])]];
}

/** Formats a command, with one option and its value per line. */
export function command(name: string, options: readonly (readonly string[])[]): string {
  const words = [[name], ...options].map((option) => option.join(' '));
  const line = words.join(' ');
  return line.length <= 120 ? line : words.join(' \\\n  ');
}
