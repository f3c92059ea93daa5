import { columnsAsked } from '#core/work/feeds/rows.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { type ExportedFile, type ExportSources, hindrance } from '../exported.ts';
import { secretNames } from '../secretNames.ts';

const HOLDS_TEMPLATE = 'A text contains {{, which Artillery always reads as a value.';

/** A script of Artillery on its way out of a plan. */
export class ArtilleryDraft {
  readonly plan: Plan;
  readonly issues: Issue[] = [];
  readonly notes: string[] = [];
  readonly files: ExportedFile[] = [];
  /** Of the loops around what is written. */
  readonly loopItems: string[] = [];
  private readonly sources: ExportSources;
  private readonly secrets: ReadonlyMap<string, string>;
  private readonly templates = new Set<string>();

  constructor(plan: Plan, sources: ExportSources) {
    this.plan = plan;
    this.sources = sources;
    this.secrets = secretNames(plan);
  }

  get environment(): string[] {
    return [...new Set(this.secrets.values())];
  }

  refuse(path: string, message: string, hint?: string): void {
    this.issues.push(hindrance(path, message, hint));
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** What Artillery replaces by a value, in the language of its templates. */
  template(inside: string): string {
    const written = `{{ ${inside} }}`;
    this.templates.add(written);
    return written;
  }

  /**
   * Refuses a script in which a text of the plan, wherever it stands, would be one of Artillery's templates: they read the environment of whoever runs it.
   */
  refuseForeignTemplates(script: unknown): void {
    const isForeign = (text: string): boolean => {
      if (!text.includes('{{')) return false;
      let rest = text;
      for (const written of this.templates) rest = rest.replaceAll(written, ' ');
      return rest.includes('{{');
    };
    const holdsForeign = (value: unknown): boolean => {
      if (typeof value === 'string') return isForeign(value);
      if (typeof value !== 'object' || value === null) return false;
      return Object.entries(value).some(([name, member]) => isForeign(name) || holdsForeign(member));
    };
    if (this.issues.length === 0 && holdsForeign(script)) this.refuse('', HOLDS_TEMPLATE);
  }

  /** A text that stands as it is, or a secret. */
  constant(value: TextOrSecret): string {
    return typeof value === 'string' ? this.literal(value, 'targets[0].headers') : this.secret(value.secret);
  }

  /** A text of a step, with the values of Artillery in it. */
  text(value: TextOrSecret, place: string): string {
    if (typeof value !== 'string') return this.secret(value.secret);
    return parseTemplate(value)
      .map((part) => (typeof part === 'string' ? this.literal(part, place) : this.value(part.name, place)))
      .join('');
  }

  /** Names of Artillery hold letters, digits and _. */
  valueName(name: string): string {
    return name.replaceAll('-', '_');
  }

  /** Lists of which each arrival has one item. */
  lists(): Record<string, (string | number)[]> {
    return Object.fromEntries(
      Object.entries(this.plan.variables ?? {}).flatMap(([name, variable]) =>
        variable.kind === 'item' ? [[this.valueName(name), variable.of]] : [],
      ),
    );
  }

  /** Files of values; each is written anew beside the script, with its columns in the order of its rows. */
  payload(): Record<string, unknown>[] {
    return Object.entries(this.plan.feeds ?? {}).map(([name, feed]) => {
      const rows = getOwn(this.sources.feeds, name);
      const columns = rows?.columns ?? [...columnsAsked(this.plan, name)];
      const path = `${name}.csv`;
      if (rows !== undefined) this.files.push({ path, content: csvOf(rows.columns, rows.rows), encoding: 'utf8' });
      this.note(`The rows of “${name}” are in ${path} beside the script, including any passwords.`);
      if (feed.order === 'unique' || feed.order === 'once')
        this.note(`Artillery uses the rows of “${name}” in order and starts again after the last.`);
      return {
        path,
        name,
        fields: columns.map((column) => this.columnName(name, column)),
        ...(feed.order === 'random' ? {} : { order: 'sequence' }),
        skipHeader: true,
      };
    });
  }

  private columnName(feed: string, column: string): string {
    const others = Object.keys(this.plan.feeds ?? {}).length > 1;
    return this.valueName(others ? `${feed}_${column}` : column).replaceAll(/\W/g, '_');
  }

  private literal(text: string, place: string): string {
    if (text.includes('{{')) this.refuse(place, HOLDS_TEMPLATE);
    return text;
  }

  private secret(reference: string): string {
    return this.template(`$processEnvironment.${this.secrets.get(reference) ?? ''}`);
  }

  private value(name: string, place: string): string {
    const captured = this.plan.journey.some(({ captures }) => (captures ?? []).some(({ as }) => as === name));
    if (this.loopItems.at(-1) === name) return this.template('$loopElement');
    if (captured) return this.template(`${this.valueName(name)}`);
    const dot = name.indexOf('.');
    if (dot > 0 && Object.hasOwn(this.plan.feeds ?? {}, name.slice(0, dot)))
      return this.template(`${this.columnName(name.slice(0, dot), name.slice(dot + 1))}`);
    const variable = getOwn(this.plan.variables, name);
    switch (variable?.kind) {
      case 'secret':
        return this.secret(variable.secret);
      case 'item':
        if (variable.per === 'request')
          this.note(`{{${name}}} is the same in all requests of an arrival. Artillery draws it once for each arrival.`);
        return this.template(`${this.valueName(name)}`);
      case 'uuid':
        if (variable.per === 'request')
          this.note(`{{${name}}} is the same in all requests of an arrival. Artillery generates it once for each arrival.`);
        return this.template('$uuid');
      case 'integer':
        // Its calls of functions know no sign.
        if (variable.from < 0) break;
        if (variable.per !== 'request') this.note(`Each use of {{${name}}} draws a new value.`);
        return this.template(`$randomNumber(${variable.from}, ${variable.to})`);
      case 'timestamp':
      case 'number':
      case undefined:
        break;
      default:
        variable satisfies never;
    }
    this.refuse(place, `Artillery needs a script function for {{${name}}}.`);
    return '';
  }
}

/** RFC 4180. */
function csvOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const field = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${[columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}
