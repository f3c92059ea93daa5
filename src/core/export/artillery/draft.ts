import { listUsedColumns } from '#core/work/feeds/rows.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { type ExportedFile, type ExportSources, hindrance } from '../exported.ts';
import { secretNames } from '../secretNames.ts';

const TEMPLATE_IN_TEXT_NOTE = 'A text contains {{, which Artillery always reads as a value.';

/** An Artillery script under construction. */
export class ArtilleryDraft {
  readonly plan: Plan;
  readonly issues: Issue[] = [];
  readonly notes: string[] = [];
  readonly files: ExportedFile[] = [];
  /** Item variables of the enclosing loops. */
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

  /** Returns an Artillery template, and records that it is not a text of the plan. */
  template(inside: string): string {
    const written = `{{ ${inside} }}`;
    this.templates.add(written);
    return written;
  }

  /** Refuses a script in which a text of the plan would act as an Artillery template, because templates can read environment variables. */
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
    if (this.issues.length === 0 && holdsForeign(script)) this.refuse('', TEMPLATE_IN_TEXT_NOTE);
  }

  /** Returns a constant text, or the template of a secret. */
  constant(value: TextOrSecret): string {
    return typeof value === 'string' ? this.literal(value, 'targets[0].headers') : this.secret(value.secret);
  }

  /** Returns a text of a step with Artillery templates for its values. */
  text(value: TextOrSecret, place: string): string {
    if (typeof value !== 'string') return this.secret(value.secret);
    return parseTemplate(value)
      .map((part) => (typeof part === 'string' ? this.literal(part, place) : this.value(part.name, place)))
      .join('');
  }

  /** Artillery names consist of letters, digits and _. */
  valueName(name: string): string {
    return name.replaceAll('-', '_');
  }

  /** Returns the lists from which each arrival takes one item. */
  buildLists(): Record<string, (string | number)[]> {
    return Object.fromEntries(
      Object.entries(this.plan.variables ?? {}).flatMap(([name, variable]) =>
        variable.kind === 'item' ? [[this.valueName(name), variable.of]] : [],
      ),
    );
  }

  /** Returns Artillery's payload, and adds a CSV file for each feed, which is written beside the script. */
  payload(): Record<string, unknown>[] {
    return Object.entries(this.plan.feeds ?? {}).map(([name, feed]) => {
      const rows = getOwn(this.sources.feeds, name);
      const columns = rows?.columns ?? [...listUsedColumns(this.plan, name)];
      const path = `${name}.csv`;
      if (rows !== undefined) this.files.push({ path, content: formatCsv(rows.columns, rows.rows), encoding: 'utf8' });
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
    if (text.includes('{{')) this.refuse(place, TEMPLATE_IN_TEXT_NOTE);
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
        // Artillery function calls do not support negative numbers.
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

/** Formats CSV (RFC 4180). */
function formatCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const field = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${[columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}
